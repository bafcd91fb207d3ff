/* SPDX-License-Identifier: MIT */
#include "report/reading.h"

#include "report/figure.h"

#include <math.h>

double rk_reading_value(const rk_reading *r)
{
    return r->under == 0 ? NAN : (double)((long double)r->over / (long double)r->under);
}

/* With two digits: shares of a sweep or a comparison differ in the second one. */
void rk_reading_put_share(rk_str *s, rk_i128 n, rk_i128 whole)
{
    rk_reading all = {n, whole};
    rk_i128 share;

    if (whole == 0) {
        rk_str_put(s, "–");
        return;
    }
    for (; n > RK_I128_MAX / 20000 || whole > RK_I128_MAX / 2; n /= 2)
        whole /= 2;
    if (whole == 0) { /* more than any share is */
        rk_str_format(s, "%.4g%%", rk_reading_value(&all) * 100);
        return;
    }
    share = (n * 20000 + whole) / (2 * whole);
    rk_str_grouped(s, share / 100);
    rk_str_format(s, ".%02d%%", (int)(share % 100));
}

void rk_reading_put(rk_str *s, const rk_measure *m, const rk_reading *r)
{
    if (!m->under.row)
        rk_str_grouped(s, r->over);
    else if (r->under == 0)
        rk_str_put(s, "–");
    else if (m->unit == RK_UNIT_RATIO)
        rk_reading_put_share(s, r->over, r->under);
    else
        rk_str_format(s, "%.6g", rk_reading_value(r));
}

void rk_reading_put_brief(rk_str *s, const rk_measure *m, const rk_reading *r, const char *flop)
{
    if (m->unit == RK_UNIT_BYTE)
        rk_str_scaled(s, r->over, "B");
    else if (m->unit == RK_UNIT_FLOP)
        rk_str_scaled(s, r->over, flop);
    else if (m->unit == RK_UNIT_COUNT)
        rk_str_in_letters(s, r->over);
    else
        rk_reading_put(s, m, r);
}

rk_cell rk_reading_number(const rk_measure *m, const rk_reading *r)
{
    const int digits = 12;

    return m->under.row ? rk_cell_real(rk_reading_value(r), digits) : rk_cell_count(r->over);
}

void rk_reading_round(const rk_view *v, const rk_measure *m, const rk_reading *r, rk_cell *shown)
{
    const char *unit[] = {[RK_UNIT_BYTE] = "B", [RK_UNIT_FLOP] = rk_view_unit(v), [RK_UNIT_COUNT] = ""};

    shown->number = r->over;
    shown->unit = !m->under.row && m->unit < sizeof unit / sizeof *unit ? unit[m->unit] : NULL;
}

rk_cell rk_reading_cell(rk_view *v, const rk_measure *m, const rk_reading *r)
{
    rk_str full = {0}, brief = {0};
    rk_cell shown;

    rk_reading_put(&full, m, r);
    rk_reading_put_brief(&brief, m, r, "");
    shown = rk_view_texts(v, &full, &brief);
    rk_reading_round(v, m, r, &shown);
    if (m->unit == RK_UNIT_FLOP)
        shown.unit = RK_UNIT_SAID;
    return rk_cell_both(&v->page, rk_reading_number(m, r), shown);
}

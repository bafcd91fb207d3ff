/* SPDX-License-Identifier: MIT */
/* What reports say of the stored size: the type of numbers, quantisation, bytes. */
#include "report/view.h"

#include "account/packing.h"
#include "report/figure.h"

#include <ctype.h>

static void put_lower(rk_str *s, const char *text)
{
    for (; *text; text++)
        rk_str_putc(s, (char)tolower((unsigned char)*text));
}

/* "gptq, 4 bits in groups of 128" */
static void put_method(rk_str *s, const rk_packing *p)
{
    char text[RK_NUM_TEXT_MAX], more[RK_NUM_TEXT_MAX];

    rk_str_put(s, p->method);
    if (p->how.bits > 0)
        rk_str_format(s, ", %s bits", rk_num_text(text, p->how.bits));
    if (p->how.group > 0)
        rk_str_format(s, " in groups of %s", rk_num_text(text, p->how.group));
    if (p->how.rows > 0)
        rk_str_format(s, " in blocks of %s × %s", rk_num_text(text, p->how.rows), rk_num_text(more, p->how.columns));
}

static void put_quantised(rk_str *s, const rk_packing *p)
{
    put_method(s, p);
    rk_str_put(s, ", the rest ");
    put_lower(s, p->dtype ? p->dtype : "in 16 bits, as the config does not say its type");
    rk_str_put(s, ": ");
    rk_str_bytes(s, p->bytes);
    if (p->parameters > 0) {
        rk_str_put(s, ", ");
        rk_str_bits(s, p->bytes, p->parameters);
        rk_str_put(s, " bits a weight");
    }
}

const rk_packing *rk_view_packing(rk_view *v)
{
    static const rk_packing none = {.sized = false};
    rk_packing *p = v->packing || v->code != RK_OK ? NULL : RK_NEW(&v->arena, rk_packing);

    if (p) {
        v->code = rk_packing_of(v->ledger, p, v->err);
        v->packing = p;
    }
    return v->packing && v->code == RK_OK ? v->packing : &none;
}

void rk_view_put_packing(rk_view *v)
{
    const rk_packing *p = rk_view_packing(v);
    rk_str s = {0};

    if (p->parameters == 0 || (!p->sized && !p->method))
        return;
    if (p->unknown) {
        rk_str_format(&s, "Quantised by '%s': stored size not known, as %s", p->method, p->unknown);
    } else if (p->method) {
        rk_str_put(&s, "Quantised by ");
        put_quantised(&s, p);
    } else {
        rk_str_put(&s, "Stored as ");
        put_lower(&s, p->dtype);
        rk_str_put(&s, ": ");
        rk_str_bytes(&s, p->bytes);
    }
    rk_str_putc(&s, '.');
    if (p->sized && p->note)
        rk_str_format(&s, " %s", p->note);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", rk_str_text(&s));
    v->page.failed |= s.failed;
    rk_str_free(&s);
}

void rk_view_packing_keys(rk_view *v, rk_cell *cell)
{
    const rk_packing *p = rk_view_packing(v);
    rk_str each = {0};

    cell[RK_PACKING_METHOD] = rk_cell_name(p->method);
    if (!p->sized)
        return;
    cell[RK_PACKING_BYTES] = rk_cell_count(p->bytes);
    cell[RK_PACKING_NOTE] = rk_cell_name(p->note);
    if (p->parameters == 0)
        return;
    rk_str_bits(&each, p->bytes, p->parameters);
    cell[RK_PACKING_BITS] = rk_cell_digits(rk_view_keep(v, &each));
}

static const rk_field checkpoint_field[] = {
    RK_KEY("dtype", TEXT, "of what is not quantised"),
    RK_FIELDS_OF_PACKING(1),
};
const rk_fields rk_checkpoint_fields = {checkpoint_field, 1 + RK_N_PACKING};

void rk_view_checkpoint(rk_view *v, rk_cell *in)
{
    const rk_packing *p = rk_view_packing(v);
    rk_cell *cell;

    if (!p->dtype && !p->method)
        return;
    cell = rk_cell_object(&v->page, in, &rk_checkpoint_fields);
    cell[0] = rk_cell_name(p->dtype);
    rk_view_packing_keys(v, cell + 1);
}

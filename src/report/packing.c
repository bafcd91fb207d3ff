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
    if (!p->sized) {
        rk_str_put(s, ": stored size not known, as the config does not say the type of the rest");
        return;
    }
    rk_str_put(s, ", the rest ");
    put_lower(s, p->dtype);
    rk_str_put(s, ": ");
    rk_str_bytes(s, p->bytes);
    if (p->parameters > 0) {
        rk_str_put(s, ", ");
        rk_str_bits(s, p->bytes, p->parameters);
        rk_str_put(s, " bits a weight");
    }
}

static void load(rk_view *v, rk_packing *p)
{
    *p = (rk_packing){.sized = false};
    if (v->code == RK_OK)
        v->code = rk_packing_of(v->ledger, p, v->err);
}

void rk_view_put_packing(rk_view *v)
{
    rk_packing p;
    rk_str s = {0};

    load(v, &p);
    if (v->code != RK_OK || p.parameters == 0 || (!p.sized && !p.method))
        return;
    if (p.unknown) {
        rk_str_format(&s, "Quantised by '%s': stored size not known, as %s", p.method, p.unknown);
    } else if (p.method) {
        rk_str_put(&s, "Quantised by ");
        put_quantised(&s, &p);
    } else {
        rk_str_put(&s, "Stored as ");
        put_lower(&s, p.dtype);
        rk_str_put(&s, ": ");
        rk_str_bytes(&s, p.bytes);
    }
    rk_str_putc(&s, '.');
    if (p.sized && p.note)
        rk_str_format(&s, " %s", p.note);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s", rk_str_text(&s));
    v->page.failed |= s.failed;
    rk_str_free(&s);
}

static void write_packing(rk_view *v, const rk_packing *p)
{
    rk_str each = {0};

    if (p->method)
        rk_json_text(&v->json, "quantised_by", p->method);
    if (!p->sized)
        return;
    rk_json_count(&v->json, "bytes", p->bytes);
    if (p->parameters > 0) {
        rk_str_bits(&each, p->bytes, p->parameters);
        rk_json_number(&v->json, "bits_per_weight", rk_str_text(&each));
    }
    if (p->note)
        rk_json_text(&v->json, "bytes_note", p->note);
    v->json.out->failed |= each.failed;
    rk_str_free(&each);
}

void rk_view_json_packing(rk_view *v)
{
    rk_packing p;

    load(v, &p);
    if (v->code == RK_OK)
        write_packing(v, &p);
}

void rk_view_json_checkpoint(rk_view *v)
{
    rk_packing p;

    load(v, &p);
    if (v->code != RK_OK || (!p.dtype && !p.method))
        return;
    rk_json_row(&v->json, "checkpoint");
    if (p.dtype)
        rk_json_text(&v->json, "dtype", p.dtype);
    write_packing(v, &p);
    rk_json_close(&v->json);
}

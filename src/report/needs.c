/* SPDX-License-Identifier: MIT */
/* What it takes to load, serve and fine-tune a model, and which of the usual devices has it. */
#include "report/view.h"

#include "account/packing.h"
#include "report/figure.h"

#include <ctype.h>

#define NEAR 32 /* bytes that differ by less than this part of them are as good as the same */
#define GB ((rk_i128)1000000000)

#define NEEDS_FIELDS(X)                                                                                                \
    X(WHAT,                                                                                                            \
      RK_COLUMN("memory", "what", TEXT, "load, serve (a decoding step), forward, or fine-tune (a training step)"))     \
    X(AS, RK_KEY("as", TEXT, "the type of the weights, or the recipe of training"))                                    \
    X(BATCH, RK_KEY("batch", COUNT, "sequences; null: the weights alone"))                                             \
    X(TOKENS, RK_KEY("tokens", COUNT, "of each; null: the weights alone, or any number"))                              \
    X(BYTES, RK_COLUMN("bytes", "bytes", COUNT, "as 'reckon memory' counts them", .right = true, .drop = 2))           \
    X(SCALED, {.head = "", .right = true})                                                                             \
    X(BINARY, {.head = "", .right = true, .drop = 1})                                                                  \
    X(DEVICE, RK_COLUMN("smallest device", "device", TEXT, "the smallest usual one with room for it; null: none"))     \
    X(DEVICES, RK_KEY("devices", COUNT, "so many of it"))
RK_FIELD_TABLE(needs_field, N_NEEDS, NEEDS_FIELDS);
const rk_fields rk_needs_fields = {needs_field, N_NEEDS};

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* "h100 (80 GB)", "2 × h100 (80 GB)", "not on 8 × h100" */
static const char *device_of(rk_view *v, const rk_needs *n, const rk_need *x)
{
    const rk_usual *u = x->on ? x->on : n->n_usual > 0 ? &n->usual[n->n_usual - 1] : NULL;
    rk_str s = {0};

    if (u && !x->on)
        rk_str_put(&s, "not on ");
    if (u && u->n > 1)
        rk_str_format(&s, "%s × ", rk_view_grouped(v, u->n));
    rk_str_put(&s, u ? u->word : "");
    if (x->on)
        rk_str_format(&s, " (%s GB)", rk_view_grouped(v, u->device->memory / GB)); /* as the box says */
    return rk_view_keep(v, &s);
}

/* "serve 1 × 8,192 tokens" */
static const char *what_of(rk_view *v, const rk_need *x, bool at_context)
{
    rk_str s = {0};

    rk_str_put(&s, rk_need_word[x->kind]);
    if (x->batch > 0 && x->tokens > 0)
        rk_str_format(&s, " %s × %s", rk_view_grouped(v, x->batch), rk_view_grouped(v, x->tokens));
    else if (x->batch > 0)
        rk_str_format(&s, " %s = %s", RK_NAME_BATCH, rk_view_grouped(v, x->batch));
    if (x->as)
        rk_str_format(&s, ", %s", x->as);
    else if (x->tokens > 0)
        rk_str_put(&s, at_context ? ", context" : " tokens");
    return rk_view_keep(v, &s);
}

static void put_row(rk_view *v, rk_table *t, const rk_needs *n, const rk_need *x, const char *as)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
    bool at_context = x->kind == RK_NEED_SERVE && x->tokens == n->context;
    rk_str binary = {0};

    rk_str_binary(&binary, x->bytes, "B");
    cell[WHAT] = rk_cell_both(&v->page, rk_cell_name(rk_need_word[x->kind]), rk_view_text(what_of(v, x, at_context)));
    cell[AS] = rk_cell_known(as);
    cell[BATCH] = rk_cell_count_if(x->batch > 0, x->batch);
    cell[TOKENS] = rk_cell_count_if(x->tokens > 0, x->tokens);
    cell[BYTES] = rk_cell_count(x->bytes);
    cell[SCALED] = rk_view_text(rk_view_scaled(v, x->bytes, "B"));
    cell[BINARY] = rk_view_text(rk_view_keep(v, &binary));
    cell[DEVICE] =
        rk_cell_both(&v->page, rk_cell_known(x->on ? x->on->device->key : NULL), rk_view_text(device_of(v, n, x)));
    cell[DEVICES] = rk_cell_count_if(x->on != NULL, x->on ? x->on->n : 0);
}

static void put_load(rk_view *v, rk_table *t, const rk_needs *n, const char *said, const char *as, rk_i128 bytes)
{
    rk_need x = rk_needs_load(n, said, bytes);

    put_row(v, t, n, &x, as);
}

/* Whether one of the two says it for both: 8 bits are 8.03 with scales. */
static bool is_near(rk_i128 bytes, rk_i128 stored)
{
    return (bytes > stored ? bytes - stored : stored - bytes) < stored / NEAR;
}

/* As it is stored, where the config or a file says so, and in numbers of fewer bits. */
static void put_loads(rk_view *v, rk_table *t, const rk_needs *n, const rk_store_words *store)
{
    static const struct {
        int bits;
        const char *said, *as;
    } number[] = {{32, "in 32 bits", "32 bits"},
                  {16, "in 16 bits", "16 bits"},
                  {8, "in 8 bits", "8 bits"},
                  {4, "in 4 bits", "4 bits"}};
    const rk_packing *p = rk_view_packing(v);
    rk_i128 stored = store->line ? store->bytes : p->sized ? p->bytes : 0;
    rk_str as = {0};

    for (const char *c = store->line ? "file" : p->method ? p->method : p->dtype ? p->dtype : ""; *c; c++)
        rk_str_putc(&as, store->line || p->method ? *c : (char)tolower((unsigned char)*c));
    if (stored > 0) {
        const char *word = rk_view_keep(v, &as);

        put_load(v, t, n, rk_view_format(v, store->line ? "as the %s stores it" : "stored as %s", word), word, stored);
    }
    for (size_t i = stored > 0; i < sizeof number / sizeof *number; i++) {
        rk_i128 bytes = rk_view_load_bytes(v, number[i].bits);

        if (bytes > 0 && !is_near(bytes, stored))
            put_load(v, t, n, number[i].said, number[i].as, bytes);
    }
    if (stored == 0)
        rk_str_free(&as);
}

rk_table *rk_view_needs(rk_view *v, rk_cell *in, const rk_needs *n, const rk_store_words *store)
{
    rk_table *t = rk_cell_list(&v->page, in, &rk_needs_fields);
    rk_i128 known;

    if (!rk_view_known(v, v->ledger->stored, &known))
        return t;
    put_loads(v, t, n, store);
    for (size_t i = 0; i < n->n; i++)
        put_row(v, t, n, &n->at[i], n->at[i].as);
    return t;
}

/* ---- page ------------------------------------------------------------------------------------------------------- */

static void put_cache(rk_view *v, const rk_needs *n)
{
    const char *all = rk_view_scaled(v, n->per_sequence, "B");

    if (!n->caches)
        return;
    if (n->per_token > 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Cache: %s bytes for one more token, %s for a sequence of %s.",
                    rk_view_grouped(v, n->per_token), all, rk_view_grouped(v, n->cached));
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Cache: %s for a sequence, and no more for a longer one.", all);
}

void rk_view_put_needs(rk_view *v, rk_table *t, const rk_needs *n)
{
    rk_i128 known;

    if (!rk_view_known(v, v->ledger->stored, &known))
        return;
    rk_page_gap(&v->page);
    rk_page_show(&v->page, t);
    put_cache(v, n);
}

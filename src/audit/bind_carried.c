/* SPDX-License-Identifier: MIT */
/*
 * Mistakes that a text goes on with: "14,073,241,600" for 14,050,918,400, three times that below it, 48 layers of it,
 * and the total.  Each of these is right as a computation.  With the wrong figure put right it would be a quantity of
 * the model to the last digit, and then it is known what was meant, and that it is wrong.
 */
#include "audit/bind_books.h"

typedef struct mistake {
    rk_i128 stated, right;
    const rk_side *side;
} mistake;

enum {
    MISTAKES_MAX = 16, /* the last ones are remembered */
    TIMES_MAX = 4096,
    DIGITS_LEAST = 100000 /* a number of so many digits is hit by no chance */
};

typedef struct mistakes {
    mistake at[MISTAKES_MAX];
    size_t n; /* all of them; the last MISTAKES_MAX are kept */
} mistakes;

static void add(mistakes *m, rk_i128 stated, rk_i128 right, const rk_side *side)
{
    if (stated != right && stated >= DIGITS_LEAST && right >= DIGITS_LEAST)
        m->at[m->n++ % MISTAKES_MAX] = (mistake){stated, right, side};
}

/* The simple quantity of a figure's kind that is just so much; NULL: there is none. */
static const rk_index_entry *entry_of(const rk_figure *f, rk_i128 value)
{
    const rk_index_entry *end, *found = NULL;

    for (const rk_index_entry *e = rk_index_from(f->at->index, value, SIZE_MAX, &end); e < end && e->value == value;
         e++)
        if ((f->query.kinds >> e->kind & 1) && !e->convention && e->cost <= f->weight[RK_WEIGH_PLAIN] &&
            (!found || e->cost < found->cost))
            found = e;
    return found;
}

/* What a figure is with a mistake put right that is in it once, or so many times; NULL: nothing that the model has. */
static const rk_index_entry *put_right(const rk_binder *b, const rk_figure *f, rk_i128 value, const mistake *m)
{
    const rk_symbol *layers = rk_bind_layers(b, f->at->instance->model);
    rk_i128 l = layers && layers->known ? layers->value : 1;
    const rk_i128 times[] = {1, 2, 3, 4, l, 2 * l, 3 * l};
    const rk_index_entry *e = NULL;

    if (value % m->stated == 0 && value / m->stated <= TIMES_MAX)
        e = entry_of(f, value / m->stated * m->right);
    for (size_t i = 0; i < sizeof times / sizeof *times && !e; i++)
        if (value > times[i] * m->stated && times[i] < TIMES_MAX)
            e = entry_of(f, value + times[i] * (m->right - m->stated));
    return e;
}

/* Per token: the wrong claim whose figure begins there, from 1 on; 0: there is none. */
static uint32_t *find_wrong(rk_binder *b)
{
    uint32_t *at = RK_NEW_ARRAY(&b->arena, b->a->lexed.token.n + 1, uint32_t);

    for (size_t i = 0; at && i < b->a->claim.n; i++)
        if (b->a->claim.at[i].status == RK_CLAIM_WRONG && b->a->claim.at[i].side)
            at[b->a->claim.at[i].side->from] = (uint32_t)i + 1;
    return at;
}

/* A figure of six digits and more, with all of them. */
static bool is_long(const rk_binder *b, const rk_figure *f, rk_i128 *value)
{
    const double most = 1e30; /* products with the times above fit into 128 bits */

    return !f->formula && f->slack <= 0 && f->size <= most && rk_ex_is_int(b->a->pool, f->value, value) &&
           *value >= DIGITS_LEAST;
}

/* "Attention flops: 3,221,225,472": as it is, what its label may mean, whatever else it may go on with. */
static bool is_meant_loosely(rk_binder *b, const rk_figure *f)
{
    rk_book_label label = rk_book_label_read(b->a->lexicon, f->own);

    return label.attention && rk_bind_component_holds(b, f);
}

/* Figures that go on with a mistake, or, the second time, a total that stands before the row that is wrong. */
void rk_bind_carried(rk_binder *b)
{
    const uint32_t *wrong = find_wrong(b);
    mistakes all = {.n = 0};

    for (size_t turn = 0; wrong && turn < 2; turn++)
        for (size_t i = 0; i < b->figure.n; i++) {
            rk_figure *f = &b->figure.at[i];
            uint32_t claim = wrong[f->side->from];
            rk_i128 value, right;

            if (!is_long(b, f, &value))
                continue;
            if (turn == 0 && f->bound.entry && f->bound.status == RK_CLAIM_WRONG)
                add(&all, value, f->bound.value, f->side);
            else if (turn == 0 && claim && rk_ex_is_int(b->a->pool, b->a->claim.at[claim - 1].found_value, &right))
                add(&all, value, right, f->side);
            for (size_t k = 0; k < MISTAKES_MAX && k < all.n && !f->bound.entry && !claim; k++) {
                const mistake *m = &all.at[(all.n - 1 - k) % MISTAKES_MAX];
                const rk_index_entry *e = put_right(b, f, value, m);

                if (!e || is_meant_loosely(b, f))
                    continue;
                f->bound = (rk_bound){.status = RK_CLAIM_WRONG,
                                      .entry = e,
                                      .value = e->value,
                                      .why = rk_bind_from_line(b, "it goes on with the wrong figure", m->side),
                                      .source = m->side};
                add(&all, value, e->value, f->side);
            }
        }
}

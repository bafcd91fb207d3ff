/* SPDX-License-Identifier: MIT */
#include "ask/convention_why.h"

#include <string.h>

#define PADDING 128 /* for each device that shares a layer */

/* The number of an expression; 0 where it has none or does not fit. */
static rk_i128 number(const rk_facts *f, rk_ex e)
{
    rk_i128 n = 0;

    return rk_ex_eval(f->instance->pool, e, &f->instance->at, &n, NULL) == RK_OK ? n : 0;
}

static rk_i128 model_number(const rk_facts *f, rk_model_fact which)
{
    return f->lacks[which] ? 0 : number(f, f->of_model[which]);
}

static rk_i128 class_number(const rk_facts *f, rk_row_class c, rk_class_fact which)
{
    return number(f, f->of_class[c][which]);
}

/* a/b = c/d, none of them zero. */
static bool same_ratio(rk_i128 a, rk_i128 b, rk_i128 c, rk_i128 d)
{
    rk_acc acc = {0};

    return a > 0 && b > 0 && c > 0 && d > 0 && rk_mul(&acc, a, d) == rk_mul(&acc, c, b) && !acc.overflow;
}

/* ---- one line --------------------------------------------------------------------------------------------------- */

/* All experts where the reference takes those that a token visits. */
static const char *why_experts(rk_arena *a, const rk_facts *f, const rk_convention_line *l)
{
    rk_i128 all = model_number(f, RK_MODEL_FACT_EXPERTS), chosen = model_number(f, RK_MODEL_FACT_CHOSEN);
    rk_i128 params = class_number(f, l->class, RK_CLASS_FACT_PARAMS);
    rk_i128 active = class_number(f, l->class, RK_CLASS_FACT_ACTIVE);
    char of[RK_NUM_TEXT_MAX], some[RK_NUM_TEXT_MAX];

    if (all != chosen && same_ratio(l->n_counted, l->n_reference, all, chosen))
        return rk_arena_format(a, "all %s instead of the %s chosen", rk_num_grouped(of, all),
                               rk_num_grouped(some, chosen));
    if (chosen > 1 && same_ratio(l->n_counted, l->n_reference, 1, chosen))
        return rk_arena_format(a, "one instead of the %s chosen", rk_num_grouped(some, chosen));
    if (params != active && same_ratio(l->n_counted, l->n_reference, params, active))
        return "all instead of those chosen";
    return NULL;
}

/* A vocabulary rounded up: more rows, the same width. */
static const char *why_padded(rk_arena *a, const rk_facts *f, const rk_convention_line *l)
{
    rk_i128 vocab = model_number(f, RK_MODEL_FACT_VOCAB);
    rk_i128 padding = PADDING * model_number(f, RK_MODEL_FACT_TENSOR); /* of which the rows are a multiple */
    rk_acc acc = {0};
    rk_i128 rows = vocab > 0 && l->n_reference > 0 ? rk_mul(&acc, l->n_counted, vocab) / l->n_reference : 0;
    char text[RK_NUM_TEXT_MAX];

    if (acc.overflow || rows <= vocab || (rows - vocab > vocab / 2 && rows - vocab >= padding) ||
        !same_ratio(l->n_counted, l->n_reference, rows, vocab))
        return NULL;
    return rk_arena_format(a, "of a vocabulary padded to %s", rk_num_grouped(text, rows));
}

bool rk_why_all_masked(const rk_facts *f, rk_row_class c)
{
    return same_ratio(class_number(f, c, RK_CLASS_FACT_HALVED), class_number(f, c, RK_CLASS_FACT_FLOPS), 1, 2);
}

static const char *why_pairs(const rk_facts *f, const rk_convention_line *l)
{
    static const struct {
        rk_class_fact fact;
        const char *text;
    } known[] = {{RK_CLASS_FACT_EXACT, "of the pairs that the mask allows"},
                 {RK_CLASS_FACT_WINDOWED, "of a whole window for each query"},
                 {RK_CLASS_FACT_FLOPS, "of the full square, in windows too"},
                 {RK_CLASS_FACT_HALVED, "halved where there is a mask"}};
    rk_i128 reference = class_number(f, l->class, RK_CLASS_FACT_COUNTED);

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (same_ratio(l->n_counted, l->n_reference, class_number(f, l->class, known[i].fact), reference) &&
            (known[i].fact != RK_CLASS_FACT_HALVED || !rk_why_all_masked(f, l->class)))
            return known[i].text;
    return NULL;
}

/* "halved", "×7/6", "×1.023". */
static const char *why_ratio(rk_arena *a, const rk_convention_line *l)
{
    rk_i128 by = rk_gcd(l->n_counted, l->n_reference), up = l->n_counted / by, down = l->n_reference / by;
    rk_acc acc = {0};
    rk_i128 thousandths = rk_add(&acc, rk_mul(&acc, l->n_counted, 1000), l->n_reference / 2) / l->n_reference;
    char text[RK_NUM_TEXT_MAX];

    if (up == 1 && down == 2)
        return "halved";
    if (up == 2 && down == 1)
        return "doubled";
    if (down == 1)
        return rk_arena_format(a, "×%s", rk_num_grouped(text, up));
    if (up < 100 && down <= 16)
        return rk_arena_format(a, "×%d/%d", (int)up, (int)down);
    if (acc.overflow || thousandths > 1000000000)
        return "far more";
    if (thousandths == 1000)
        return up > down ? "a little more" : "a little less";
    return rk_arena_format(a, "×%lld.%03d", (long long)(thousandths / 1000), (int)(thousandths % 1000));
}

const char *rk_why_line(rk_arena *a, const rk_facts *f, const rk_named_convention *c, const rk_convention_line *l,
                        bool of_parameters)
{
    const char *why = NULL;

    if (l->n_counted == l->n_reference)
        return "";
    if (l->n_counted <= 0 || l->n_reference <= 0)
        return l->n_counted == 0 ? "not counted" : of_parameters ? "counted as products" : "counted too";
    if (c->mac && same_ratio(l->n_counted, l->n_reference, 1, 2))
        return "one for a multiply and its add";
    if (l->class == RK_ROWS_EXPERTS)
        why = why_experts(a, f, l);
    else if (l->class == RK_ROWS_HEAD)
        why = why_padded(a, f, l);
    else if (l->class == RK_ROWS_SCORES)
        why = why_pairs(f, l);
    return why ? why : why_ratio(a, l);
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

#define PHRASES_MAX 3

/* The largest difference whose phrase is not in the list yet. */
static const rk_convention_line *largest(const rk_named_convention *c, const char *const *said, size_t n_said)
{
    const rk_convention_line *best = NULL;
    rk_i128 most = -1;

    for (size_t i = 0; i < c->n_line; i++) {
        const rk_convention_line *l = &c->line[i];
        rk_i128 size = l->n_difference < 0 ? -l->n_difference : l->n_difference;
        bool known = l->why[0] == '\0';

        for (size_t k = 0; k < n_said; k++)
            known |= strcmp(said[k], l->why) == 0;
        if (!known && size > most) {
            best = l;
            most = size;
        }
    }
    return best;
}

const char *rk_why_whole(rk_arena *a, const rk_named_convention *c)
{
    const char *said[PHRASES_MAX];
    const rk_convention_line *l;
    size_t n = 0;
    rk_str s = {0};
    const char *text;

    while (n < PHRASES_MAX && (l = largest(c, said, n))) {
        const char *before = n > 0 ? "; " : "";

        /* All that the same is said of: "norms, biases: counted as products". */
        for (size_t i = 0; i < c->n_line; i++)
            if (strcmp(c->line[i].why, l->why) == 0) {
                rk_str_format(&s, "%s%s", before, rk_row_class_table[c->line[i].class].noun);
                before = ", ";
            }
        rk_str_format(&s, ": %s", l->why);
        said[n++] = l->why;
    }
    if (n == PHRASES_MAX && largest(c, said, n))
        rk_str_put(&s, "; …");
    text = s.failed ? NULL : rk_arena_text(a, rk_str_text(&s));
    rk_str_free(&s);
    return text;
}

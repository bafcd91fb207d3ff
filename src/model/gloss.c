/* SPDX-License-Identifier: MIT */
#include "model/gloss.h"

#include <string.h>

typedef struct gloss_row {
    const char *word, *text;
} gloss_row;

/* What is not the result of its operation, by the words of pass/place_*.c and pass/chunk.c; %a: what it is made of. */
static const gloss_row beside[] = {
    {"copy", "copy of %a"},
    {"mean", "mean of each row"},
    {"rstd", "1 / standard deviation of each row"},
    {"logsumexp", "log of the softmax's sum, of each row"},
    {"statistics", "one number of each row"},
    {"probs", "softmax of the logits"},
    {"rng state", "seed and offset of its random numbers"},
    {"rng offset", "of its random numbers"},
    {"labels", "the token wanted at each place"},
    {"total weight", "how many tokens the mean is of"},
    {"mask", "which elements count, a byte each"},
    {"index", "which element was taken"},
    {"indices", "which elements were taken"},
    {"routing", "token and expert of each visit"},
    {"cos", "cosines of the rotary positions"},
    {"sin", "sines of the rotary positions"},
    {"cis", "rotations, as complex numbers"},
    {"one step", "of the recurrence"},
    {"last step", "of the recurrence, which none reads"},
    {"initial state", "zeros before the first step"},
    {"gradient of its input", "added up chunk by chunk"},
    {"gradient of its weight", "added up chunk by chunk"},
    {"loss of each token", "before their mean"},
    {"of a chunk", "logits of some tokens"},
    {"gradient", "of the loss with respect to it"},
    {"in its step", "what the update takes and gives back"},
};

/* How the result of an operation is put: %a and %b are its operands, %n is its name. */
static const char *const of_class[] = {
    [RK_CLASS_PRODUCT] = "product of %a and %b",
    [RK_CLASS_ADD] = "sum of %a and %b",
    [RK_CLASS_ELEMENT] = "%n of %a",
    [RK_CLASS_ACTIVATION] = "%n of %a",
    [RK_CLASS_NORM] = "%n of %a",
    [RK_CLASS_SOFTMAX] = "softmax of %a",
    [RK_CLASS_ATTENTION] = "attention of %a to %b",
    [RK_CLASS_REDUCTION] = "%n of %a",
    [RK_CLASS_LOOKUP] = "rows of %b for %a",
    [RK_CLASS_POSITION] = "positions",
    [RK_CLASS_ROTARY] = "%a, rotated by position",
    [RK_CLASS_ROTARY_TABLE] = "cosines and sines of positions",
    [RK_CLASS_CHOICE] = "the largest of %a",
    [RK_CLASS_DISPATCH] = "%a, for each expert visited",
    [RK_CLASS_COMBINE] = "sum of %a over experts",
    [RK_CLASS_MASK] = "%a, masked",
    [RK_CLASS_CONSTANT] = "a constant",
    [RK_CLASS_CAST] = "cast of %a",
    [RK_CLASS_MOVEMENT] = "copy of %a",
    [RK_CLASS_LOSS] = "%n of %a",
    [RK_CLASS_COLLECTIVE] = "%n of %a",
};

/* Of those that are not as others of their class. */
static const struct {
    rk_op_id row;
    const char *text;
} of_row[] = {
    {RK_OP_SUB, "%a minus %b"},
    {RK_OP_MUL, "%a times %b"},
    {RK_OP_DIV, "%a divided by %b"},
    {RK_OP_WEIGH, "%a times %b"},
    {RK_OP_JOIN, "%a and %b end to end"},
    {RK_OP_PART, "part of %a"},
    {RK_OP_ADD_HERE, "sum of %a and %b"},
    {RK_OP_NEG, "minus %a"},
    {RK_OP_ORDER, "order of the visits"},
    {RK_OP_ENDS, "where the rows of each expert end"},
    {RK_OP_GATHER, "%b, in the order of %a"},
    {RK_OP_HIDE_BY, "%b, masked"},
    {RK_OP_HIDE_HERE, "%b, masked"},
    {RK_OP_COVER, "mask, a byte each"},
    {RK_OP_NOBODY, "mask, a byte each"},
    {RK_OP_HANDED, "mask that all layers share"},
    {RK_OP_SOLVE, "solution of the triangular system"},
    {RK_OP_INVERSE, "inverse of the triangle"},
    {RK_OP_INVERSE_ROWS, "inverse of the triangle"},
    {RK_OP_PLACE, "%a put into %b"},
    {RK_OP_STACK, "%a put into %b"},
    {RK_OP_PICK, "mean loss"},
    {RK_OP_PICK_NEXT, "mean loss"},
};

static const char *text_of_row(const rk_op *op)
{
    for (size_t i = 0; i < sizeof of_row / sizeof *of_row; i++)
        if (of_row[i].row == op->row)
            return of_row[i].text;
    return of_class[rk_op_table[op->row].class];
}

/* "c_attn" of h.{i}.attn.c_attn.weight: its own name, without what every weight is called. */
static void put_weight(const rk_weight *w, rk_str *out)
{
    static const char *const plain[] = {".weight", ".bias", ".default"}; /* the last is peft's, of the only adapter */
    const char *name = w->pattern, *end = name + strlen(name);

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        size_t n = strlen(plain[i]);

        if ((size_t)(end - name) > n && memcmp(end - n, plain[i], n) == 0)
            end -= n;
    }
    for (const char *at = name; at < end; at++)
        if (*at == '.')
            name = at + 1;
    rk_str_putn(out, name, (size_t)(end - name));
}

/*
 * A tensor by the name that people know: that of its variable, through casts and copies of the same numbers; of what
 * stands within the same equation, that of its row.
 */
static void put_tensor(const rk_program *p, uint32_t tensor, const char *equation, rk_str *out)
{
    const rk_tensor *t = &p->tensor[tensor];
    const rk_op *by;
    bool within;

    while (t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE && strchr(p->op[t->producer].name, '.')) {
        const rk_op *op = &p->op[t->producer];
        rk_op_class class = rk_op_table[op->row].class;

        if ((class != RK_CLASS_CAST && class != RK_CLASS_MOVEMENT) || op->n_in != 1 || op->row == RK_OP_PART)
            break;
        t = &p->tensor[op->in[0].tensor];
    }
    by = t->kind == RK_TENSOR_RESULT && t->producer != RK_NONE ? &p->op[t->producer] : NULL;
    within = by && by->row != RK_OP_PART && (!t->name || (equation && strcmp(t->name, equation) == 0));
    if (t->kind == RK_TENSOR_WEIGHT)
        put_weight(&p->weight[t->weight], out);
    else
        rk_str_put(out, within ? by->name : t->name ? t->name : "what was given");
}

static void put_result(const rk_program *p, const rk_op *op, rk_str *out)
{
    bool weight = op->n_in > 1 && p->tensor[op->in[1].tensor].kind == RK_TENSOR_WEIGHT;
    const char *text = text_of_row(op);

    if (op->row == RK_OP_SCALE || op->row == RK_OP_SHIFT) {
        rk_str_format(out, op->row == RK_OP_SCALE ? "%g times " : "%g plus ", op->real);
        text = "%a";
    } else if (weight && op->row == RK_OP_PRODUCT) {
        text = "%a times matrix %b";
    } else if (weight && op->row == RK_OP_ADD) {
        text = "%a with its bias";
    }
    for (const char *at = text; *at; at++) {
        size_t k = at[0] == '%' && at[1] == 'b';

        if (*at != '%')
            rk_str_putc(out, *at);
        else if (*++at == 'n')
            rk_str_put(out, rk_op_table[op->row].name);
        else if (k < op->n_in)
            put_tensor(p, op->in[k].tensor, p->tensor[op->out].name, out);
    }
}

/* ", B×S×(C+R)": sizes, since labels may be those of a block, which its callers never see. */
static void put_sizes(const rk_pool *pool, const rk_ixs *axes, rk_str *out)
{
    for (size_t i = 0; i < axes->n; i++) {
        rk_str one = {0};
        bool sum;

        rk_ex_print(pool, axes->at[i].size, RK_PRINT_TEXT, &one);
        sum = strchr(rk_str_text(&one), ' ') != NULL;
        rk_str_put(out, i > 0 ? "×" : ", ");
        rk_str_put(out, sum ? "(" : "");
        for (const char *at = rk_str_text(&one); *at; at++)
            rk_str_putn(out, at, *at != ' ');
        rk_str_put(out, sum ? ")" : "");
        out->failed |= one.failed;
        rk_str_free(&one);
    }
}

/* Nothing where the word has no gloss, and says enough. */
static void put_beside(const rk_program *p, const char *what, uint32_t tensor, rk_str *out)
{
    const char *text = "", *name;

    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (strcmp(beside[i].word, what) == 0)
            text = beside[i].text;
    name = strchr(text, '%');
    rk_str_putn(out, text, name ? (size_t)(name - text) : strlen(text));
    if (name && tensor != RK_NONE)
        put_tensor(p, tensor, NULL, out);
}

const char *rk_gloss(rk_arena *a, const rk_pool *pool, const rk_program *p, uint32_t op, uint32_t tensor,
                     const char *what)
{
    rk_str s = {0};
    const char *text;

    if (what) {
        put_beside(p, what, tensor, &s);
    } else if (op == RK_NONE) {
        rk_str_put(&s, "input");
    } else {
        put_result(p, &p->op[op], &s);
        tensor = p->op[op].out;
    }
    if (tensor != RK_NONE && !what)
        put_sizes(pool, &p->tensor[tensor].axes, &s);
    text = s.failed ? NULL : rk_arena_text(a, rk_str_text(&s));
    rk_str_free(&s);
    return text;
}

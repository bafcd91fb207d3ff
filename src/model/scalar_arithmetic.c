/* SPDX-License-Identifier: MIT */
#include "model/scalar.h"

#include <math.h>
#include <string.h>

/* ---- arithmetic ---------------------------------------------------------------------------------------------- */

static int real_arithmetic(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out)
{
    double x = 0, y = 0;
    char op = n->text[0];

    if (!rk_scalar_as_real(a, &x) || !rk_scalar_as_real(b, &y))
        return RK_MISTAKE(c, n->span, "this needs numbers, and a symbol in it has no value yet");
    rk_scalar_fix(c, a);
    rk_scalar_fix(c, b);
    if (op == '/' && y == 0)
        return RK_MISTAKE(c, n->op_span, "division by zero");
    double r = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y;

    *out = rk_scalar_real(n->text[0] == '/' && n->text[1] == '/' ? floor(r) : op == '%' ? x - floor(x / y) * y : r);
    out->key = a->kind == RK_SCALAR_REAL ? a->key : b->key; /* whoever needs a whole number can say what is none */
    return RK_OK;
}

/* What a person can find again: the key, the symbol; of anything else its number stands in the message already. */
/* By its key, by its name, or as the number that it is. */
static const char *operand_name(const rk_node *n, const rk_scalar *s, const char *value)
{
    return s->key ? s->key : n->kind == RK_NODE_NAME ? n->text : value;
}

static int not_exact(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b)
{
    char x[RK_NUM_TEXT_MAX], y[RK_NUM_TEXT_MAX];

    rk_num_text(x, a->value);
    rk_num_text(y, b->value);
    if (a->key || b->key)
        return RK_MISTAKE(c, n->op_span, "%s must be a multiple of %s, but %s / %s is not exact (// rounds down)",
                          operand_name(n->child.at[0], a, x), operand_name(n->child.at[1], b, y), x, y);
    return RK_MISTAKE(c, n->op_span, "this division is not exact: %s / %s (write // to round down)", x, y);
}

/* The value of a op b, when both have one. Division says what does not divide. */
static int int_value(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out)
{
    rk_acc acc = {0};
    char op = n->text[0];
    bool whole = n->text[0] == '/' && n->text[1] == '/';

    if ((op == '/' || op == '%') && b->known && b->value == 0)
        return rk_scalar_by_zero(c, n->op_span, b);
    out->known = a->known && b->known;
    if (!out->known)
        return RK_OK;
    /* Everything divides by -1, and the least number of all may not be asked. */
    if (op == '/' && !whole && b->value != -1 && a->value % b->value != 0)
        return not_exact(c, n, a, b);
    out->value = op == '+'   ? rk_add(&acc, a->value, b->value)
                 : op == '-' ? rk_sub(&acc, a->value, b->value)
                 : op == '*' ? rk_mul(&acc, a->value, b->value)
                 : op == '/' ? rk_floor_div(&acc, a->value, b->value)
                             : a->value - rk_mul(&acc, rk_floor_div(&acc, a->value, b->value), b->value);
    return acc.overflow ? RK_MISTAKE(c, n->op_span, "this number needs more than 128 bits") : RK_OK;
}

static rk_ex int_ex(rk_ctx *c, const char *op, rk_ex a, rk_ex b)
{
    if (op[0] == '+')
        return rk_ex_add(c->pool, a, b);
    if (op[0] == '-')
        return rk_ex_sub(c->pool, a, b);
    if (op[0] == '*')
        return rk_ex_mul(c->pool, a, b);
    if (op[0] == '%')
        return rk_ex_mod(c->pool, a, b);
    return op[1] == '/' ? rk_ex_floor_div(c->pool, a, b) : rk_ex_div(c->pool, a, b);
}

int rk_scalar_arithmetic(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out)
{
    if (!rk_scalar_is_number(a))
        return rk_scalar_need_number(c, a, n->child.at[0]->span);
    if (!rk_scalar_is_number(b))
        return rk_scalar_need_number(c, b, n->child.at[1]->span);
    if (a->kind == RK_SCALAR_REAL || b->kind == RK_SCALAR_REAL)
        return real_arithmetic(c, n, a, b, out);
    *out = (rk_scalar){.kind = RK_SCALAR_INT};
    int code = int_value(c, n, a, b, out);

    if (code != RK_OK)
        return code;
    out->ex = int_ex(c, n->text, a->ex, b->ex);
    return rk_pool_ok(c) ? RK_OK : c->b.fatal;
}

/* ---- comparison ---------------------------------------------------------------------------------------------- */

int rk_scalar_compare(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out)
{
    const char *op = n->text;
    double x = 0, y = 0;

    rk_scalar_fix(c, a);
    rk_scalar_fix(c, b);
    if (op[1] == '=' && (op[0] == '=' || op[0] == '!')) {
        if (a->kind == RK_SCALAR_INT && b->kind == RK_SCALAR_INT && !(a->known && b->known) && a->ex != b->ex)
            return rk_scalar_unknown(c, n->span);
        *out = rk_scalar_bool(rk_scalar_same(a, b) == (op[0] == '='));
        return RK_OK;
    }
    if (!rk_scalar_is_number(a))
        return rk_scalar_need_number(c, a, n->child.at[0]->span);
    if (!rk_scalar_is_number(b))
        return rk_scalar_need_number(c, b, n->child.at[1]->span);
    if (a->kind == RK_SCALAR_INT && b->kind == RK_SCALAR_INT && a->known && b->known) {
        bool less = a->value<b->value, more = a->value> b->value;

        *out = rk_scalar_bool(op[0] == '<' ? less || (op[1] && !more) : more || (op[1] && !less));
        return RK_OK;
    }
    if (!rk_scalar_as_real(a, &x) || !rk_scalar_as_real(b, &y))
        return rk_scalar_unknown(c, n->span);
    *out = rk_scalar_bool(op[0] == '<' ? x < y || (op[1] && x == y) : x > y || (op[1] && x == y));
    return RK_OK;
}

/* x in ["a", "b"]: a list written out. */
int rk_scalar_contains_written(rk_ctx *c, rk_frame *f, const rk_node *n, const rk_scalar *a, rk_scalar *out)
{
    const rk_node *list = n->child.at[1];
    bool found = false;

    rk_scalar_fix(c, a);
    *out = rk_scalar_bool(false);
    for (size_t i = 0; i < list->child.n && !found; i++) {
        rk_scalar item = {0};
        int code = rk_scalar_eval(c, f, list->child.at[i], &item);

        if (code != RK_OK)
            return code;
        found = rk_scalar_same(a, &item);
        out->varies |= item.varies;
    }
    out->truth = found == (strcmp(n->text, "in") == 0);
    out->varies |= a->varies;
    return RK_OK;
}

int rk_scalar_contains(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out)
{
    bool found = false;
    size_t times = 0;

    rk_scalar_fix(c, a);
    if (b->kind == RK_SCALAR_TEXT && a->kind == RK_SCALAR_TEXT)
        found = strstr(b->text, a->text) != NULL;
    else if (b->kind == RK_SCALAR_DOC && b->doc->kind == RK_DOC_LIST) {
        if (rk_list_count(c, b->doc, a, &times) != RK_OK)
            return c->b.fatal;
        found = times > 0;
    } else if (b->kind == RK_SCALAR_DOC && a->kind == RK_SCALAR_TEXT)
        found = rk_doc_key(b->doc, a->text, strlen(a->text)) != NULL;
    else if (b->kind != RK_SCALAR_NONE)
        return RK_MISTAKE(c, n->op_span, "'in' needs a list or a text on its right");
    *out = rk_scalar_bool(found == (strcmp(n->text, "in") == 0));
    return RK_OK;
}

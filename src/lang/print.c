/* SPDX-License-Identifier: MIT */
#include "lang/ast.h"

#include <string.h>

/* How tightly a node holds together; an operand that holds less tightly than its place asks for gets brackets. */
enum {
    LEVEL_COND,
    LEVEL_EITHER,
    LEVEL_ANY,
    LEVEL_ALL,
    LEVEL_NOT,
    LEVEL_RELATION,
    LEVEL_SUM,
    LEVEL_TERM,
    LEVEL_SIGN,
    LEVEL_PRIMARY
};

static const struct {
    const char *text;
    int level;
} operators[] = {
    {"??", LEVEL_EITHER}, {"or", LEVEL_ANY}, {"and", LEVEL_ALL}, {"+", LEVEL_SUM},  {"-", LEVEL_SUM},
    {"*", LEVEL_TERM},    {"/", LEVEL_TERM}, {"//", LEVEL_TERM}, {"%", LEVEL_TERM},
};

static int level_of(const rk_node *n)
{
    switch (n->kind) {
    case RK_NODE_COND:
        return LEVEL_COND;
    case RK_NODE_BINARY:
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
            if (strcmp(operators[i].text, n->text) == 0)
                return operators[i].level;
        return LEVEL_RELATION;
    case RK_NODE_UNARY:
        return strcmp(n->text, "not") == 0 ? LEVEL_NOT : LEVEL_SIGN;
    default:
        return LEVEL_PRIMARY;
    }
}

/* ---- axes ---- */

static void axis_print(const rk_axis *a, rk_str *out);

static void label_print(const char *name, int primes, rk_str *out)
{
    rk_str_put(out, name);
    rk_str_fill(out, '\'', (size_t)primes);
}

static void axis_list_print(const rk_axes *axes, rk_str *out)
{
    for (size_t i = 0; i < axes->n; i++) {
        if (i > 0)
            rk_str_putc(out, ' ');
        axis_print(&axes->at[i], out);
    }
}

static void affine_print(const rk_axis *a, rk_str *out)
{
    for (size_t i = 0; i < a->n_term; i++) {
        const rk_affine_term *t = &a->term[i];

        if (t->sign < 0)
            rk_str_putc(out, '-');
        else if (i > 0)
            rk_str_putc(out, '+');
        if (t->name == NULL || t->factor != 1)
            rk_str_num(out, t->factor);
        if (t->name != NULL)
            label_print(t->name, t->primes, out);
    }
}

static void axis_print(const rk_axis *a, rk_str *out)
{
    switch (a->kind) {
    case RK_AXIS_NAME:
        label_print(a->name, a->primes, out);
        break;
    case RK_AXIS_NUMBER:
        rk_str_num(out, a->number);
        break;
    case RK_AXIS_PRODUCT:
    case RK_AXIS_SUM:
        rk_str_putc(out, '(');
        for (size_t i = 0; i < a->n_part; i++) {
            rk_str_put(out, i > 0 ? " + " : "");
            axis_list_print(&a->part[i], out);
        }
        rk_str_putc(out, ')');
        break;
    case RK_AXIS_AFFINE:
        affine_print(a, out);
        break;
    case RK_AXIS_ROUTED:
        rk_str_format(out, "%s@%s", a->name, a->routed);
        break;
    case RK_AXIS_REST:
        rk_str_put(out, "..");
        break;
    }
}

void rk_axes_print(const rk_axes *axes, rk_str *out)
{
    if (!axes->written)
        return;
    rk_str_putc(out, '[');
    axis_list_print(axes, out);
    rk_str_putc(out, ']');
}

/* ---- values ---- */

static void at_level(const rk_node *n, int level, rk_str *out)
{
    bool brackets = level_of(n) < level;

    if (brackets)
        rk_str_putc(out, '(');
    rk_node_print(n, out);
    if (brackets)
        rk_str_putc(out, ')');
}

static void weight_print(const rk_name *name, rk_str *out)
{
    rk_str_putc(out, name->from_root ? '/' : '.');
    for (size_t i = 0; i < name->n; i++) {
        if (name->piece[i].text != NULL) {
            rk_str_put(out, name->piece[i].text);
            continue;
        }
        rk_str_putc(out, '{');
        rk_node_print(name->piece[i].node, out);
        rk_str_putc(out, '}');
    }
}

/* The children of a node, with the keywords of arguments before them. */
static void list_print(const rk_node *n, rk_str *out)
{
    for (size_t i = 0; i < n->child.n; i++) {
        if (i > 0)
            rk_str_put(out, ", ");
        if (n->arg_name != NULL && n->arg_name[i] != NULL)
            rk_str_format(out, "%s = ", n->arg_name[i]);
        rk_node_print(n->child.at[i], out);
    }
}

void rk_node_print(const rk_node *n, rk_str *out)
{
    int level = level_of(n);

    switch (n->kind) {
    case RK_NODE_NUMBER:
        rk_str_num(out, n->number);
        break;
    case RK_NODE_TEXT:
        rk_str_format(out, strchr(n->text, '"') != NULL ? "'%s'" : "\"%s\"", n->text);
        break;
    case RK_NODE_KEY:
        rk_str_format(out, "$%s", n->text);
        break;
    case RK_NODE_REAL:
    case RK_NODE_NAME:
    case RK_NODE_TRUE:
    case RK_NODE_FALSE:
    case RK_NODE_NONE:
        rk_str_put(out, n->text); /* as it was written */
        break;
    case RK_NODE_WEIGHT:
        weight_print(n->name, out);
        break;
    case RK_NODE_INDEX:
        rk_node_print(n->child.at[0], out);
        rk_str_putc(out, '[');
        rk_node_print(n->child.at[1], out);
        rk_str_putc(out, ']');
        break;
    case RK_NODE_CALL:
        rk_str_format(out, "%s(", n->text);
        list_print(n, out);
        rk_str_putc(out, ')');
        break;
    case RK_NODE_JOIN:
        rk_str_putc(out, '[');
        list_print(n, out);
        rk_str_putc(out, ']');
        break;
    case RK_NODE_UNARY:
        rk_str_put(out, n->text);
        if (level == LEVEL_NOT)
            rk_str_putc(out, ' ');
        at_level(n->child.at[0], level, out);
        break;
    case RK_NODE_BINARY:
        /* Chains lean to the left; comparisons have no chains. */
        at_level(n->child.at[0], level == LEVEL_RELATION ? level + 1 : level, out);
        rk_str_format(out, " %s ", n->text);
        at_level(n->child.at[1], level + 1, out);
        break;
    case RK_NODE_COND:
        at_level(n->child.at[0], LEVEL_COND + 1, out);
        rk_str_put(out, " if ");
        at_level(n->child.at[1], LEVEL_COND + 1, out);
        rk_str_put(out, " else ");
        at_level(n->child.at[2], LEVEL_COND, out);
        break;
    }
    rk_axes_print(&n->axes, out);
}

/* SPDX-License-Identifier: MIT */
/*
 * tests/lang/print.h - a tree written back as text in one fixed layout: parsing that gives the same tree again.
 */
#ifndef RK_TESTS_LANG_PRINT_H
#define RK_TESTS_LANG_PRINT_H

#include "lang/ast.h"

#include <string.h>

static void text_print(const char *text, rk_str *out)
{
    char quote = strchr(text, '"') != NULL ? '\'' : '"';

    rk_str_putc(out, quote);
    rk_str_put(out, text);
    rk_str_putc(out, quote);
}

/* The pieces of a name; a weight's mark goes before them. */
static void name_print(const rk_name *name, rk_str *out)
{
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

static void weight_print(const rk_name *name, rk_str *out)
{
    rk_str_putc(out, name->from_root ? '/' : '.');
    name_print(name, out);
}

static void list_print(const rk_nodes *list, rk_str *out)
{
    for (size_t i = 0; i < list->n; i++) {
        if (i > 0)
            rk_str_put(out, ", ");
        rk_node_print(list->at[i], out);
    }
}

#define INDENT 4

static void stmts_print(const rk_stmts *list, size_t depth, rk_str *out);

/* The word that a statement begins with; an equation has none. */
static const char *stmt_word(rk_stmt_kind kind)
{
    static const char *const word[] = {
        [RK_STMT_MODEL] = "model ",       [RK_STMT_USE] = "use ",       [RK_STMT_FAMILY] = "family ",
        [RK_STMT_CLASSES] = "classes ",   [RK_STMT_LET] = "let ",       [RK_STMT_RUN] = "run ",
        [RK_STMT_CHECK] = "check ",       [RK_STMT_CHOOSE] = "choose ", [RK_STMT_INPUT] = "input ",
        [RK_STMT_INCOMING] = "incoming ", [RK_STMT_TIE] = "tie ",       [RK_STMT_FROZEN] = "frozen ",
        [RK_STMT_BUFFER] = "buffer ",     [RK_STMT_UNUSED] = "unused ", [RK_STMT_STORED] = "stored ",
        [RK_STMT_PART] = "part ",         [RK_STMT_AT] = "at ",         [RK_STMT_IF] = "",
        [RK_STMT_BLOCK] = "block ",       [RK_STMT_KEEP] = "keep ",     [RK_STMT_KEEP_LAST] = "keep ",
        [RK_STMT_OUTPUT] = "output ",     [RK_STMT_BESIDE] = "beside ", [RK_STMT_LOSS] = "loss ",
        [RK_STMT_NOTE] = "note",          [RK_STMT_LOWER] = "lower ",   [RK_STMT_EQUATION] = "",
    };

    return word[kind];
}

static void symbol_print(const rk_stmt *s, rk_str *out)
{
    rk_str_put(out, s->name);
    if (s->child.n > 0) {
        rk_str_put(out, " = ");
        rk_node_print(s->child.at[0], out);
    }
}

static void choose_print(const rk_stmt *s, rk_str *out)
{
    rk_str_format(out, "%s =", s->name);
    for (size_t i = 0; i < s->n_word; i++)
        rk_str_format(out, "%s %s", i > 0 ? " |" : "", s->word[i]);
}

static void prefix_print(const rk_name *prefix, const char *before, rk_str *out)
{
    if (prefix == NULL)
        return;
    rk_str_put(out, before);
    name_print(prefix, out);
}

static void part_print(const rk_stmt *s, rk_str *out)
{
    rk_str_put(out, s->name);
    if (s->index != NULL) {
        rk_str_format(out, "[%s < ", s->index);
        rk_node_print(s->child.at[0], out);
        rk_str_putc(out, ']');
    }
    prefix_print(s->prefix, " at ", out);
}

static void targets_print(const rk_stmt *s, rk_str *out)
{
    for (size_t i = 0; i < s->n_target; i++) {
        if (i > 0)
            rk_str_put(out, ", ");
        rk_str_put(out, s->target[i].name);
        rk_axes_print(&s->target[i].axes, out);
    }
}

static void block_print(const rk_stmt *s, rk_str *out)
{
    rk_str_format(out, "%s(", s->name);
    for (size_t i = 0; i < s->n_param; i++) {
        const rk_param *q = &s->param[i];

        rk_str_format(out, "%s%s", i > 0 ? ", " : "", q->name);
        rk_axes_print(&q->axes, out);
        if (q->fallback != NULL) {
            rk_str_put(out, " = ");
            rk_node_print(q->fallback, out);
        }
    }
    rk_str_put(out, ") -> ");
    targets_print(s, out);
}

static void keep_print(const rk_stmt *s, rk_str *out)
{
    bool last = s->kind == RK_STMT_KEEP_LAST;

    if (last) {
        rk_str_put(out, "last ");
        rk_node_print(s->within, out);
        rk_str_put(out, " of ");
    }
    list_print(&s->child, out);
    rk_str_put(out, " over ");
    rk_str_put(out, s->over);
    rk_str_fill(out, '\'', (size_t)s->over_primes);
    if (s->as != NULL)
        rk_str_format(out, " as %s%s", s->as_last ? "last of " : "", s->as);
    if (!last && s->within != NULL) {
        rk_str_put(out, " within ");
        rk_node_print(s->within, out);
    }
}

static void weights_print(const rk_stmt *s, const char *between, rk_str *out)
{
    weight_print(s->weight[0], out);
    rk_str_put(out, between);
    if (s->weight[1] != NULL)
        weight_print(s->weight[1], out);
    list_print(&s->child, out);
}

static void equation_print(const rk_stmt *s, rk_str *out)
{
    targets_print(s, out);
    rk_str_put(out, " = ");
    rk_node_print(s->child.at[0], out);
    if (s->where != NULL) {
        rk_str_put(out, " where ");
        rk_node_print(s->where, out);
    }
}

/* What stands after the first word. */
static void head_print(const rk_stmt *s, rk_str *out)
{
    switch (s->kind) {
    case RK_STMT_MODEL:
        rk_str_format(out, "%s:", s->name);
        break;
    case RK_STMT_USE:
        rk_str_put(out, s->text);
        break;
    case RK_STMT_LET:
    case RK_STMT_RUN:
        symbol_print(s, out);
        break;
    case RK_STMT_CHOOSE:
        choose_print(s, out);
        break;
    case RK_STMT_TIE:
        weights_print(s, " to ", out);
        break;
    case RK_STMT_STORED:
        weights_print(s, " as ", out);
        break;
    case RK_STMT_PART:
        part_print(s, out);
        break;
    case RK_STMT_AT:
        prefix_print(s->prefix, "", out);
        break;
    case RK_STMT_BLOCK:
        block_print(s, out);
        break;
    case RK_STMT_KEEP:
    case RK_STMT_KEEP_LAST:
        keep_print(s, out);
        break;
    case RK_STMT_EQUATION:
        equation_print(s, out);
        break;
    default:
        list_print(&s->child, out);
        break;
    }
}

static void if_print(const rk_stmt *s, size_t depth, rk_str *out)
{
    for (size_t i = 0; i < s->n_branch; i++) {
        if (i > 0)
            rk_str_fill(out, ' ', depth * INDENT);
        if (i < s->child.n) {
            rk_str_put(out, i > 0 ? "elif " : "if ");
            rk_node_print(s->child.at[i], out);
        } else {
            rk_str_put(out, "else");
        }
        rk_str_put(out, ":\n");
        stmts_print(&s->branch[i], depth + 1, out);
    }
}

/* What stands after the head of a statement of one line. */
static void tail_print(const rk_stmt *s, rk_str *out)
{
    if (s->text != NULL && s->kind != RK_STMT_USE) {
        rk_str_putc(out, ' ');
        text_print(s->text, out);
    }
    if (s->only_if != NULL) {
        bool brackets = s->only_if->kind == RK_NODE_COND;

        rk_str_put(out, brackets ? " if (" : " if ");
        rk_node_print(s->only_if, out);
        rk_str_put(out, brackets ? ")" : "");
    }
    rk_str_putc(out, '\n');
}

static void stmt_print(const rk_stmt *s, size_t depth, rk_str *out)
{
    rk_str_fill(out, ' ', depth * INDENT);
    if (s->kind == RK_STMT_IF) {
        if_print(s, depth, out);
        return;
    }
    rk_str_put(out, stmt_word(s->kind));
    head_print(s, out);
    if (s->kind == RK_STMT_PART || s->kind == RK_STMT_AT || s->kind == RK_STMT_BLOCK) {
        rk_str_put(out, ":\n");
        stmts_print(&s->body, depth + 1, out);
    } else {
        tail_print(s, out);
    }
}

static void stmts_print(const rk_stmts *list, size_t depth, rk_str *out)
{
    for (size_t i = 0; i < list->n; i++)
        stmt_print(list->at[i], depth, out);
}

static void file_print(const rk_file *f, rk_str *out)
{
    stmts_print(&f->body, 0, out);
}

#endif

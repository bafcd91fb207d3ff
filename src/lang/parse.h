/* SPDX-License-Identifier: MIT */
/*
 * lang/parse.h - what the files of the parser share; used inside of lang/ only.
 *
 * Stage   tokens -> [parse] -> syntax tree.
 * Uses    base/, lang/lex.h, lang/ast.h.
 * Memory  all in the parser's arena.
 * Threads one parser, one thread.
 *
 *     parse.c       files, lines and blocks; going on after a mistake
 *     parse_stmt.c  statements of one line, heads of blocks
 *     parse_expr.c  values
 *     parse_name.c  names of weights and prefixes
 *     parse_axes.c  axes
 *
 * A function that reads a symbol begins at p->tok and ends after the symbol.  It returns false or NULL after a
 * mistake, which is then noted, or when memory ran out, which the arena remembers.
 */
#ifndef RK_LANG_PARSE_H
#define RK_LANG_PARSE_H

#include "lang/ast.h"
#include "lang/lex.h"

/* Levels of an expression's tree: a + b + c … nests without any recursion here, but its readers will recurse. */
#define RK_TREE_MAX (4 * RK_NEST_MAX)

typedef struct rk_parser {
    rk_arena *arena;
    rk_notes notes;
    rk_lexer lex;
    rk_token tok;       /* the next token */
    uint32_t end;       /* where the one before it ended */
    size_t column;      /* how deep the current line stands */
    size_t last_column; /* and the one before */
    size_t n_nest;      /* brackets, signs and branches that are being read */
    size_t n_block;     /* blocks that are being read */
    size_t n_stmt;
    bool broken; /* the last statement had a mistake: what stands deeper below it may be its body */
} rk_parser;

typedef RK_VEC(rk_node *) rk_node_vec;

/* Tokens. */
void rk_parse_advance(rk_parser *p);
void rk_parse_as_name(rk_parser *p);
bool rk_parse_accept(rk_parser *p, rk_token_kind kind);
bool rk_parse_expect(rk_parser *p, rk_token_kind kind);
bool rk_parse_expected(rk_parser *p, const char *what); /* notes "expected … here, found …"; false */
bool rk_parse_name(rk_parser *p, const char **name);
rk_token rk_parse_peek(const rk_parser *p); /* the token after the next one */

/* Always false: "'keep' is a word of the language; choose another name". */
bool rk_parse_reserved(rk_parser *p);

/* Nesting: false when it is too deep; each true one needs its rk_parse_leave, unless a mistake follows. */
bool rk_parse_enter(rk_parser *p);
void rk_parse_leave(rk_parser *p);

char *rk_parse_copy(rk_parser *p, rk_span span);
rk_span rk_parse_span(const rk_parser *p, uint32_t from); /* up to the last token read */
bool rk_parse_number(rk_parser *p, rk_i128 *out);
bool rk_parse_too_many(rk_parser *p, const char *what, size_t limit);

/* The block after a head, whose reading went well or not. */
void rk_parse_body(rk_parser *p, size_t indent, bool head_is_good, rk_stmts *out);
bool rk_parse_end_of_line(rk_parser *p);

/* Symbols.  A statement that returns false has its line still to be passed over. */
bool rk_parse_statement(rk_parser *p, rk_stmt *s);
rk_node *rk_parse_value(rk_parser *p);
rk_node *rk_parse_value_only(rk_parser *p, rk_node **only); /* a value, then perhaps "if value" in *only */
rk_node *rk_parse_call(rk_parser *p);
rk_node *rk_parse_where(rk_parser *p);
rk_node *rk_parse_text(rk_parser *p);
rk_node *rk_parse_weight_node(rk_parser *p);
rk_node *rk_parse_with_axes(rk_parser *p, rk_node *n, bool must);
rk_node *rk_parse_name_node(rk_parser *p);
rk_name *rk_parse_weight(rk_parser *p);
rk_name *rk_parse_prefix(rk_parser *p);
bool rk_parse_axes(rk_parser *p, rk_axes *out);
bool rk_parse_label(rk_parser *p, const char **name, int *primes);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * lang/ast.h - the syntax tree of a model file, and the parser that makes it.
 *
 * Stage   bytes -> [lang] -> syntax tree -> model.
 * Uses    base/, lang/source.h.
 * Memory  the tree lives in the arena given to rk_parse and borrows nothing else; source names and texts are copied.
 * Threads a tree is never changed after it was made.
 *
 * docs/language.md has the grammar; each parse function is named after the symbol that it reads.
 */
#ifndef RK_LANG_AST_H
#define RK_LANG_AST_H

#include "base/num.h"
#include "lang/source.h"

/* Limits: a model is a page of text, so these bound memory and recursion without ever being met by a person. */
#define RK_NEST_MAX 64  /* brackets, blocks and operators inside each other */
#define RK_NAME_MAX 128 /* bytes of a word */
#define RK_AXES_MAX 32  /* axes of one tensor */
#define RK_ARGS_MAX 32  /* arguments of one call, targets of one equation */
#define RK_NOTE_MAX 400 /* bytes of a note: it stands under a title */
#define RK_STATEMENTS_MAX 20000

typedef struct rk_node rk_node; /* an expression: a scalar or a tensor, told apart when the model is expanded */
typedef struct rk_axis rk_axis;
typedef struct rk_stmt rk_stmt;

typedef struct rk_nodes {
    rk_node **at;
    size_t n;
} rk_nodes;

typedef struct rk_stmts {
    rk_stmt **at;
    size_t n;
} rk_stmts;

/* A list of axes as written between brackets; `written` is false where there were no brackets at all. */
typedef struct rk_axes {
    rk_axis *at;
    size_t n;
    bool written;
    rk_span span;
} rk_axes;

typedef enum rk_axis_kind {
    RK_AXIS_NAME,    /* D, D', D'' : a label; `name`, `primes` */
    RK_AXIS_NUMBER,  /* 1, 2: an axis of that size; `number` */
    RK_AXIS_PRODUCT, /* (K G H): several axes in one stored dimension; `part` has one list */
    RK_AXIS_SUM,     /* (N H + N H + 1): axes laid end to end; `part` has one list for each summand */
    RK_AXIS_AFFINE,  /* 2A+J-1, S-1: read at a computed place; `term`s, outside of brackets only */
    RK_AXIS_ROUTED,  /* E@A: stored as E, read at the chosen A; `name` is E, `routed` is A */
    RK_AXIS_REST     /* ..: the caller's other leading axes */
} rk_axis_kind;

typedef struct rk_affine_term {
    int sign;         /* +1 or -1 */
    rk_i128 factor;   /* 2 in 2A; 1 when not written; the number itself when there is no name */
    const char *name; /* NULL: a plain number */
    int primes;
    rk_span span;
} rk_affine_term;

struct rk_axis {
    rk_axis_kind kind;
    rk_span span;
    const char *name;
    int primes;
    const char *routed;
    rk_i128 number;
    rk_axes *part; /* PRODUCT: 1, SUM: n_part ≥ 2 */
    size_t n_part;
    rk_affine_term *term;
    size_t n_term;
};

/* A tensor's name in the checkpoint, words and {expressions} in turn: ".q_proj.weight", "/shared.weight". */
typedef struct rk_name_piece {
    const char *text; /* NULL: an expression */
    rk_node *node;
} rk_name_piece;

typedef struct rk_name {
    bool from_root; /* began with a slash */
    rk_name_piece *piece;
    size_t n;
    rk_span span;
} rk_name;

typedef enum rk_node_kind {
    RK_NODE_NUMBER, /* `number` (whole) */
    RK_NODE_REAL,   /* `real`: 0.5, 1e-6 */
    RK_NODE_TEXT,   /* "word" or 'word': `text` */
    RK_NODE_TRUE,
    RK_NODE_FALSE,
    RK_NODE_NONE,
    RK_NODE_NAME,   /* x, x[B S D]: `text`, `axes` */
    RK_NODE_WEIGHT, /* .name[..], /name[..]: `name`, `axes` */
    RK_NODE_KEY,    /* $a.b.c: `text` is "a.b.c" */
    RK_NODE_INDEX,  /* $list[i]: child 0 [ child 1 ] */
    RK_NODE_CALL,   /* f(a, b, c = d)[axes]: `text`, children are the arguments, `arg_name[i]` NULL or the keyword */
    RK_NODE_JOIN,   /* [a, b] */
    RK_NODE_UNARY,  /* "-", "not": child 0 */
    RK_NODE_BINARY, /* + - * / // % == != < <= > >= and or in "not in" ??: `text` is the operator */
    RK_NODE_COND    /* child 0 if child 1 else child 2 */
} rk_node_kind;

struct rk_node {
    rk_node_kind kind;
    rk_span span; /* of the whole expression; for BINARY the operator's place is `op_span` */
    rk_span op_span;
    const char *text;
    rk_i128 number;
    double real;
    rk_nodes child;
    const char **arg_name;
    rk_name *name;
    rk_axes axes;
};

typedef enum rk_stmt_kind {
    RK_STMT_MODEL,    /* model NAME: "text"                    name, text */
    RK_STMT_USE,      /* use blocks/common.rk                  text */
    RK_STMT_FAMILY,   /* family "gpt2", "gpt2-old"             child: texts */
    RK_STMT_CLASSES,  /* classes "GPT2LMHeadModel", "GPT2Model" child: texts */
    RK_STMT_LOWER,    /* lower "attend_narrow"               child: texts */
    RK_STMT_LET,      /* let D = value "text"                  name, child[0] or none, text or NULL */
    RK_STMT_RUN,      /* run S = default "text"                name, child[0] or none, text or NULL */
    RK_STMT_CHECK,    /* check a <= b, c == d                  child */
    RK_STMT_NOTE,     /* note "text" if c                      text */
    RK_STMT_CHOOSE,   /* choose scan = chunked | recurrent     name, word[] */
    RK_STMT_INPUT,    /* input ids[B S], mel[B M Z]            child: NAME nodes with axes */
    RK_STMT_INCOMING, /* incoming x[B S D]                     as input; a gradient flows back into it */
    RK_STMT_TIE,      /* tie .a to .b                          weight[0], weight[1] */
    RK_STMT_FROZEN,   /* frozen .a, .b                         child: WEIGHT nodes */
    RK_STMT_BUFFER,   /* buffer .a[E]                          child: WEIGHT nodes with axes */
    RK_STMT_UNUSED,   /* unused .a[E]                          child: WEIGHT nodes with axes */
    RK_STMT_STORED,   /* stored .a as .b[M D], .c[M D]; stored .p as .q   weight[0]; child: WEIGHT nodes */
    RK_STMT_PART,     /* part NAME[i < L] at PREFIX:   name, index or NULL, child[0] the count, prefix or NULL, body */
    RK_STMT_AT,       /* at PREFIX:                            prefix, body */
    RK_STMT_IF,    /* if c: … elif d: … else: …    child: conditions; branch: one body each, one more for else */
    RK_STMT_BLOCK, /* block f(x[.. D], F, bias = False) -> y, z:   name, param, result, body */
    RK_STMT_KEEP,  /* keep k, v over S as T within W   child: NAMEs; over, as (may be NULL), within (node or NULL) */
    RK_STMT_KEEP_LAST, /* keep last J - 1 of m over S        within: how many; child: NAMEs; over */
    RK_STMT_OUTPUT,    /* output logits, hidden                 child: NAMEs */
    RK_STMT_BESIDE,    /* beside pooled                         child: NAMEs */
    RK_STMT_LOSS,      /* loss cross_entropy(logits, ids)       child[0]: CALL */
    RK_STMT_EQUATION   /* a[..], b[..] = value where m(S, T)   target, child[0], where */
} rk_stmt_kind;

typedef struct rk_param {
    const char *name;
    rk_span span;
    rk_axes axes;      /* written: a tensor; else a scalar */
    rk_node *fallback; /* NULL: must be given */
} rk_param;

typedef struct rk_target {
    const char *name; /* "_": dropped */
    rk_span span;
    rk_axes axes;
} rk_target;

struct rk_stmt {
    rk_stmt_kind kind;
    rk_span span; /* the whole statement, or its head line */
    const char *name;
    rk_span name_span;
    const char *text;
    rk_nodes child;
    rk_node *only_if;  /* "… if cond" after a simple statement; NULL: always */
    const char **word; /* CHOOSE */
    size_t n_word;
    rk_name *weight[2];
    const char *index; /* PART: the loop's name */
    rk_name *prefix;
    rk_stmts body;
    rk_stmts *branch;
    size_t n_branch;
    rk_param *param;
    size_t n_param;
    rk_target *target; /* EQUATION targets, BLOCK results */
    size_t n_target;
    rk_node *where; /* a CALL or NULL */
    const char *over, *as;
    bool as_last; /* keep … as last of T */
    int over_primes;
    rk_node *within;
};

typedef struct rk_file {
    const rk_source *source;
    rk_stmts body;
} rk_file;

/*
 * Parses a model file.  Every mistake found goes into `mistakes`; the parser resumes at the next line, so that as many
 * as possible are found at once.  Returns RK_OK and the tree, or RK_EINPUT when there were mistakes, RK_ENOMEM.
 */
int rk_parse(rk_arena *a, const char *name, const char *text, size_t n, rk_mistakes *mistakes, rk_file **out,
             rk_err *err);

/* Writes values and axes back as text in one fixed layout: parsing that gives the same tree again. */
void rk_node_print(const rk_node *n, rk_str *out);
void rk_axes_print(const rk_axes *axes, rk_str *out); /* with brackets; nothing when not written */

#endif

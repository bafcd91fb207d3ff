/* SPDX-License-Identifier: MIT */
/*
 * model/expand.h - what the files of the expander share; private to model/.
 *
 * Stage   syntax tree + document -> [expand] -> program.
 * Uses    base/, expr/, lang/, read/.
 * Memory  everything in the model's arena: frames outlive their statement, because a repeated part asks the decisions
 *         that it took for one layer again for every other layer.
 * Threads one expansion, one thread.
 *
 * The way: open.c opens a model; files.c reads its file and those that it uses; statement.c walks the statements:
 * symbol.c has symbols, keep.c caches.  scalar.c (and what scalar.h names) evaluates numbers, words and masks; scope.c
 * finds names; keys.c notes which keys of the config are read; axes.c turns written axes into labels and regroups;
 * weight.c keeps the table of weights; tensor.c and call.c (call.h) turn tensor expressions into operations, which
 * emit.c appends and names; adapt.c puts adapters beside products; equation.c assigns them; mask.c reads `where`;
 * loop.c groups equal layers.
 */
#ifndef RK_MODEL_EXPAND_H
#define RK_MODEL_EXPAND_H

#include "model/build.h"
#include "model/model.h"
#include "model/needs.h"

/* Limits: far above any model, so that a stranger's file stays cheap. */
#define RK_LAYERS_MAX 100000 /* layers of one repeated part */
#define RK_LOOP_NEST_MAX 4   /* repeated parts inside each other */
#define RK_CALL_NEST_MAX 32  /* blocks inside each other */
#define RK_USE_NEST_MAX 8    /* files that use files */
#define RK_LATER_NEST_MAX 64 /* lets of a block or a layer, and arguments of blocks, that need each other */
#define RK_ASKED_MAX 4000000 /* decisions asked again to tell which layers are equal */
#define RK_ANSWERS_MAX 16    /* decisions of a layer that are remembered while its like is looked for */
#define RK_NOTES_MAX 16      /* notes of a model: they stand under its title */
#define RK_LABEL_PRIMES_MAX 3
#define RK_ASKED_CACHE 64 /* likewise */
#define RK_FIXED_CACHE 64 /* a layer asks the same few questions again and again */

typedef struct rk_frame rk_frame;
typedef struct rk_bind rk_bind;
typedef struct rk_ctx rk_ctx;

typedef enum rk_scalar_kind {
    RK_SCALAR_NONE,
    RK_SCALAR_BOOL,
    RK_SCALAR_INT,
    RK_SCALAR_REAL,
    RK_SCALAR_TEXT,
    RK_SCALAR_DOC, /* a list or a map of the config */
    RK_SCALAR_MASK
} rk_scalar_kind;

typedef struct rk_scalar {
    rk_scalar_kind kind;
    bool truth;
    bool known;    /* INT: it has a number */
    bool varies;   /* it depends on the running number of a loop */
    rk_i128 value; /* INT */
    rk_ex ex;      /* INT: the same as an expression; MASK: its size, or RK_EX_FAILED */
    double real;
    const char *text;
    const rk_doc *doc;
    rk_mask_kind mask;
    const char *key; /* the config key that this is, or that was looked for in vain */
} rk_scalar;

typedef enum rk_bind_kind {
    RK_BIND_SCALAR, /* a value */
    RK_BIND_LATER,  /* a scalar evaluated when asked, in its own frame: parameters, local lets */
    RK_BIND_LABEL,  /* a size taken from a tensor argument */
    RK_BIND_INDEX,  /* the running number of a loop */
    RK_BIND_TENSOR,
    RK_BIND_NOTHING, /* an optional tensor that was not given */
    RK_BIND_SPOILT   /* its equation has a mistake: say nothing more about it */
} rk_bind_kind;

struct rk_bind {
    const char *name;
    rk_bind_kind kind;
    rk_scalar scalar;
    const rk_node *node; /* LATER */
    rk_frame *frame;     /* LATER */
    bool cached;
    bool asked;    /* LATER: being evaluated right now */
    uint64_t turn; /* LATER: when it was cached */
    rk_seen seen;  /* TENSOR */
    bool forward;  /* TENSOR: read one step back before it was assigned … */
    size_t since;  /* … by operations from this one on */
    rk_span span;
    uint32_t label[RK_LABEL_PRIMES_MAX + 1]; /* label + 1; 0: not made yet */
    uint32_t outer;                          /* LABEL, LATER: the caller's label + 1 for which it stands; 0: none */
};

struct rk_frame {
    rk_frame *parent;
    RK_VEC(rk_bind *) bind;
    rk_map newest; /* where the last one of each name stands, once there are many */
    bool is_block; /* tensors of outer frames are not seen from here */
    bool is_global;
    rk_ixs rest; /* what `..` stands for */
    bool has_rest;
    const char *result_name; /* BLOCK: the name of its result … */
    const char *result_row;  /* … and what the caller calls it */
};

/* One decision that a layer took: asked again for the other layers. */
typedef struct rk_decision {
    const rk_node *node;
    rk_frame *frame;
    rk_scalar value;
    rk_bind *index[RK_LOOP_NEST_MAX]; /* the loops inside the one that asks, by their depth, and … */
    rk_i128 inner[RK_LOOP_NEST_MAX];  /* … their running numbers then */
} rk_decision;

typedef struct rk_decisions {
    rk_decision *at;
    size_t n, cap;
} rk_decisions;

typedef struct rk_loop_state {
    uint32_t loop;
    rk_bind *index;
    rk_decisions *recording;
    bool apart; /* names for one tensor go into its layers as tensors of their own */
} rk_loop_state;

typedef struct rk_block {
    const rk_stmt *stmt;
    rk_frame *global; /* of its file */
    bool open;        /* being expanded: a second time is a circle */
} rk_block;

/* A variable of the model, outside of blocks, and its tensor. */
typedef struct rk_named_tensor {
    const rk_bind *bind;
    uint32_t tensor, alias;
} rk_named_tensor;

typedef struct rk_late {
    const rk_stmt *stmt; /* tie, frozen, stored: settled when all weights are known */
    rk_weight_name name[2];
    uint32_t group[2];
    uint32_t part;
} rk_late;

/* A key that was looked for in the config. */
typedef struct rk_key_asked {
    const char *path;
    const rk_doc *doc;        /* NULL: the config has none */
    bool whether;             /* has($key): a null says something, too … */
    bool only_whether;        /* … and nothing else was asked */
    const rk_stmt *let;       /* the `let` or `run` of the model that takes it, or NULL */
    bool second;              /* it was looked for because another spelling was not there */
    const rk_node *otherwise; /* what was taken instead, or NULL; … */
    rk_scalar value;          /* … its value */
} rk_key_asked;

struct rk_ctx {
    rk_model *model;
    rk_arena *a;
    rk_pool *pool;
    rk_i128 *value; /* of each symbol of the pool; the model's, before it is const */
    bool *known;
    const rk_model_source *source;
    rk_mistakes mistakes;
    rk_build b; /* what is made */

    rk_frame *frame;
    rk_frame *global;
    RK_VEC(rk_block) block;
    RK_VEC(rk_block) body;     /* what is expanded instead of an operation, or of a block, of that name */
    const char *profile;       /* whose bodies these are; NULL: there are none */
    bool fused;                /* and of fused attention, */
    bool wide;                 /* in fp32, */
    bool grouped;              /* and of experts taken all at once, */
    bool drops;                /* and of dropout */
    bool lowering;             /* the blocks of the file being read are bodies */
    RK_VEC(const char *) used; /* files read, and …  */
    RK_VEC(rk_bind *) shared;  /* symbols of used files, which the model may read */
    rk_map shared_place;       /* of each name in it */
    size_t n_using;            /* … how many are being read right now */

    rk_loop_state loop_stack[RK_LOOP_NEST_MAX];
    size_t n_loop_stack;
    size_t call_nest, later_nest;
    const rk_seen *given;          /* the tensors that a call is given, where they are known already … */
    const rk_node *given_to;       /* … which is this one */
    uint32_t call;                 /* one more than the call whose arguments are being evaluated; 0: none */
    RK_VEC(rk_bind *) loop_index;  /* one per loop: its running number */
    RK_VEC(rk_named_tensor) named; /* tensors that variables of the parts around have now, the innermost last */
    size_t nest;                   /* bodies inside each other: 1 at the top of the model */
    uint64_t turn;                 /* counts the changes of running numbers */
    size_t n_asked;                /* decisions asked again */

    rk_weight_name prefix;
    bool may_be_empty; /* an axis may have no elements: of a weight that no equation reads */
    rk_map sum_labels;

    RK_VEC(rk_late) late;
    RK_VEC(rk_symbol) symbol;
    RK_VEC(const char *) note;
    RK_VEC(rk_key_asked) asked;
    RK_VEC(rk_key) key;
    rk_map asked_of_path;
    rk_map list_of_doc;  /* lists of the config in which layers look for something, and … */
    RK_VEC(rk_map) list; /* … how often each value stands in them */
    const rk_node *asked_lately[RK_ASKED_CACHE];
    const rk_stmt *letting;      /* the `let` or `run` of the model that is being evaluated, or NULL */
    bool checking;               /* inside a `check` or a `note`: symbols without a number are no mistake */
    rk_ex fixed[RK_FIXED_CACHE]; /* expressions whose symbols were fixed lately, by their number */
};

/* Failing: a mistake at a place of the file, or something fatal. Both return RK_EINPUT or the code, to be returned. */
#define RK_MISTAKE(c, span, ...) rk_mistake_note(&(c)->mistakes, (span), __VA_ARGS__)
bool rk_pool_ok(rk_ctx *c); /* false: building an expression failed; noted as fatal */

/* scope.c */
rk_frame *rk_frame_new(rk_ctx *c, rk_frame *parent);
rk_bind *rk_bind_add(rk_ctx *c, rk_frame *f, const char *name);
rk_bind *rk_bind_find(rk_frame *f, const char *name);   /* any kind, all outer frames */
rk_bind *rk_tensor_find(rk_frame *f, const char *name); /* tensors: up to the block's frame */
int rk_used_put(rk_ctx *c, rk_bind *b);
rk_bind *rk_used_find(const rk_ctx *c, const char *name); /* a symbol of a used file; NULL: none */
rk_block *rk_block_find(const rk_ctx *c, const char *name);
rk_block *rk_body_find(const rk_ctx *c,
                       const char *name); /* one that is being expanded is not found: there the name means itself */

/* scalar.c: scalar.h has what its files share */
int rk_scalar_eval(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out);
int rk_scalar_of_bind(rk_ctx *c, rk_bind *b, rk_span span, rk_scalar *out);

/* scalar_value.c */
bool rk_scalar_same(const rk_scalar *a, const rk_scalar *b);
/* A number as an expression without the running numbers of loops. */
rk_ex rk_scalar_ex(rk_ctx *c, const rk_scalar *s);
/* The number itself, not the expression, is used for something: its symbols are fixed from here on. */
void rk_scalar_fix(rk_ctx *c, const rk_scalar *s);

/* scalar_config.c */
bool rk_config_lacks(const rk_ctx *c, const char *path); /* no such key, or null */
/* A mistake where the config says another kind of thing than the default of a symbol is; 4096.0 becomes 4096. */
int rk_scalar_agrees(rk_ctx *c, rk_frame *f, const rk_stmt *let, rk_scalar *v);

/* scalar_function.c */
bool rk_is_scalar_function(const char *name);

/* scalar_decide.c */
/* As rk_scalar_eval, and the value decides something: remembered by the loops around when it differs between layers. */
int rk_scalar_decide(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out);
int rk_scalar_condition(rk_ctx *c, rk_frame *f, const rk_node *n, bool *out); /* NULL node: true */
/* A whole number as an expression: free of the running numbers of loops. */
int rk_scalar_size(rk_ctx *c, rk_frame *f, const rk_node *n, rk_ex *out);
int rk_scalar_check(rk_ctx *c, rk_frame *f, const rk_node *n);
/* Whether a `note` is to be shown: nothing else is decided by it. NULL node: true; what has no number yet: false. */
int rk_scalar_holds(rk_ctx *c, rk_frame *f, const rk_node *n, bool *out);
void rk_record(rk_ctx *c, rk_frame *f, const rk_node *n, const rk_scalar *value);

/* axes.c */
bool rk_same_size(rk_ctx *c, rk_ex a, rk_ex b);
/* A label of its own. */
int rk_label_add(rk_ctx *c, const char *name, rk_ex size, uint32_t *out);
int rk_label_of_bind(rk_ctx *c, rk_bind *b, int primes, rk_span span, uint32_t *out);
int rk_label_named(rk_ctx *c, const char *name, int primes, rk_span span, uint32_t *out);
int rk_label_spelt(rk_ctx *c, const char *text, rk_span span, uint32_t *out);
rk_ix rk_ix_of_label(const rk_ctx *c, uint32_t label);
int rk_axes_resolve(rk_ctx *c, const rk_axes *axes, rk_ixs *out); /* flat */
int rk_axes_plain(rk_ctx *c, const rk_axes *axes, rk_ixs *out);   /* the same, of what is made here */
int rk_seen_as(rk_ctx *c, const rk_seen *s, const rk_ixs *axes, rk_span span, const char *what, rk_seen *out);
bool rk_ixs_same_set(const rk_ixs *a, const rk_ixs *b);
const char *rk_ixs_text(rk_ctx *c, const rk_ixs *axes); /* in the arena, for messages */

/* weight.c */
int rk_prefix_push(rk_ctx *c, const rk_name *n, rk_weight_name *saved);
int rk_weight_see(rk_ctx *c, const rk_node *n, rk_seen *out);
int rk_weight_declare(rk_ctx *c, const rk_node *n, bool buffer);
int rk_weight_late(rk_ctx *c, const rk_stmt *s);
int rk_weight_stored(rk_ctx *c, const rk_stmt *s);
int rk_weights_settle(rk_ctx *c);

/* tensor.c */
bool rk_node_is_tensor(const rk_ctx *c, const rk_node *n);
int rk_tensor_eval(rk_ctx *c, const rk_node *n, const rk_ixs *want, bool sums, rk_seen *out);
int rk_elementwise(rk_ctx *c, rk_op_id row, const rk_seen *in, size_t n_in, const rk_ixs *want, rk_seen *out);
int rk_part_axes(rk_ctx *c, const rk_ixs *whole, size_t at, const rk_ixs *part, rk_ixs *out);
const char *rk_near_tensor(const rk_ctx *c, const char *name); /* a variable spelt nearly so, or NULL */

/* mask.c */
int rk_set_where(rk_ctx *c, const rk_node *n); /* NULL: no mask */

/* equation.c */
int rk_equation(rk_ctx *c, const rk_stmt *s);
/* A part that runs as a function does ends: what its variables have is let go; they begin at `first` in `named`. */
void rk_named_end(rk_ctx *c, size_t first);

/* call.c: call.h has what its files share */
int rk_call(rk_ctx *c, const rk_node *n, const rk_ixs *want, rk_seen *out, size_t most, size_t *n_out);
void rk_call_argument_seen(rk_ctx *c, const rk_node *n, const rk_seen *s); /* notes it, if it is one of the call's */

/* call_block.c */
int rk_frame_settled(rk_ctx *c, const rk_frame *f); /* a mistake for each recurrence that nothing defines */

/* loop.c */
bool rk_decides_alike(rk_ctx *c, const rk_decisions *list); /* would the layer decide as another one did? */
int rk_part_expand(rk_ctx *c, const rk_stmt *s);

/* symbol.c */
int rk_let(rk_ctx *c, const rk_stmt *s);       /* let, run */
int rk_let_local(rk_ctx *c, const rk_stmt *s); /* of a block or a used file: evaluated when asked */
int rk_choose(rk_ctx *c, const rk_stmt *s);
int rk_settings_known(rk_ctx *c); /* an error for a setting that names no symbol */

/* keep.c */
int rk_keep_expand(rk_ctx *c, const rk_stmt *s);

/* statement.c */
int rk_body_expand(rk_ctx *c, const rk_stmts *body);
int rk_no_such_tensor(rk_ctx *c, const rk_node *n); /* the mistake, with a name that is near */

/* files.c */
int rk_model_file_read(rk_ctx *c, const char *name, const char *text, size_t n, rk_file **out, rk_frame **global);
int rk_model_line(rk_ctx *c, const rk_file *file);
int rk_bodies_read(rk_ctx *c);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * model/program.h - a model expanded: tensors and operations with symbolic sizes, in layer groups.
 *
 * Stage   model -> [expand] -> program -> passes -> account.
 * Uses    base/, expr/, lang/ (places in the text), model/ops.h.
 * Memory  everything lives in the model's arena; expressions in the model's pool.
 * Threads a program is never changed after expansion; passes make new tables beside it, with pools over its own.
 *
 * Layers that are equal are expanded once: a group says how many layers it stands for.  The tensors of the groups form
 * one chain (each group reads what the group before it left), so that the program also runs as a small model in which
 * every kind of layer occurs once.  Operations stand in an order in which they can be run.
 */
#ifndef RK_MODEL_PROGRAM_H
#define RK_MODEL_PROGRAM_H

#include "expr/expr.h"
#include "lang/ast.h"
#include "model/ops.h"

#include <stdint.h>

#ifndef RK_NONE
#define RK_NONE UINT32_MAX
#endif

/* The order of symbols inside a printed term: those of the run first. */
enum {
    RK_SYM_RANK_RUN,
    RK_SYM_RANK_MODEL,
    RK_SYM_RANK_LOOP
};

/*
 * A label: an index that runs from 0 to size - 1.  Two labels of the same spelling from different blocks are different
 * labels.  A sum of axes (C + R) is one label too, whose parts are lists of axes.
 */
typedef struct rk_label {
    const char *name; /* as shown: D, D', (C + R) */
    rk_ex size;
    /* On one of several devices (pass/shard.c): the piece of another label that this device has. */
    uint8_t mesh;   /* one more than the axis of the mesh (pass/layout.h); 0: it is whole */
    uint32_t whole; /* the other label; 0 where it is whole */
} rk_label;

typedef enum rk_ix_kind {
    RK_IX_LABEL,  /* runs over its label */
    RK_IX_NUMBER, /* an axis of fixed size (1 in [C 1 J]); equal numbers share a label */
    RK_IX_SUM,    /* axes laid end to end: `label` stands for the whole, `part` for the pieces */
    RK_IX_AFFINE, /* read at Σ factor·label + offset; places outside of the tensor's axis read zero */
    RK_IX_ROUTED  /* stored as `size` (E), read at the places chosen for `label` (A) */
} rk_ix_kind;

typedef struct rk_ix rk_ix;
typedef struct rk_ixs {
    rk_ix *at;
    size_t n;
} rk_ixs;

typedef struct rk_ix_term {
    rk_i128 factor;
    uint32_t label;
} rk_ix_term;

struct rk_ix {
    rk_ix_kind kind;
    uint32_t label; /* all kinds but AFFINE */
    rk_ex size;     /* how many elements the tensor stores along this axis */
    rk_ixs *part;   /* SUM */
    size_t n_part;
    rk_ix_term *term; /* AFFINE */
    size_t n_term;
    rk_ex offset; /* AFFINE: added to the sum of the terms; may be negative */
};

/*
 * Which pairs of two axes count: the queries are the last ones of the keys.
 *
 * X(ID, name, least, WITHOUT)    name: as model files write it; least: its least size, -1 where it has none;
 *                                WITHOUT: what it is where a config leaves its size out, or itself: it needs one
 */
#define RK_MASKS(X)                                                                                                    \
    X(FULL, "full", -1, FULL)       /* every key */                                                                    \
    X(CAUSAL, "causal", -1, CAUSAL) /* keys up to the query's own place */                                             \
    X(WINDOW, "window", 1, CAUSAL)  /* the last `size` keys up to the query's own place */                             \
    X(CHUNK, "chunk", 1, CHUNK)     /* keys up to the query's place within its chunk of `size` */                      \
    X(PREFIX, "prefix", 0, PREFIX)  /* the first `size` see each other; causal after them */                           \
    X(BAND, "band", 0, FULL)        /* keys at most `size` places away, on either side */                              \
    X(TILE, "tile", 1, FULL)        /* all keys of the query's own tile of `size` */

typedef enum rk_mask_kind {
#define RK_MASK_ENUM(ID, name, least, without) RK_MASK_##ID,
    RK_MASKS(RK_MASK_ENUM)
#undef RK_MASK_ENUM
    RK_N_MASK
} rk_mask_kind;

typedef struct rk_mask_row {
    const char *name;
    int least;
    rk_mask_kind without;
} rk_mask_row;

extern const rk_mask_row rk_mask_table[RK_N_MASK];

/* Whether a query sees no more keys than a window, chunk or tile has, however many there are. */
bool rk_mask_is_window(rk_mask_kind kind);

/* The mask of that name, or RK_N_MASK. */
rk_mask_kind rk_mask_find(const char *name);

typedef struct rk_mask {
    rk_mask_kind kind;
    uint32_t query, key; /* labels of the tensor */
    rk_ex size;
    /*
     * One more than the number of a device whose queries are two pieces of the sequence, as far from its beginning as
     * from its end; 0: they are the last ones of the keys.
     */
    uint32_t piece;
} rk_mask;

typedef enum rk_tensor_kind {
    RK_TENSOR_INPUT,  /* given: token numbers, pixels */
    RK_TENSOR_WEIGHT, /* stored: `weight` */
    RK_TENSOR_CACHED, /* made with the prompt, and read out of its cache */
    RK_TENSOR_RESULT  /* computed by `producer` */
} rk_tensor_kind;

typedef struct rk_tensor {
    rk_tensor_kind kind;
    const char *name; /* variable's or input's name; a weight's name is in the weight table */
    rk_ixs axes;      /* flat: groups of a stored dimension dissolved; row-major, as stored */
    rk_mask mask;
    uint32_t producer; /* operation, RESULT only */
    uint32_t weight;   /* WEIGHT only */
    uint32_t group;
    uint32_t until; /* RESULT: the operation up to which a variable of the model has it, or RK_NONE: it never had one */
    bool is_index;  /* whole numbers used to look something up: no gradient */
    bool
        incoming; /* it gets a gradient in any case: INPUT: made by another part of the model, to which it flows back */
} rk_tensor;

#define RK_LABELS_PER_OP_MAX 128 /* axes of one operation, its result and its operands together */

typedef struct rk_operand {
    uint32_t tensor;
    uint32_t alias; /* as in rk_seen (model/trace.h): 0 but where a call gave back what was there before */
    rk_ixs axes;    /* the labels under which this operation reads it: as many elements, same row-major order */
} rk_operand;

typedef struct rk_op {
    rk_op_id row;
    rk_operand *in;
    size_t n_in;
    uint32_t out;    /* result tensor; its axes are in the labels of this operation */
    bool summed;     /* PRODUCT: at least one label is summed */
    uint32_t *label; /* label arguments: the axis of a softmax, a sum, a norm; position(S) … */
    size_t n_label;
    rk_ex arg;    /* ROPE, ROPE_TABLE: how many elements rotate; BEST: how many count; RK_EX_FAILED elsewhere */
    double real;  /* SCALE, SHIFT: the number */
    size_t which; /* PART: which part of the operand's SUM axis */
    rk_mask mask; /* pairs that count in this operation's domain */
    /* What devices send to each other, of a COLLECTIVE and of what a pass has laid over devices: */
    uint8_t mesh;     /* one more than the axis of the mesh (pass/layout.h); 0: nothing is sent */
    uint8_t rows;     /* all-reduces of one number for each row: of a softmax, a pick along an axis in pieces */
    bool merged;      /* of attention over pieces of a sequence: its result is put together from two */
    const char *name; /* name of its ledger row inside its part, unique there */
    uint32_t part;
    uint32_t group;
    rk_span span; /* the equation in the model file */
} rk_op;

/* A level of the ledger: "layers.attention". Part 0 is the model itself, with an empty path. */
typedef struct rk_part {
    const char *name;
    const char *path;
    uint32_t parent;
} rk_part;

/* Layers expanded together.  Group 0 is all that stands outside of loops and occurs once. */
typedef struct rk_group {
    uint32_t parent; /* the group in which the loop stands; RK_NONE for group 0 */
    uint32_t loop;   /* index of the loop; RK_NONE for group 0 */
    rk_ex times;     /* how many layers, within one of the parent */
    uint32_t *layer; /* which, when the number of layers is known; NULL otherwise */
    size_t n_layer;
    size_t first_op, end_op; /* its operations, those of loops in it included */
    /*
     * The tensors that the variables of the loop are before and after it: n_carry each.  Different variables are
     * different tensors, since a layer that reads one tensor for two does not say which of them the next one reads.
     */
    uint32_t *in, *out;
    uint32_t *in_alias, *out_alias; /* of these, as in rk_seen (model/trace.h) */
    bool *shared;                   /* a name that the loop leaves alone has the tensor of `in`, too */
} rk_group;

typedef struct rk_loop {
    const char *part; /* path of the part that is repeated */
    rk_sym index;     /* the symbol of the running number, for names */
    rk_ex count;
    bool count_known;
    size_t n_layer;  /* when known */
    uint32_t *order; /* the group of each layer, when known and there is more than one group; else NULL */
    uint32_t parent; /* the group in which it stands */
    size_t first_op, end_op;
    uint32_t *group; /* in the order of the chain */
    size_t n_group;
    size_t n_first; /* when the number of layers is not known: groups of one layer each before the one of most layers */
    size_t n_carry; /* variables that it carries from layer to layer */
} rk_loop;

/* A piece of a tensor's name: text, or a number that depends on the running number of a loop. */
typedef struct rk_weight_piece {
    const char *text; /* NULL: `number` */
    rk_ex number;
} rk_weight_piece;

typedef struct rk_weight_name {
    rk_weight_piece *piece;
    size_t n;
} rk_weight_name;

/* Another layout of a stored tensor (`stored X as Y, Z`). */
typedef struct rk_weight_layout {
    rk_weight_name name;
    rk_ex *dim;
    size_t n_dim;
    uint32_t over; /* label over which the name is repeated ({E}), or RK_NONE */
} rk_weight_layout;

/* A prefix of names that published checkpoints call otherwise (`stored .model.text as .text.model`). */
typedef struct rk_rename {
    const char *from, *to;
} rk_rename;

/* What a weight is to an adapter, which adds B(A x) to the product of x with a weight that is not trained. */
typedef enum rk_adapter {
    RK_ADAPTER_NONE,
    RK_ADAPTER_A, /* [rank in] */
    RK_ADAPTER_B  /* [out rank] */
} rk_adapter;

typedef struct rk_weight {
    rk_weight_name name;
    const char *pattern; /* the name with {} for numbers of layers, for tables */
    rk_ex *dim;          /* stored shape */
    size_t n_dim;
    rk_ex count;      /* elements of one */
    rk_ex active;     /* elements that one token uses: routed axes count what is visited */
    uint32_t tied_to; /* another weight that owns the storage, or RK_NONE */
    bool frozen;      /* a parameter that is not trained */
    bool buffer;      /* stored, but no parameter */
    bool unused;      /* no equation reads it */
    bool wide;        /* of four bytes, whatever the model runs in */
    rk_adapter adapter;
    /* On one of several devices (pass/shard.c): */
    uint32_t pieces;  /* axes of the mesh over which it lies in pieces, a bit each */
    uint32_t partial; /* those over which its gradient is a partial sum */
    rk_ex gradient;   /* elements of its gradient where that is made whole, and sliced then; RK_EX_FAILED: as `count` */
    uint32_t tensor;  /* RK_NONE when no equation reads it */
    uint32_t part, group;
    rk_weight_layout *layout;
    size_t n_layout;
    rk_span span;
} rk_weight;

/* What decoding carries from token to token. */
typedef struct rk_keep {
    uint32_t tensor;
    uint32_t over;   /* label of the axis along which it grows, after renaming to `as` */
    rk_ex over_size; /* how many of that axis one run makes */
    uint32_t at;     /* the operation before which it stands */
    rk_ex within;    /* most tokens kept (window), or RK_EX_FAILED: all */
    rk_ex last;      /* only the last so many, or RK_EX_FAILED */
    bool once;       /* made in the prefill, then only read (cross attention) */
    uint32_t part, group;
} rk_keep;

/* Operations that are run otherwise than one after the other: a pass has said so. */
typedef enum rk_region_kind {
    RK_REGION_NONE,
    RK_REGION_ATTENTION, /* from the scores to the context: saves what goes in alone, and is recomputed backward */
    RK_REGION_CHUNKED,   /* the head and the loss: the same, of so many tokens at a time */
    RK_REGION_FUSED      /* of so many tokens at a time with the gradients at once: the logits are not needed again */
} rk_region_kind;

typedef struct rk_region {
    rk_region_kind kind;
    uint32_t first, end; /* operations, all of one group */
} rk_region;

/*
 * A stage of a pipeline of devices: operations from `first` up to the next one's, or to the end.  What comes in from
 * the stage before is an input that gets a gradient; what goes to the next one is an output, whose gradient comes in.
 */
typedef struct rk_program_stage {
    uint32_t first;
    uint32_t number; /* among those of all devices */
} rk_program_stage;

typedef struct rk_program {
    const rk_pool *pool;
    rk_label *label;
    size_t n_label;
    rk_tensor *tensor;
    size_t n_tensor;
    rk_op *op;
    size_t n_op;
    rk_weight *weight;
    size_t n_weight;
    rk_part *part;
    size_t n_part;
    rk_group *group;
    size_t n_group;
    rk_loop *loop;
    size_t n_loop;
    rk_keep *keep;
    size_t n_keep;
    rk_region *region; /* in the order of their operations */
    size_t n_region;
    rk_program_stage *stage; /* of a device of a pipeline, in their order */
    size_t n_stage;          /* 0: this is no such device */
    uint32_t *input;
    size_t n_input; /* tensors */
    uint32_t *output;
    size_t n_output;        /* tensors: where the gradient starts */
    uint32_t *output_group; /* the group in which each is given */
    rk_rename *rename;
    size_t n_rename;
    uint32_t loss;                /* the operation of the loss (also in `op`, last), or RK_NONE */
    uint32_t loss_first;          /* the first of those that it is written out in, or itself */
    const struct rk_trace *trace; /* how it was made */
} rk_program;

/* The region that the head and the loss are, or NULL: they are run as they stand. */
const rk_region *rk_program_loss_region(const rk_program *p);

/* The stage of an operation, its first operation, and the one after its last; where there are none, 0 and all. */
size_t rk_program_stage_of(const rk_program *p, size_t op);
size_t rk_program_stage_first(const rk_program *p, size_t stage);
size_t rk_program_stage_end(const rk_program *p, size_t stage);

/* How experts that tokens choose are run. */
typedef enum rk_experts {
    RK_EXPERTS_NONE, /* there are none */
    RK_EXPERTS_EACH, /* one after the other */
    RK_EXPERTS_GROUPED
} rk_experts;

rk_experts rk_program_experts(const rk_program *p);

/* How often an operation of this group occurs in the whole model; `pool` lies over the program's. */
rk_ex rk_group_times(rk_pool *pool, const rk_program *p, uint32_t group);

/* Where a label stands among axes, or -1; affine terms do not count. */
int rk_ixs_place(const rk_ixs *axes, uint32_t label);
/* The weight that has the storage of one that is tied, perhaps by others; itself where it is not. */
uint32_t rk_weight_owner(const rk_program *p, uint32_t weight);

bool rk_ixs_has(const rk_ixs *axes, uint32_t label);   /* affine terms too */
bool rk_ixs_same(const rk_ixs *a, const rk_ixs *b);    /* same labels in the same order */
rk_ex rk_ixs_count(rk_pool *pool, const rk_ixs *axes); /* how many elements they have */

/* Axes as model files write them, by the names of their labels: "[B S N H]". */
void rk_ixs_put(const rk_pool *pool, const rk_label *label, const rk_ixs *axes, rk_str *out);

#endif

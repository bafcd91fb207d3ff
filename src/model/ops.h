/* SPDX-License-Identifier: MIT */
/*
 * model/ops.h - the one table of operations.
 *
 * Stage   used by model (index rules), pass (gradients), account (costs) and, later, the timeline (what is saved).
 * Uses    nothing.
 * Memory  constant data.
 * Threads no state.
 *
 * One row holds all that is known of an operation.  Adding an operation is adding a row here, its numbers to the
 * oracle (tests/oracle/), and a test.
 *
 * X(ID, name, CLASS, SHAPE, PER, forward, backward, GRAD, PASSES, SAVES, PLACE, BOOK, TORCH, AUTOCAST, text)
 *
 *   name      how it is written in a model file; in <…> the ones that have a notation of their own (*, +, [a, b] …)
 *   CLASS     what it is for, RK_CLASS_…: what others ask of it, so that no other file needs its name
 *   SHAPE     its index rule, RK_SHAPE_…
 *   PER       what its cost under `--count all` is multiplied by, RK_PER_…
 *   forward   arithmetic operations forward, per PER: each add, multiply, divide, compare-and-choose, exp, log, tanh,
 *             erf or root is one.  What is done once per row (the mean of a norm) is not counted.
 *   backward  the same for the gradient; of + - * / and of a norm's weights cost.c says what each operand takes
 *   GRAD      which operands a gradient flows into, RK_GRAD_…
 *   PASSES    which operands get the gradient of the result as it is, RK_GRAD_…: the operation leaves each of their
 *             numbers as it was, or adds one that does not depend on it; what was repeated is still to be added up
 *   SAVES     what its gradient needs saved from the forward pass, RK_SAVE_… (or-ed)
 *   PLACE     where its result lies in memory, RK_PLACE_…
 *   BOOK      what a derivation by hand lists as saved of it, RK_TEXTBOOK_…
 *   TORCH     what FlopCounterMode counts besides products, RK_TORCH_…
 *   AUTOCAST  in which type it runs under autocast, RK_AUTOCAST_…
 */
#ifndef RK_MODEL_OPS_H
#define RK_MODEL_OPS_H

#include <stddef.h>
#include <stdint.h>

/* What an operation is for. */
typedef enum rk_op_class {
    RK_CLASS_PRODUCT,      /* of two operands, summed: a projection if one is a weight, else a product of activations */
    RK_CLASS_ADD,          /* element by element: a bias, if an operand is a weight */
    RK_CLASS_ELEMENT,      /* other arithmetic, element by element */
    RK_CLASS_ACTIVATION,   /* an activation function */
    RK_CLASS_NORM,         /* its second operand is its scale, its third its bias */
    RK_CLASS_SOFTMAX,      /* of scores */
    RK_CLASS_ATTENTION,    /* scores, softmax and context in one */
    RK_CLASS_REDUCTION,    /* along an axis: sums, means, scans, triangular systems */
    RK_CLASS_LOOKUP,       /* its first operand chooses rows of its second */
    RK_CLASS_POSITION,     /* 0, 1, 2 … along an axis */
    RK_CLASS_ROTARY,       /* rotates by the tables made before it … */
    RK_CLASS_ROTARY_TABLE, /* … which are this */
    RK_CLASS_CHOICE,       /* of experts, of keys */
    RK_CLASS_DISPATCH,     /* tokens to the experts that they visit … */
    RK_CLASS_COMBINE,      /* … and back */
    RK_CLASS_MASK,         /* says what counts, or makes the rest count for nothing */
    RK_CLASS_CONSTANT,
    RK_CLASS_CAST,
    RK_CLASS_MOVEMENT,  /* the same numbers, elsewhere or under other axes */
    RK_CLASS_LOSS,      /* the loss, and what it is written out in */
    RK_CLASS_COLLECTIVE /* devices exchange pieces of a tensor, or partial sums of it: pass/shard.c puts these */
} rk_op_class;

/* How the result's axes follow from the operands'. */
typedef enum rk_shape_rule {
    RK_SHAPE_PRODUCT, /* the target's labels; labels that it lacks are summed */
    RK_SHAPE_UNION,   /* elementwise: all labels of the operands, missing ones repeated */
    RK_SHAPE_SAME,    /* as the first operand */
    RK_SHAPE_NORM,    /* as the first operand; works over the axes of the weight that follows, or of a label argument */
    RK_SHAPE_ALONG,   /* as the first operand; works along one axis: a label argument, or the last axis */
    RK_SHAPE_REDUCE,  /* as the first operand without the axis of its label argument */
    RK_SHAPE_LOOKUP,  /* the index's axes, then the table's without its first */
    RK_SHAPE_TAKE,    /* as the second operand, its last axis replaced by the last one of the first */
    RK_SHAPE_CHOOSE,  /* as the first operand, its last axis replaced by the label argument (route, top) */
    RK_SHAPE_LABELS,  /* a constant of the axes given as label arguments (position, zeros, bucket, rope_table) */
    RK_SHAPE_TARGET,  /* what the target says: as many elements (view, patches), or checked by the operation itself */
    RK_SHAPE_SOLVE,   /* as the second operand */
    RK_SHAPE_PLACE,   /* as the second operand; the first is put into some of its positions */
    RK_SHAPE_ATTEND,  /* as the first operand, its last axis replaced by that of the third */
    RK_SHAPE_HALF,    /* as the first operand without its last axis, which must be of size 2 */
    RK_SHAPE_SCALAR   /* a single number */
} rk_shape_rule;

typedef enum rk_per {
    RK_PER_NONE,    /* costs nothing */
    RK_PER_OUT,     /* per element of the result */
    RK_PER_IN,      /* per element of the first operand */
    RK_PER_PAIR,    /* a product: per element of its domain (two if an index is summed, else one) */
    RK_PER_ROTATED, /* rope: per rotated element */
    RK_PER_SOLVE    /* per element of the result, times (n - 1) for a system of n unknowns */
} rk_per;

typedef enum rk_grad_rule {
    RK_GRAD_NONE,  /* stops here: indices, constants, comparisons */
    RK_GRAD_FIRST, /* into the first operand */
    RK_GRAD_SECOND,
    RK_GRAD_ALL /* into every operand that needs one */
} rk_grad_rule;

enum {
    RK_SAVE_NOTHING = 0,
    RK_SAVE_IN = 1,          /* the first operand */
    RK_SAVE_OTHERS = 2,      /* an operand, if another one needs a gradient (products) */
    RK_SAVE_OUT = 4,         /* the result */
    RK_SAVE_STATS = 8,       /* a number per row */
    RK_SAVE_INDEX = 16,      /* positions, 8 bytes each */
    RK_SAVE_ALL = 32,        /* every operand */
    RK_SAVE_CHOICE = 64,     /* where each element of the result was found, 8 bytes each */
    RK_SAVE_VISITS = 128,    /* two numbers of 8 bytes for each visit of a token to an expert: one list for a mixture */
    RK_SAVE_HIDDEN = 256,    /* one byte for each element */
    RK_SAVE_ONE = 512,       /* a single position of 8 bytes */
    RK_SAVE_PAIRS = 1024,    /* one byte for each index, or pair of indices, of the axes that it is given */
    RK_SAVE_ENDS = 2048,     /* a list of 8 bytes each for every axis up to the one that is left out */
    RK_SAVE_SPOTS = 4096,    /* one byte for each row of the last axis */
    RK_SAVE_MEAN = 8192,     /* with STATS: the mean of each row, too */
    RK_SAVE_RANDOM = 16384,  /* the state of a generator of random numbers, where the profile has one */
    RK_SAVE_LABELS = 32768,  /* the wanted classes, 8 bytes each, and one number … */
    RK_SAVE_NEXT = 65536,    /* … of the next place each */
    RK_SAVE_NARROW = 131072, /* with STATS: in the type of the run, where others have fp32 */
    RK_SAVE_OVER = 524288,   /* with IN: nobody else has it, and its gradient is laid over it */
    RK_SAVE_ROWS = 262144    /* each row of a triangle, and the rows before it as far, in fp32 */
};

/* What an element is. */
typedef enum rk_type {
    RK_TYPE_RUN,       /* the type in which the model runs */
    RK_TYPE_F32,       /* a number of four bytes, whatever the model runs in */
    RK_TYPE_WHOLE,     /* a whole number of eight bytes */
    RK_TYPE_TRUTH,     /* one byte */
    RK_TYPE_LOW,       /* under autocast that of products, two bytes; else as RUN */
    RK_TYPE_EXACT,     /* as F32, and autocast leaves alone what is computed from it */
    RK_TYPE_EXACT_LOW, /* the same as LOW */
    RK_N_TYPE
} rk_type;

/* Where the result of an operation lies. */
typedef enum rk_place_rule {
    RK_PLACE_PRODUCT,     /* a product of matrices: [batch, own of the first, own of the second]; else as SPREAD */
    RK_PLACE_SPREAD,      /* element by element: as the operands lie */
    RK_PLACE_PACKED,      /* in row-major order */
    RK_PLACE_WHOLE,       /* the same; of what was made step by step, all steps in one */
    RK_PLACE_MASK,        /* the same; one byte for each element */
    RK_PLACE_COUNTS,      /* the same; four bytes for each element */
    RK_PLACE_SECOND,      /* its second operand itself */
    RK_PLACE_CAST,        /* as SPREAD, but where the type stays, the operand itself */
    RK_PLACE_CAST_PACKED, /* as PACKED, but where the type stays, the operand itself */
    RK_PLACE_CONTIGUOUS,  /* the operand itself, where it lies in row-major order; else a copy that does */
    RK_PLACE_VIEW,        /* the operand under other axes; a copy, where it does not lie so */
    RK_PLACE_PART,        /* inside of its operand */
    RK_PLACE_FIRST,       /* at the beginning of its operand */
    RK_PLACE_REPEAT,      /* the operand itself, read again and again along new axes */
    RK_PLACE_WINDOWS,     /* the operand itself, taken to lie as it is wanted */
    RK_PLACE_STEPS,       /* the operand itself; what is computed from it is made step by step along an axis */
    RK_PLACE_HELD,        /* a buffer of the model, there before the run */
    RK_PLACE_HANDED,      /* made once outside of all layers: one for each size */
    RK_PLACE_TABLES,      /* two tables: cosines and sines */
    RK_PLACE_HALVES,      /* two tables, with one number for each pair that is rotated */
    RK_PLACE_COMPLEX,     /* one table, with one complex number of fp32 for each pair */
    RK_PLACE_ROPE,        /* as SPREAD; where only a part is rotated, heads before the sequence */
    RK_PLACE_ATTEND       /* as the first operand lies */
} rk_place_rule;

typedef enum rk_book_rule {
    RK_TEXTBOOK_NOTHING,
    RK_TEXTBOOK_OUT,          /* the result */
    RK_TEXTBOOK_ROWS,         /* the result, and one number for each row along which it works */
    RK_TEXTBOOK_PROBABILITIES /* as many numbers as its first operand has */
} rk_book_rule;

typedef enum rk_torch_rule {
    RK_TORCH_NOTHING,
    RK_TORCH_PRODUCT,    /* counted as any product with a summed index */
    RK_TORCH_ROPE_TABLE, /* a product [R/2 × 1]·[1 × S]: 2·⌈R/2⌉·S forward, nothing backward */
    RK_TORCH_SOLVE       /* nothing forward; backward one product for the gradient of the system */
} rk_torch_rule;

/* The type of an operation under autocast, whatever its operands have; they are cast where theirs is another. */
typedef enum rk_autocast_rule {
    RK_AUTOCAST_SAME, /* the widest of its operands */
    RK_AUTOCAST_LOW,  /* two bytes: products, fused attention */
    RK_AUTOCAST_WIDE, /* fp32 */
    RK_AUTOCAST_SHUT  /* the same, and so does a product that takes its result: it knows nothing of autocast */
} rk_autocast_rule;

/* clang-format off */
#define RK_OPS(X) \
  X(PRODUCT,       "<a * b>",        PRODUCT,      PRODUCT, PAIR,     2,  4, ALL,   NONE,  OTHERS,                PRODUCT,     OUT,           PRODUCT,    LOW,  "product: all labels touched; two each if one of them is summed") \
  X(ADD,           "<a + b>",        ADD,          UNION,   OUT,      1,  0, ALL,   ALL,   NOTHING,               SPREAD,      NOTHING,       NOTHING,    SAME, "sum, element by element") \
  X(SUB,           "<a - b>",        ELEMENT,      UNION,   OUT,      1,  1, ALL,   FIRST, NOTHING,               SPREAD,      NOTHING,       NOTHING,    SAME, "difference, element by element") \
  X(MUL,           "<a * b>",        ELEMENT,      UNION,   OUT,      1,  2, ALL,   NONE,  OTHERS,                SPREAD,      OUT,           NOTHING,    SAME, "product element by element: no label is summed") \
  X(DIV,           "<a / b>",        ELEMENT,      UNION,   OUT,      1,  4, ALL,   NONE,  OTHERS,                SPREAD,      OUT,           NOTHING,    SAME, "quotient, element by element") \
  X(SCALE,         "<2 * a>",        ELEMENT,      SAME,    OUT,      1,  1, ALL,   NONE,  NOTHING,               SPREAD,      NOTHING,       NOTHING,    SAME, "product with a number") \
  X(SHIFT,         "<1 + a>",        ELEMENT,      SAME,    OUT,      1,  0, ALL,   ALL,   NOTHING,               SPREAD,      NOTHING,       NOTHING,    SAME, "sum with a number") \
  X(NEG,           "<-a>",           ELEMENT,      SAME,    OUT,      1,  1, ALL,   NONE,  NOTHING,               SPREAD,      NOTHING,       NOTHING,    SAME, "the negative") \
  X(JOIN,          "<[a, b]>",       MOVEMENT,     TARGET,  NONE,     0,  0, ALL,   NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "tensors laid end to end along an axis") \
  X(PART,          "<a, b = c>",     MOVEMENT,     TARGET,  NONE,     0,  0, ALL,   NONE,  NOTHING,               PART,        NOTHING,       NOTHING,    SAME, "one of the parts laid end to end along an axis") \
  X(VIEW,          "<a[…]>",         MOVEMENT,     TARGET,  NONE,     0,  0, ALL,   ALL,   NOTHING,               VIEW,        NOTHING,       NOTHING,    SAME, "the same elements under other labels") \
  X(RELU,          "relu",           ACTIVATION,   SAME,    OUT,      1,  1, ALL,   NONE,  OUT,                   SPREAD,      OUT,           NOTHING,    SAME, "max(x, 0)") \
  X(RELU2,         "relu2",          ACTIVATION,   SAME,    OUT,      2,  3, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "max(x, 0)²") \
  X(GELU,          "gelu",           ACTIVATION,   SAME,    OUT,      5, 11, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "x/2 · (1 + erf(x/√2))") \
  X(GELU_TANH,     "gelu_tanh",      ACTIVATION,   SAME,    OUT,      9, 18, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "x/2 · (1 + tanh(√(2/π)(x + 0.044715x³)))") \
  X(GELU_NEW,      "gelu_new",       ACTIVATION,   SAME,    OUT,      9, 18, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "gelu_tanh, written out in elementary operations by the reference") \
  X(QUICK_GELU,    "quick_gelu",     ACTIVATION,   SAME,    OUT,      6, 10, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "x · sigmoid(1.702x)") \
  X(SILU,          "silu",           ACTIVATION,   SAME,    OUT,      5,  9, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "x · sigmoid(x)") \
  X(SIGMOID,       "sigmoid",        ACTIVATION,   SAME,    OUT,      4,  3, ALL,   NONE,  OUT,                   SPREAD,      OUT,           NOTHING,    SAME, "1 / (1 + exp(-x))") \
  X(TANH,          "tanh",           ACTIVATION,   SAME,    OUT,      1,  3, ALL,   NONE,  OUT,                   SPREAD,      OUT,           NOTHING,    SAME, "hyperbolic tangent") \
  X(EXP,           "exp",            ELEMENT,      SAME,    OUT,      1,  1, ALL,   NONE,  OUT,                   SPREAD,      OUT,           NOTHING,    WIDE, "exponential") \
  X(LOG,           "log",            ELEMENT,      SAME,    OUT,      1,  1, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    WIDE, "natural logarithm") \
  X(SOFTPLUS,      "softplus",       ACTIVATION,   SAME,    OUT,      3,  5, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    WIDE, "log(1 + exp(x))") \
  X(CLAMPED_GLU,   "clamped_glu",    ACTIVATION,   HALF,    OUT,     11, 19, ALL,   NONE,  IN,                    PACKED,      OUT,           NOTHING,    SAME, "(min(max(b, -7), 7) + 1) · g · sigmoid(1.702g), g = min(a, 7), for pairs (a, b)") \
  X(SOFTCAP,       "softcap",        ACTIVATION,   SAME,    OUT,      3,  4, ALL,   NONE,  OUT,                   SPREAD,      OUT,           NOTHING,    SAME, "c · tanh(x/c)") \
  X(CLAMP,         "clamp",          ELEMENT,      SAME,    OUT,      2,  1, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "min(max(x, a), b) for two numbers a and b") \
  X(LEAKY_RELU,    "leaky_relu",     ACTIVATION,   SAME,    OUT,      2,  2, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "max(x, 0) + min(x, 0) / 100") \
  X(HARDSWISH,     "hardswish",      ACTIVATION,   SAME,    OUT,      5,  5, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "x · min(max(x + 3, 0), 6) / 6") \
  X(MISH,          "mish",           ACTIVATION,   SAME,    OUT,      5, 11, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "x · tanh(log(1 + exp(x)))") \
  X(SQRT,          "sqrt",           ELEMENT,      SAME,    OUT,      1,  2, ALL,   NONE,  OUT,                   SPREAD,      OUT,           NOTHING,    SAME, "square root") \
  X(ERF,           "erf",            ELEMENT,      SAME,    OUT,      1,  5, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    SAME, "error function") \
  X(RMSNORM,       "rmsnorm",        NORM,         NORM,    IN,       3,  6, ALL,   NONE,  IN|STATS,              PACKED,      ROWS,          NOTHING,    SAME, "x / √(mean(x²) + ε) · w; each weight one more") \
  X(RMSNORM_1P,    "rmsnorm_1p",     NORM,         NORM,    IN,       3,  6, ALL,   NONE,  IN|STATS,              PACKED,      ROWS,          NOTHING,    WIDE, "x / √(mean(x²) + ε) · (1 + w); each weight one more") \
  X(LAYERNORM,     "layernorm",      NORM,         NORM,    IN,       3,  6, ALL,   NONE,  ALL|STATS|MEAN,        PACKED,      ROWS,          NOTHING,    WIDE, "(x - mean) / √(variance + ε) · w + b; each weight one more; centring is not counted") \
  X(GROUPNORM,     "groupnorm",      NORM,         NORM,    IN,       3,  6, ALL,   NONE,  IN|STATS|MEAN|NARROW,  PACKED,      ROWS,          NOTHING,    WIDE, "(x - mean) / √(variance + ε) over channels and places; its weight comes after it; centring is not counted") \
  X(L2NORM,        "l2norm",         NORM,         NORM,    IN,       3,  6, ALL,   NONE,  IN|STATS,              PACKED,      ROWS,          NOTHING,    SAME, "x / √(Σx² + ε)") \
  X(CAST,          "cast",           CAST,         SAME,    NONE,     0,  0, FIRST, ALL,   NOTHING,               CAST,        NOTHING,       NOTHING,    SAME, "the same numbers in another type: f32, run for that in which the model runs, or that of a second tensor") \
  X(CAST_PACKED,   "cast_packed",    CAST,         SAME,    NONE,     0,  0, FIRST, NONE,  NOTHING,               CAST_PACKED, NOTHING,       NOTHING,    SAME, "cast; what is new lies in row-major order") \
  X(POWER,         "power",          ELEMENT,      SAME,    OUT,      1,  3, ALL,   NONE,  IN,                    SPREAD,      OUT,           NOTHING,    WIDE, "xⁿ for a number n") \
  X(RSQRT,         "rsqrt",          ELEMENT,      SAME,    OUT,      2,  4, ALL,   NONE,  OUT,                   SPREAD,      OUT,           NOTHING,    WIDE, "1 / √x") \
  X(LOG_SOFTMAX,   "log_softmax",    LOSS,         ALONG,   IN,       4,  4, ALL,   NONE,  OUT,                   PACKED,      OUT,           NOTHING,    WIDE, "x - log(Σexp(x)) along an axis") \
  X(SOFTMAX,       "softmax",        SOFTMAX,      ALONG,   IN,       4,  4, ALL,   NONE,  OUT,                   PACKED,      ROWS,          NOTHING,    WIDE, "exp(x - max) / Σexp(x - max) along an axis") \
  X(SDPA,          "sdpa",           ATTENTION,    ATTEND,  NONE,     0,  0, ALL,   NONE,  ALL|OUT|STATS|RANDOM,  ATTEND,      OUT,           NOTHING,    LOW,  "attention in one operation: softmax of queries times keys, times values") \
  X(SDPA_WIDE,     "sdpa_wide",      ATTENTION,    ATTEND,  NONE,     0,  0, ALL,   NONE,  ALL|OUT|STATS|RANDOM,  PACKED,      OUT,           NOTHING,    LOW,  "sdpa in fp32, for queries of as many heads as there are keys") \
  X(SDPA_FLASH,    "sdpa_flash",     ATTENTION,    ATTEND,  NONE,     0,  0, ALL,   NONE,  ALL|OUT|STATS|RANDOM|ONE, ATTEND,   OUT,           NOTHING,    LOW,  "sdpa by flash attention, which keeps one number more of its generator") \
  X(CUMSUM,        "cumsum",         REDUCTION,    ALONG,   IN,       1,  1, ALL,   NONE,  NOTHING,               PACKED,      OUT,           NOTHING,    WIDE, "along an axis, the sum of all elements up to each") \
  X(BELOW,         "below",          MASK,         NORM,    NONE,     0,  0, ALL,   NONE,  PAIRS,                 PACKED,      NOTHING,       NOTHING,    SAME, "0 unless the second axis is before the first") \
  X(UPTO,          "upto",           MASK,         NORM,    NONE,     0,  0, ALL,   NONE,  PAIRS,                 PACKED,      NOTHING,       NOTHING,    SAME, "minus infinity where the second axis is after the first") \
  X(RESET,         "reset",          MASK,         NORM,    NONE,     0,  0, ALL,   NONE,  PAIRS,                 SPREAD,      NOTHING,       NOTHING,    SAME, "the same value; a mask says where along an axis a sequence begins") \
  X(SUM,           "sum",            REDUCTION,    REDUCE,  IN,       1,  0, ALL,   NONE,  NOTHING,               PACKED,      OUT,           NOTHING,    WIDE, "sum along an axis") \
  X(MEAN,          "mean",           REDUCTION,    REDUCE,  IN,       1,  0, ALL,   NONE,  NOTHING,               PACKED,      OUT,           NOTHING,    SAME, "mean along an axis") \
  X(STD,           "std",            REDUCTION,    REDUCE,  IN,       2,  1, ALL,   NONE,  IN|OUT,                PACKED,      OUT,           NOTHING,    SAME, "standard deviation along an axis; centring is not counted") \
  X(LOGSUMEXP,     "logsumexp",      REDUCTION,    REDUCE,  IN,       3,  3, ALL,   NONE,  IN|OUT,                PACKED,      OUT,           NOTHING,    WIDE, "log(Σexp(x)) along an axis") \
  X(PULL,          "pull",           REDUCTION,    REDUCE,  NONE,     0,  0, ALL,   NONE,  ENDS,                  PACKED,      NOTHING,       NOTHING,    SAME, "one element of an axis, where the data says: here the first") \
  X(LOOKUP,        "lookup",         LOOKUP,       LOOKUP,  NONE,     0,  0, ALL,   NONE,  INDEX,                 PACKED,      NOTHING,       NOTHING,    SAME, "rows of a table, chosen by number") \
  X(TAKE_ALONG,    "take_along",     MOVEMENT,     TAKE,    NONE,     0,  0, ALL,   NONE,  ALL,                   PACKED,      NOTHING,       NOTHING,    SAME, "elements of the last axis of the second operand, chosen by number") \
  X(POSITION,      "position",       POSITION,     LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "0, 1, 2 … along an axis") \
  X(HELD_POSITION, "held_position",  POSITION,     LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               HELD,        NOTHING,       NOTHING,    SAME, "position, from a list that the model holds") \
  X(BUCKET,        "bucket",         CONSTANT,     LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "numbers of distance classes of two axes") \
  X(ZEROS,         "zeros",          CONSTANT,     LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "zeros") \
  X(HELD_ZEROS,    "held_zeros",     CONSTANT,     LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               HELD,        NOTHING,       NOTHING,    SAME, "zeros, from a list that the model holds") \
  X(ROPE_TABLE,    "rope_table",     ROTARY_TABLE, LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               TABLES,      NOTHING,       ROPE_TABLE, SAME, "cosines and sines of positions") \
  X(ROPE_HALVES,   "rope_halves",    ROTARY_TABLE, LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               HALVES,      NOTHING,       ROPE_TABLE, SAME, "rope_table with one cosine and one sine for each pair") \
  X(ROPE_COMPLEX,  "rope_complex",   ROTARY_TABLE, LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               COMPLEX,     NOTHING,       ROPE_TABLE, SAME, "rope_table in complex numbers of fp32") \
  X(ROPE_PAIRS,    "rope_pairs",     ROTARY_TABLE, LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               TABLES,      NOTHING,       NOTHING,    SAME, "the cosines and sines of rope_table again, each of them twice in turn") \
  X(ROPE,          "rope",           ROTARY,       SAME,    ROTATED,  3,  3, FIRST, NONE,  NOTHING,               ROPE,        NOTHING,       NOTHING,    SAME, "rotates pairs of the last axis (its first R elements) by position") \
  X(ROUTE,         "route",          CHOICE,       CHOOSE,  NONE,     0,  0, ALL,   NONE,  IN|CHOICE,             PACKED,      OUT,           NOTHING,    SAME, "the A largest scores of the last axis, as weights of the experts chosen") \
  X(TOP,           "top",            CHOICE,       CHOOSE,  NONE,     0,  0, ALL,   NONE,  CHOICE,                PACKED,      OUT,           NOTHING,    SAME, "the A largest of the last axis") \
  X(DISPATCH,      "dispatch",       DISPATCH,     TARGET,  NONE,     0,  0, ALL,   NONE,  VISITS,                PACKED,      NOTHING,       NOTHING,    SAME, "the elements of a token, once for each expert that it visits") \
  X(COMBINE,       "combine",        COMBINE,      REDUCE,  IN,       1,  0, ALL,   NONE,  IN|VISITS,             PACKED,      OUT,           NOTHING,    SAME, "sum along an axis of experts, one expert after the other") \
  X(ORDER,         "order",          CHOICE,       SAME,    NONE,     0,  0, NONE,  NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "a list of places, one for each element") \
  X(GATHER,        "gather",         DISPATCH,     TARGET,  NONE,     0,  0, ALL,   NONE,  INDEX,                 PACKED,      NOTHING,       NOTHING,    SAME, "the second operand in another order, by a list of places; each element as often as the list has it") \
  X(ENDS,          "ends",           CHOICE,       LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               COUNTS,      NOTHING,       NOTHING,    SAME, "where the rows of each expert end") \
  X(GROUPED,       "grouped",        MOVEMENT,     SOLVE,   NONE,     0,  0, ALL,   ALL,   IN,                    SECOND,      NOTHING,       NOTHING,    SHUT, "the second operand; the first says which of its rows a product takes together") \
  X(NOBODY,        "nobody",         MASK,         SAME,    NONE,     0,  0, NONE,  NONE,  NOTHING,               MASK,        NOTHING,       NOTHING,    SAME, "a mask as one byte for each element, which hides none") \
  X(HIDE_HERE,     "hide_here",      MASK,         SOLVE,   NONE,     0,  0, ALL,   NONE,  IN,                    SECOND,      NOTHING,       NOTHING,    SAME, "hide_by, in the place of the second operand") \
  X(ADD_HERE,      "add_here",       ADD,          SOLVE,   OUT,      1,  0, ALL,   ALL,   NOTHING,               SECOND,      NOTHING,       NOTHING,    SAME, "sum, in the place of the second operand") \
  X(HOLD,          "hold",           MOVEMENT,     SOLVE,   NONE,     0,  0, SECOND, SECOND, NOTHING,             SECOND,      NOTHING,       NOTHING,    SAME, "the second operand; up to here a variable has the first") \
  X(HIDE,          "hide",           MASK,         SAME,    NONE,     0,  0, ALL,   NONE,  HIDDEN,                SPREAD,      NOTHING,       NOTHING,    SAME, "the same value; a mask says which elements cannot be chosen") \
  X(DROP,          "drop",           MASK,         SAME,    NONE,     0,  0, ALL,   NONE,  HIDDEN,                SPREAD,      NOTHING,       NOTHING,    SAME, "the same value; a mask says which elements a training step leaves out") \
  X(BEST,          "best",           CHOICE,       SAME,    NONE,     0,  0, ALL,   NONE,  CHOICE,                PACKED,      NOTHING,       NOTHING,    SAME, "the same value; all but the A largest of the last axis are put where they count for nothing") \
  X(COPIES,        "copies",         MOVEMENT,     TARGET,  NONE,     0,  0, ALL,   NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "repeat, with elements of its own for every index") \
  X(APART,         "apart",          MOVEMENT,     ALONG,   NONE,     0,  0, ALL,   NONE,  NOTHING,               STEPS,       NOTHING,       NOTHING,    SAME, "the same value; products with it are taken one by one along an axis") \
  X(COVER,         "cover",          MASK,         LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               MASK,        NOTHING,       NOTHING,    SAME, "a mask as one byte for each element") \
  X(HANDED,        "handed",         MASK,         LABELS,  NONE,     0,  0, NONE,  NONE,  NOTHING,               HANDED,      NOTHING,       NOTHING,    SAME, "a mask of zeros, made once and handed to every layer, which keeps it if it is recomputed") \
  X(HIDE_BY,       "hide_by",        MASK,         SOLVE,   NONE,     0,  0, ALL,   NONE,  IN,                    SPREAD,      NOTHING,       NOTHING,    SAME, "the second operand; the first, a cover, says which elements cannot be chosen") \
  X(AT_LEAST,      "at_least",       ELEMENT,      SOLVE,   OUT,      1,  1, ALL,   NONE,  ALL,                   SPREAD,      OUT,           NOTHING,    SAME, "the larger one: a single number, or an element of the second operand") \
  X(WHERE_POSITIVE, "where_positive", ELEMENT,      SOLVE,   OUT,      1,  1, ALL,   NONE,  HIDDEN,                SPREAD,      NOTHING,       NOTHING,    SAME, "the second operand where the first is above zero, else zero") \
  X(WEIGH,         "weigh",          ELEMENT,      SOLVE,   OUT,      1,  2, ALL,   NONE,  NOTHING,               SPREAD,      OUT,           NOTHING,    SAME, "product of a weight and the result of a norm, which keeps all that it takes") \
  X(TAKE,          "take",           MOVEMENT,     SAME,    NONE,     0,  0, ALL,   NONE,  ONE,                   PACKED,      NOTHING,       NOTHING,    SAME, "a copy of what one place of an axis holds, by a list of that place") \
  X(FIRST,         "first",          MOVEMENT,     TARGET,  NONE,     0,  0, ALL,   ALL,   NOTHING,               FIRST,       NOTHING,       NOTHING,    SAME, "the beginning of an axis") \
  X(COPY,          "copy",           MOVEMENT,     SAME,    NONE,     0,  0, ALL,   NONE,  NOTHING,               WHOLE,       NOTHING,       NOTHING,    SAME, "the same elements, in a place of their own") \
  X(CONTIGUOUS,    "contiguous",     MOVEMENT,     SAME,    NONE,     0,  0, ALL,   ALL,   NOTHING,               CONTIGUOUS,  NOTHING,       NOTHING,    SAME, "the same elements in row-major order: a copy, unless they lie so") \
  X(REPEAT,        "repeat",         MOVEMENT,     TARGET,  NONE,     0,  0, ALL,   ALL,   NOTHING,               REPEAT,      NOTHING,       NOTHING,    SAME, "the same elements for every index of new labels") \
  X(WINDOWS,       "windows",        MOVEMENT,     TARGET,  NONE,     0,  0, ALL,   ALL,   NOTHING,               WINDOWS,     NOTHING,       NOTHING,    SAME, "the same elements under other axes, read where they lie: by a convolution") \
  X(STACK,         "stack",          MOVEMENT,     PLACE,   NONE,     0,  0, ALL,   NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "place, where the positions are known beforehand") \
  X(PLACE,         "place",          MOVEMENT,     PLACE,   NONE,     0,  0, ALL,   NONE,  SPOTS,                 PACKED,      NOTHING,       NOTHING,    SAME, "elements put into some positions of others") \
  X(SOLVE,         "solve",          REDUCTION,    SOLVE,   SOLVE,    1,  2, ALL,   NONE,  IN|OUT,                PACKED,      OUT,           SOLVE,      SAME, "the solution y of (1 + lower triangle of a) y = b") \
  X(INVERSE,       "inverse",        REDUCTION,    SAME,    SOLVE,    1,  2, ALL,   NONE,  OUT,                   PACKED,      OUT,           NOTHING,    SAME, "the inverse of 1 + lower triangle of a matrix, its last two axes") \
  X(INVERSE_ROWS,  "inverse_rows",   REDUCTION,    SAME,    SOLVE,    1,  2, ALL,   NONE,  OUT|ROWS,              PACKED,      OUT,           NOTHING,    SAME, "inverse, one row after the other: each keeps itself and all before it") \
  X(STOP,          "stop",           MOVEMENT,     SAME,    NONE,     0,  0, NONE,  NONE,  NOTHING,               REPEAT,      NOTHING,       NOTHING,    SAME, "the same value; no gradient passes") \
  X(PICK,          "pick",           LOSS,         SCALAR,  NONE,     0,  0, FIRST, NONE,  LABELS,                PACKED,      NOTHING,       NOTHING,    WIDE, "mean of the negative elements at the wanted classes") \
  X(PICK_NEXT,     "pick_next",      LOSS,         SCALAR,  NONE,     0,  0, FIRST, NONE,  LABELS|NEXT,           PACKED,      NOTHING,       NOTHING,    WIDE, "pick, where the wanted class is that of the next place") \
  X(CROSS_ENTROPY, "cross_entropy",  LOSS,         SCALAR,  IN,       4,  2, FIRST, NONE,  OUT,                   PACKED,      PROBABILITIES, NOTHING,    WIDE, "mean of -log softmax at the wanted class") \
  X(SWIGLU,        "swiglu",         ACTIVATION,   SOLVE,   OUT,      6, 16, ALL,   NONE,  ALL,                   SPREAD,      OUT,           NOTHING,    SAME, "silu of the first operand times the second, in one operation") \
  X(CROSS_ENTROPY_HERE, "cross_entropy_here", LOSS, SCALAR, IN,      4,  2, FIRST, NONE,  IN|OVER,               PACKED,      PROBABILITIES, NOTHING,    WIDE, "cross_entropy, whose gradient is laid over its operand") \
  X(ALL_REDUCE,    "all_reduce",   COLLECTIVE,   SAME,    NONE,     0,  0, ALL,   ALL,   NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "the sum of what each device has") \
  X(REDUCE_HERE,   "reduce_here",  COLLECTIVE,   SAME,    NONE,     0,  0, ALL,   ALL,   NOTHING,               REPEAT,      NOTHING,       NOTHING,    SAME, "all_reduce, in the place of its operand") \
  X(SHARE,         "share",        COLLECTIVE,   SAME,    NONE,     0,  0, ALL,   ALL,   NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "the same part of the value on every device: they add up to it") \
  X(ENTER,         "enter",        COLLECTIVE,   SAME,    NONE,     0,  0, ALL,   NONE,  NOTHING,               REPEAT,      NOTHING,       NOTHING,    SAME, "the same value on every device, whose gradients are added up") \
  X(ALL_GATHER,    "all_gather",   COLLECTIVE,   TARGET,  NONE,     0,  0, ALL,   NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "the pieces of all devices; gradients of the whole are added up and scattered") \
  X(UNITE,         "unite",        COLLECTIVE,   TARGET,  NONE,     0,  0, ALL,   NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "all_gather, where every device has the same gradient and takes its piece") \
  X(REDUCE_SCATTER, "reduce_scatter", COLLECTIVE, TARGET, NONE,     0,  0, ALL,   NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "a piece of the sum of what each device has") \
  X(PIECE,         "piece",        COLLECTIVE,   TARGET,  NONE,     0,  0, ALL,   NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "the piece of this device") \
  X(ALL_TO_ALL,    "all_to_all",   COLLECTIVE,   TARGET,  NONE,     0,  0, ALL,   NONE,  NOTHING,               PACKED,      NOTHING,       NOTHING,    SAME, "pieces along another axis")
/* clang-format on */

typedef enum rk_op_id {
#define RK_OP_ENUM(ID, ...) RK_OP_##ID,
    RK_OPS(RK_OP_ENUM)
#undef RK_OP_ENUM
    RK_N_OP
} rk_op_id;

typedef struct rk_op_row {
    const char *name;
    rk_op_class class;
    rk_shape_rule shape;
    rk_per per;
    int forward, backward;
    rk_grad_rule grad, passes;
    unsigned saves;
    rk_place_rule place;
    rk_book_rule book;
    rk_torch_rule torch;
    rk_autocast_rule autocast;
    const char *text;
} rk_op_row;

extern const rk_op_row rk_op_table[RK_N_OP];

/* The row of an operation written by name in a model file, or RK_N_OP. */
rk_op_id rk_op_find(const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * reckon.h - the books of a Transformer model: exact parameters, FLOPs and bytes, and the formula behind each number.
 *
 *     #include <reckon.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         reckon_request request = {0};
 *         reckon_account *account = NULL;
 *         reckon_error error = {0};
 *         reckon_count flops = {0};
 *         char text[RECKON_COUNT_TEXT_MAX];
 *
 *         request.model = "gpt2-xl";
 *         request.symbols = "B=8 S=1024";
 *         if (reckon_open(&request, &account, NULL, &error) == RECKON_OK &&
 *             reckon_value(reckon_total(account, RECKON_FORWARD), &flops, &error) == RECKON_OK)
 *             printf("%s FLOPs\n", reckon_count_text(flops, ',', text));
 *         else
 *             printf("%s\n", error.message);
 *         reckon_close(&account);
 *         return error.code != RECKON_OK;
 *     }
 *
 * Build it with  cc program.c $(pkg-config --cflags --libs reckon).
 *
 * This header reads from top to bottom.  A *request* says which model, at which numbers, under which convention of
 * counting.  Opening it gives an *account*: the symbols of the model, its weights, its operations, its parts, and the
 * totals.  Every quantity in an account is a *figure*.  A figure is a closed formula, and, where its symbols have
 * numbers, also a number; both are exact.  A *sheet* evaluates figures again and again at new numbers.
 *
 * Beside accounts there are three more things to open.  A *memory* is what a step of training or of serving occupies.
 * A *gauge* reads quantities by their names ("flops", "memory.peak", "flops:attention/flops") at many numbers.  A
 * *checkpoint* is the tensors that a file stores, which may be held against an account.
 *
 * Four rules hold throughout.
 *
 * Errors     A function that can fail returns RECKON_OK, which is 0, or one of the negative codes below.  Its last
 *            argument is a reckon_error of yours, which then says in words what went wrong; it may be NULL.  On failure
 *            nothing else of yours is touched.  The library never prints, never exits, and remembers no last error.
 *
 * Ownership  What a function gives you through a `**out` argument is yours: hand it to the function that its
 *            description names, which frees it and sets your pointer to NULL, so that freeing twice is harmless.
 *            What a function returns as a pointer to const belongs to the object that it came from, and lives as long.
 *            Texts that you pass in are copied or used up before the call returns.  All texts are UTF-8, terminated.
 *
 * NULL       An argument may be NULL where this is said.  Otherwise a NULL object, or NULL for an `out`, is an error
 *            but no crash: functions that return a code answer RECKON_EUSAGE, functions that count answer 0, and
 *            functions that return a pointer answer NULL.
 *
 * Threads    An account is finished when reckon_open returns it, and never changes: any number of threads may read it
 *            at once, without locks, and make sheets and lists of tensors from it.  The same holds of a memory, of a
 *            checkpoint, and of what a comparison with one found.  A sheet, a gauge, or a list of tensors is one
 *            thread's at a time: several threads have one each.  Freeing an account needs that no one uses it, or
 *            anything from it, any more.  Opening may be done in several threads at once: the library has no state of
 *            its own, and looks only at the files that a request names.  The one thing that it asks the environment
 *            for is where Hugging Face's tools keep their models (HF_HOME and the like), and only for a name such as
 *            org/name.
 */
#ifndef RECKON_H
#define RECKON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version ---------------------------------------------------------------------------------------------------- */

/* Of this header.  While the major number is 0, a new minor number may change anything. */
#define RECKON_VERSION_MAJOR 0
#define RECKON_VERSION_MINOR 1
#define RECKON_VERSION_PATCH 0

/* Of the library that the program runs with: "0.1.0".  Constant text, never NULL. */
const char *reckon_version(void);

/* ---- errors ----------------------------------------------------------------------------------------------------- */

typedef enum reckon_code {
    RECKON_OK = 0,
    RECKON_EINPUT = -1,    /* the input is wrong: an unknown name, a model file, a config, a symbol */
    RECKON_EUSAGE = -2,    /* the call is wrong: a NULL, an index or a choice out of range */
    RECKON_EOVERFLOW = -3, /* a number does not fit: counts have 128 bits */
    RECKON_ENOMEM = -4,    /* memory ran out */
    RECKON_EIO = -5,       /* the system refused: a file cannot be read */
    RECKON_ELIMIT = -6,    /* a limit was reached; the message names it */
    RECKON_EVALUE = -7,    /* a symbol has no number, or the numbers lead to none: a division with a remainder … */
    RECKON_ESTOPPED = -8   /* a call-back of yours wanted no more of it, or its budget is spent */
} reckon_code;

#define RECKON_MESSAGE_MAX 2048

/* Yours, on the stack or elsewhere; it needs no initialisation, and no freeing. */
typedef struct reckon_error {
    int code;                         /* the same that the function returned; untouched when it succeeds */
    char message[RECKON_MESSAGE_MAX]; /* one line without its end; may quote names from files as they are */
} reckon_error;

/* ---- counts ----------------------------------------------------------------------------------------------------- */

/*
 * An exact count: high · 2^64 + low.  The parameters of a model fit into 64 bits and its FLOPs often do; those of a
 * training run do not.
 */
typedef struct reckon_count {
    uint64_t low, high;
} reckon_count;

#define RECKON_COUNT_TEXT_MAX 64 /* room for any count with its separators and its terminator */

/*
 * All decimal digits, written into `text`, which is returned: "1557611200", or "1,557,611,200" with the separator ','.
 * The separator '\0' separates nothing.  Returns NULL when `text` is NULL.
 */
char *reckon_count_text(reckon_count n, char separator, char text[RECKON_COUNT_TEXT_MAX]);

/* The count as one integer.  RECKON_EOVERFLOW when it needs more than 64 bits; `*out` is then untouched. */
int reckon_count_u64(reckon_count n, uint64_t *out);

/* The nearest double.  Rounded: a double is exact up to 2^53 only.  For shares, ratios and charts. */
double reckon_count_rounded(reckon_count n);

/* Exact sum and product.  RECKON_EOVERFLOW when it needs more than 128 bits; `*out` is then untouched. */
int reckon_count_add(reckon_count a, reckon_count b, reckon_count *out);
int reckon_count_multiply(reckon_count a, reckon_count b, reckon_count *out);

/* Below, at, or above zero, as a is below, at, or above b. */
int reckon_count_compare(reckon_count a, reckon_count b);

/* ---- what a FLOP is --------------------------------------------------------------------------------------------- */

/* Which operations count. */
typedef enum reckon_counting {
    RECKON_COUNT_MATMUL = 0, /* products that sum over an index: what the field means by FLOPs */
    RECKON_COUNT_ALL,        /* every operation: norms, softmax, activations, biases, sums too */
    RECKON_COUNT_TORCH       /* what the FLOP counter of PyTorch sees; masks in full, unit FLOP */
} reckon_counting;

/* How masked attention counts. */
typedef enum reckon_masking {
    RECKON_MASK_FULL = 0, /* the whole square of queries and keys; of a window or chunk its keys for each query */
    RECKON_MASK_EXACT     /* only the pairs that the mask allows: causal S(S + 1)/2, a window, chunks */
} reckon_masking;

/* What a multiplication and the addition after it count. */
typedef enum reckon_unit {
    RECKON_UNIT_FLOP = 0, /* two */
    RECKON_UNIT_MAC       /* one */
} reckon_unit;

/* All zero is the usual convention. */
typedef struct reckon_convention {
    reckon_counting counting;
    reckon_masking masking;
    reckon_unit unit;
} reckon_convention;

/* ---- opening a model -------------------------------------------------------------------------------------------- */

/*
 * Which model, at which numbers, counted how.  Set it to zero, then fill in what you need: members that later versions
 * add mean nothing when they are zero.
 *
 * `model` alone is one of
 *
 *     gpt2-xl                a model that is known by name (reckon_library_new lists them)
 *     my-model.rk            the path of a model file
 *     path/to/config.json    the path of a config, whose family says which model file reads it
 *     path/to                a folder that holds config.json, or else a checkpoint
 *     model.safetensors      a checkpoint whose config.json stands beside it, or its index
 *     model.gguf             a checkpoint whose metadata says what it is
 *     org/name               a model that Hugging Face's tools have stored on this machine; nothing is fetched
 *     -                      a config on standard input
 *
 * A word that names an existing file or folder, contains a slash, or ends as a model file, a config or a checkpoint
 * does is a path.
 *
 * `model` and `config` together are a family (the name or the path of a model file) and a config for it (a name, a
 * path, a folder or -).
 *
 * Each may instead be a text in memory; the word beside it, `model` or `config`, is then only what messages and
 * reckon_model_name call it, and may be NULL:
 *
 *     model_text                     a model file that needs no config
 *     model_text, config             … with a config by name or path
 *     model_text, config_text        … with a config in memory too
 *     config_text                    a config in memory, whose family says which model file reads it
 *     model, config_text             … read by the model file of this family
 *
 * A model file from a stranger is safe: it always ends, runs nothing, and in memory it can use the library alone.
 */
typedef struct reckon_request {
    const char *model;
    const char *config;
    const char *model_text;
    const char *config_text;

    /*
     * Numbers for symbols, and words for choices, separated by spaces or commas: "B=8 S=4096 scan=recurrent".  Any
     * symbol of the model may be set, those of its config too.  16K and 16Ki are 16,384, 16k is 16,000; likewise M, G,
     * T and m, g, t.  NULL: none.  Where they are not set, most models have B = 1 and S = their context, at most 4096.
     */
    const char *symbols;

    const char *library; /* a folder of model files and configs, searched before the built-in ones; NULL: none */
    reckon_convention convention;

    /*
     * Over devices: the axes of a layout, and after them, separated by spaces, what else is said of it, in the words of
     * reckon-ranks(1): "fsdp=8,tp=4,sp", "fsdp=8 --compute bf16 --reduce fp32", "pp=4 --micro 8 --rank 3".  All figures
     * are then of one of the devices, its rank: of an account the first, unless it is said; of a memory the one that
     * holds most.  The sizes of the axes are symbols in formulas.  NULL: there is one device.
     */
    const char *layout;
} reckon_request;

/* A model with its books closed: see the tables below. */
typedef struct reckon_account reckon_account;

/*
 * Opens a model and does its books.  `*out` is freed with reckon_close.
 *
 * A model file may have many mistakes, and all that can be found are shown in place.  If there are any, and `mistakes`
 * is not NULL, `*mistakes` gets this text, freed with reckon_text_free, and `error` says only how many there are:
 *
 *     my-model.rk:12:9: S is summed here but stands on the left
 *         scores[B N S T] = q[B S N H] * k[B T N H]
 *                    ^
 *
 * In all other cases `*mistakes` is untouched, so set it to NULL first.
 *
 * RECKON_EINPUT: the model, its family or a symbol is unknown (the nearest known one is named), or a file is wrong.
 * RECKON_EIO: a file cannot be read.  RECKON_EUSAGE: the request names no model, or cannot be read.
 *
 * Symbols without a number are no failure here: formulas need none.
 */
int reckon_open(const reckon_request *request, reckon_account **out, char **mistakes, reckon_error *error);

/* Frees an account and sets the pointer to NULL.  NULL, or a pointer to NULL, is fine. */
void reckon_close(reckon_account **account);

/* Frees a text that the library gave, and sets the pointer to NULL.  NULL, or a pointer to NULL, is fine. */
void reckon_text_free(char **text);

/* What the request called the model ("gpt2-xl"), its family ("gpt2"), and one line about it, which may be empty. */
const char *reckon_model_name(const reckon_account *account);
const char *reckon_model_family(const reckon_account *account);
const char *reckon_model_about(const reckon_account *account);

/* ---- figures ---------------------------------------------------------------------------------------------------- */

/*
 * A quantity of an account: a closed formula over the symbols of the model.  Figures belong to their account.  Two
 * figures of one account with equal formulas are the same figure.
 */
typedef struct reckon_figure reckon_figure;

/*
 * The number that a figure is, at the numbers of the request.  RECKON_EVALUE: a symbol has no number (the message names
 * it), or the numbers lead to no count.  RECKON_EOVERFLOW: it needs more than 127 bits.
 */
int reckon_value(const reckon_figure *figure, reckon_count *out, reckon_error *error);

/* How a formula is written: RECKON_TEXT or RECKON_LATEX, with RECKON_FACTORED added or not. */
enum {
    RECKON_TEXT = 0,    /* 8BSD² + 4BS²D + 6BSDF */
    RECKON_LATEX = 1,   /* 8BSD^{2} + 4BS^{2}D + 6BSDF */
    RECKON_FACTORED = 2 /* 2BSD(4D + 2S + 3F) */
};

/*
 * Writes the formula of a figure.  `*out` is freed with reckon_text_free.  A symbol that is defined by others (H = D/N)
 * is put in or left, whichever is simpler; a figure without symbols is a plain number.  What is printed as text, and
 * evaluated by hand, gives what reckon_value gives.
 */
int reckon_formula(const reckon_figure *figure, int style, char **out, reckon_error *error);

/* ---- totals ----------------------------------------------------------------------------------------------------- */

typedef enum reckon_quantity {
    RECKON_STORED = 0, /* parameters; a tensor with two names counts once: what papers quote */
    RECKON_NAMED,      /* parameters; a tensor counts under each of its names */
    RECKON_ACTIVE,     /* parameters that one token uses: stored, less the experts that it does not visit */
    RECKON_FORWARD,    /* operations of a forward pass */
    RECKON_BACKWARD,   /* operations of a backward pass */
    RECKON_STEP        /* both */
} reckon_quantity;

/*
 * A total of the whole model.  It is the sum of the rows below, Σ times × figure: of weights for parameters, of
 * operations for the others.  NULL for a quantity that there is not.
 */
const reckon_figure *reckon_total(const reckon_account *account, reckon_quantity quantity);

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

typedef enum reckon_symbol_kind {
    RECKON_SYMBOL_RUN = 0, /* of a run: B sequences, S tokens, U target tokens, T keys seen */
    RECKON_SYMBOL_MODEL    /* of the model: D, L, N … */
} reckon_symbol_kind;

typedef struct reckon_symbol {
    const char *name;    /* as it stands in formulas */
    const char *meaning; /* one line, or NULL */
    const char *key;     /* the key of the config that it comes from ("n_embd"), or NULL */
    reckon_symbol_kind kind;
    int known;                       /* 1: it has a number; 0: it has none, and `value` is 0 */
    uint64_t value;                  /* its number */
    int was_set;                     /* 1: the request set it */
    int may_change;                  /* 1: reckon_sheet_set takes it */
    const reckon_figure *definition; /* what it is defined as (H = D/N), or NULL */
} reckon_symbol;

/* In the order of the model file; NULL where `i` is out of range, here and in the tables below. */
size_t reckon_symbol_count(const reckon_account *account);
const reckon_symbol *reckon_symbol_at(const reckon_account *account, size_t i);

/* ---- weights ---------------------------------------------------------------------------------------------------- */

/* The tensors of one line of the model file: one of them, or one in each layer of a kind. */
typedef struct reckon_weight {
    const char *pattern;               /* its name, with {i} for numbers of layers */
    const char *part;                  /* the part in which it stands: "layers.attention"; "": none */
    const reckon_figure *const *shape; /* n_shape sizes, as stored */
    size_t n_shape;                    /* 0: a single number */
    const reckon_figure *count;        /* elements of one such tensor */
    const reckon_figure *active;       /* elements of one that a token uses */
    const reckon_figure *times;        /* how many such tensors */
    const char *tied_to;               /* the pattern of the weight whose storage this is too, or NULL */
    int is_frozen;                     /* 1: a parameter that is not trained */
    int is_unused;                     /* 1: a parameter that no operation reads */
    int is_buffer;                     /* 1: stored beside the parameters, none of them, in no total */
    const char *equation;              /* where the model file has it: this piece of text … */
    const char *file;                  /* … in this file … */
    int line;                          /* … on this line, from 1 on */
} reckon_weight;

/* Parameters in the order of the program, then buffers. */
size_t reckon_weight_count(const reckon_account *account);
const reckon_weight *reckon_weight_at(const reckon_account *account, size_t i);

/* ---- every single tensor ---------------------------------------------------------------------------------------- */

typedef struct reckon_tensor {
    const char *name;      /* as the reference implementation has it: "transformer.h.0.attn.c_attn.weight" */
    const uint64_t *shape; /* n_shape sizes */
    size_t n_shape;
    reckon_count count;          /* elements */
    const char *tied_to;         /* the name of the tensor whose storage this is too, or NULL */
    const reckon_weight *weight; /* the row that it belongs to */
} reckon_tensor;

/* Walks over the tensors; made from an account, which must outlive it. */
typedef struct reckon_tensors reckon_tensors;

/* `*out` is freed with reckon_tensors_free. */
int reckon_tensors_new(const reckon_account *account, reckon_tensors **out, reckon_error *error);

/*
 * The next tensor, in the order of the program and layer by layer; buffers last.  `*out` is valid until the next call;
 * at the end it becomes NULL.
 *
 *     while ((code = reckon_tensors_next(tensors, &tensor, &error)) == RECKON_OK && tensor)
 *         puts(tensor->name);
 *
 * RECKON_EVALUE: the number of layers, or a size, has no number.
 */
int reckon_tensors_next(reckon_tensors *tensors, const reckon_tensor **out, reckon_error *error);

void reckon_tensors_free(reckon_tensors **tensors);

/* ---- operations ------------------------------------------------------------------------------------------------- */

/* An operation of the model that counts under the convention.  Its figures are of one occurrence. */
typedef struct reckon_operation {
    const char *path;   /* where it stands: "layers.attention.scores" */
    const char *kind;   /* what it does: "product", "rmsnorm", "softmax" … */
    const char *layers; /* "0-2,5": the layers in which it occurs; NULL: all, or none are */
    const reckon_figure *times;
    const reckon_figure *forward, *backward, *step;
    const reckon_weight *weight; /* the weight that it uses, or NULL */
    const char *equation;        /* where the model file has it: see reckon_weight */
    const char *file;
    int line;
} reckon_operation;

/* In an order in which they can be run. */
size_t reckon_operation_count(const reckon_account *account);
const reckon_operation *reckon_operation_at(const reckon_account *account, size_t i);

/* ---- parts ------------------------------------------------------------------------------------------------------ */

/*
 * A part of the model, with all that stands in it summed up.  Parts form a tree: part 0 is the whole, and each part
 * comes before those in it.  Layers of different kinds are different parts of the same path.  Figures are of one
 * occurrence: in the whole model, part i has times × stored parameters.
 */
typedef struct reckon_part {
    const char *name;   /* its own: "attention"; the whole: "" */
    const char *path;   /* "layers.attention" */
    const char *label;  /* the path, with layers where they are of several kinds: "layers[0-2,5].attention" */
    const char *layers; /* "0-2,5", or NULL: all, or none are */
    size_t parent;      /* the part around it; of the whole: 0 */
    unsigned depth;     /* how many parts are around it; of the whole: 0 */
    const reckon_figure *times;
    const reckon_figure *stored, *active;
    const reckon_figure *forward, *backward, *step;
} reckon_part;

size_t reckon_part_count(const reckon_account *account);
const reckon_part *reckon_part_at(const reckon_account *account, size_t i);

/* ---- many numbers quickly --------------------------------------------------------------------------------------- */

/*
 * Some figures of an account, compiled into a list of multiplications and additions, to be evaluated at many numbers of
 * the run: a sweep over S, the largest B that fits.  Evaluating allocates nothing, and takes about a microsecond.
 */
typedef struct reckon_sheet reckon_sheet;

/*
 * Compiles n figures of one account, which must outlive the sheet.  The numbers are those of the request at first.
 * `*out` is freed with reckon_sheet_free.
 */
int reckon_sheet_new(const reckon_account *account, const reckon_figure *const *figure, size_t n, reckon_sheet **out,
                     reckon_error *error);

/*
 * Sets a symbol of the run to a number from 1 to 2^63 - 1; symbols that are defined by it follow.  RECKON_EINPUT: there
 * is no such symbol, the number is out of range, or the symbol is one whose number has shaped the account (see
 * reckon_symbol.may_change): open the model anew for these.  What the model file checks (`check`) is not checked again.
 */
int reckon_sheet_set(reckon_sheet *sheet, const char *symbol, uint64_t value, reckon_error *error);

/* The n numbers, in the order of the figures, exactly as reckon_value would give them; `out` has room for n. */
int reckon_sheet_evaluate(reckon_sheet *sheet, reckon_count *out, reckon_error *error);

void reckon_sheet_free(reckon_sheet **sheet);

/* ---- the memory of a step --------------------------------------------------------------------------------------- */

/*
 * How a step is run.  Set it to zero, then fill in what you need: a word that is NULL, or a number that is 0, says
 * nothing, and then the first word of a list holds.  Words and numbers are those of the options of reckon-memory(1)
 * that are called like them; that page explains them in full.
 */
typedef struct reckon_run {
    const char *phase;     /* "train", "prefill": reading a prompt, "decode": one new token for each sequence */
    const char *profile;   /* "torch": what PyTorch keeps, to the byte; "textbook": what a derivation by hand lists */
    const char *dtype;     /* of the run: "fp32", "tf32", "bf16", "fp16", "fp8"; NULL: the config's, or else fp32 */
    const char *attention; /* "sdpa" or "flash": in one operation; "eager": in several; NULL: as it runs */
    const char *experts;   /* "grouped": all in one product, sorted by expert, as on GPUs; "each": one by one */
    const char *weights;   /* in which matrices are stored: "same" as dtype, "fp8", "int8", "nf4", "q4_k" … */

    /* Of training: */
    const char *recipe;     /* usual words for those below: "fp32", "mixed", "bf16", "megatron", "lora", "qlora" */
    const char *recompute;  /* backward: "none"; "selective": attention's scores; "full": all but what enters layers */
    const char *optimizer;  /* "adamw", "adamw-foreach", "sgd", "momentum", "lion", "adam8bit", "adafactor", "muon" */
    const char *master;     /* "none"; "fp32": a second copy of the weights, and the optimizer's state, in fp32 */
    const char *grad_dtype; /* in which gradients are added up, in buffers that stay: "same", "fp32", "bf16", "fp16" */
    const char *loss;       /* cross entropy: "ce", "chunked", "fused"; or "none" */
    const char *dropout;    /* "0": none; "config": with the probabilities of the config */
    uint64_t recompute_every; /* keep what enters every so many-th layer alone */
    uint64_t accumulate;      /* passes whose gradients are added up for one step of the optimizer */
    uint64_t loss_chunk;      /* tokens at a time, of a chunked or fused loss */

    /* Of prefill and decode: */
    const char *kv_dtype; /* in which keys and values are stored: "same", "fp8", "int8", "q8_0" … */

    /* Adapters, and what is frozen: */
    uint64_t lora;          /* the rank of adapters, beside which nothing is trained; 0: there are none */
    const char *targets;    /* the linear layers that get them, between commas; NULL: "q,v" */
    const char *lora_dtype; /* "fp32", "same" */
    const char *freeze;     /* what is not trained, between commas: parts, tensors, patterns */

    uint64_t within; /* find the largest batch B whose peak (textbook: whose sum) is within so many bytes; 0: do not */
} reckon_run;

/* A step on paper: what it occupies, moment by moment. */
typedef struct reckon_memory reckon_memory;

/*
 * Opens a model for a step, and takes the step on paper.  `run` may be NULL: a training step of PyTorch.  Decoding, a
 * step has one new token (S = 1) unless the request says more, and sees T keys: as many as S would otherwise be.
 * `*out` is freed with reckon_memory_close; `mistakes` is as in reckon_open.
 *
 * RECKON_EUSAGE: a word is none of its list (the nearest is named), or words contradict each other or have nothing to
 * do with the phase.  RECKON_EINPUT: as in reckon_open, or the model cannot take such a step.  RECKON_EVALUE: a symbol
 * has no number, which memory needs.
 */
int reckon_memory_open(const reckon_request *request, const reckon_run *run, reckon_memory **out, char **mistakes,
                       reckon_error *error);
void reckon_memory_close(reckon_memory **memory);

/*
 * The account of the model as the step runs it: its symbols with the numbers that the step has (the batch that was
 * found, the keys that are seen), and under the profile "torch" its operations written out one by one.  It owns the
 * figures below, and lives as long as the memory: it is not to be closed.
 */
const reckon_account *reckon_memory_account(const reckon_memory *memory);

typedef enum reckon_bytes {
    RECKON_BYTES_WEIGHTS = 0,
    RECKON_BYTES_GRADIENTS, /* of the weights */
    RECKON_BYTES_OPTIMIZER, /* its state, and a master copy of the weights */
    RECKON_BYTES_SAVED,     /* saved for backward */
    RECKON_BYTES_CACHE,     /* keys, values and states, when the step has ended */
    RECKON_BYTES_SUM,       /* all of these together: the account of a textbook */
    RECKON_BYTES_PEAK       /* the most that is alive at any moment, the matrix library's workspace included */
} reckon_bytes;

/*
 * So many bytes, and why.  The value of the formula and what the allocator rounds up are together the bytes.  A formula
 * holds for other numbers as long as the same moment is the largest, and for those that `holds_for` says; a gauge reads
 * "memory.peak" at any numbers.
 */
typedef struct reckon_amount {
    reckon_count bytes;
    const reckon_figure *formula; /* NULL: none is known, as of some moments of a chunked loss */
    reckon_count rounding;        /* 0 of all but moments */
    const char *holds_for; /* "B > 1 and S > 1": where an axis has one element, copies are views; NULL: for all */
} reckon_amount;

/* NULL for bytes that there are not. */
const reckon_amount *reckon_memory_total(const reckon_memory *memory, reckon_bytes which);

/* FLOPs that recomputing adds to the backward pass. */
const reckon_figure *reckon_memory_recomputed(const reckon_memory *memory);

typedef enum reckon_rows {
    RECKON_ROWS_SAVED = 0, /* they add up to RECKON_BYTES_SAVED */
    RECKON_ROWS_CACHE,     /* … to RECKON_BYTES_CACHE */
    RECKON_ROWS_PEAK       /* … to RECKON_BYTES_PEAK: what is alive then, as the allocator rounds it */
} reckon_rows;

/* So many buffers of one kind. */
typedef struct reckon_buffer {
    const char *path;   /* whose: "layers.attention.scores"; of a weight's gradient, its pattern; "": see what */
    const char *what;   /* "copy", "gradient", "cache", "mean" …; NULL: the result itself */
    const char *layers; /* "0-2,5"; NULL: all, or none are */
    reckon_count bytes; /* of one */
    reckon_count times; /* how many of them */
    const reckon_figure *formula; /* of one; NULL in RECKON_ROWS_PEAK */
    const char *holds_for;        /* as in reckon_amount */
} reckon_buffer;

size_t reckon_memory_row_count(const reckon_memory *memory, reckon_rows which);
const reckon_buffer *reckon_memory_row_at(const reckon_memory *memory, reckon_rows which, size_t i);

/* A moment that could be the peak. */
typedef struct reckon_moment {
    const char *during;   /* "the forward pass", "the optimizer's step" … */
    const char *path;     /* the operation being done, or NULL */
    reckon_amount amount; /* of all that is alive then */
} reckon_moment;

/* The largest first, which is the peak. */
size_t reckon_memory_moment_count(const reckon_memory *memory);
const reckon_moment *reckon_memory_moment_at(const reckon_memory *memory, size_t i);

/* Of which of the devices of reckon_request.layout it is. */
typedef struct reckon_rank {
    uint64_t rank;       /* its number, from 0 on */
    uint64_t devices;    /* how many there are */
    const char *runtime; /* whose way of doing it: "torch" … */
} reckon_rank;

/* NULL where there is no layout. */
const reckon_rank *reckon_memory_rank(const reckon_memory *memory);

/* What the rank does together with others in a step, so many times. */
typedef struct reckon_sent {
    const char *phase;     /* "fwd", "bwd", "opt"; of a pipeline "fwdbwd"; "prefill", "decode" */
    const char *operation; /* "all_gather", "reduce_scatter", "all_reduce", "all_to_all", "broadcast", "send" … */
    const char *group;     /* the axis of the mesh, "fsdp" … */
    uint64_t size;         /* … and how many devices are in one group */
    uint64_t number_bytes; /* of an element */
    reckon_count elements; /* of the whole tensor: gathered, or before it is scattered */
    reckon_count times;    /* in a step */
    const reckon_figure *formula; /* of the elements */
} reckon_sent;

size_t reckon_memory_sent_count(const reckon_memory *memory);
const reckon_sent *reckon_memory_sent_at(const reckon_memory *memory, size_t i);

/* What was found of reckon_run.within.  The memory is that of the largest batch; of B = 1 where not even that fits. */
typedef struct reckon_fit {
    reckon_count limit;   /* bytes that there are */
    reckon_count largest; /* B; 0: not even one fits */
    reckon_count bytes;   /* of the largest; of one, where not even that fits */
    int next_known;       /* 0: one more is more than can be counted, and `next` is 0 */
    reckon_count next;    /* bytes of one more */
} reckon_fit;

/* NULL where nobody asked. */
const reckon_fit *reckon_memory_fit(const reckon_memory *memory);

/* ---- quantities by name ----------------------------------------------------------------------------------------- */

/*
 * Quantities of a model, compiled once and read at many numbers of some symbols.  A reading takes less than a
 * microsecond, that of a peak a few; a number that shapes the model (of layers, of heads) has the model opened anew,
 * which is done where it is needed and takes milliseconds.
 */
typedef struct reckon_gauge reckon_gauge;

/*
 * `quantities` are names between commas.  Each is one of
 *
 *     params params.active params.named flops flops.backward flops.step moved
 *     memory.weights memory.gradients memory.optimizer memory.saved memory.cache memory.peak
 *
 * or of parts, flops:attention or flops:scores+context; or a ratio of two, flops:ffn/flops.  docs/asking.md has more.
 *
 * `symbols` are those that will be set, with the first number of each: "B=1 S=4096"; the request must not set them too.
 * The size of an axis of a layout is one of them, too ("fsdp=1"), if the request's layout does not say it.
 * NULL: none.  `run` says how the step of memory is run; NULL: as in reckon_memory_open.  All is copied: a gauge needs
 * nothing else to live.  `*out` is freed with reckon_gauge_free.
 *
 * RECKON_EINPUT: there is no such quantity, part or symbol (the nearest is named), or as in reckon_open.  Mistakes of a
 * model file stand in the message, as many as it has room for.  RECKON_EVALUE: another symbol has no number.
 */
int reckon_gauge_new(const reckon_request *request, const reckon_run *run, const char *quantities, const char *symbols,
                     reckon_gauge **out, reckon_error *error);
void reckon_gauge_free(reckon_gauge **gauge);

typedef struct reckon_measure {
    const char *name; /* as it was asked for: "flops:attention/flops" */
    const char *unit; /* "parameters", "FLOPs", "MACs", "bytes", "FLOPs per byte"; of two of one unit: "" */
    int is_ratio;
} reckon_measure;

/* In the order in which they were asked for. */
size_t reckon_gauge_count(const reckon_gauge *gauge);
const reckon_measure *reckon_gauge_at(const reckon_gauge *gauge, size_t i);

/* Sets one of the symbols to a number from 1 to 2^63 - 1.  RECKON_EINPUT: it is none of them, or out of range. */
int reckon_gauge_set(reckon_gauge *gauge, const char *symbol, uint64_t value, reckon_error *error);

/* over ÷ under, which is 1 where a quantity is no ratio. */
typedef struct reckon_reading {
    reckon_count over, under;
} reckon_reading;

/*
 * Reads every quantity; `out` has room for all.  RECKON_EINPUT: the model does not allow these numbers.  After a
 * failure other numbers may be set and read.
 */
int reckon_gauge_read(reckon_gauge *gauge, reckon_reading *out, reckon_error *error);

/*
 * The formulas of quantity i, in a style of reckon_formula, at the numbers at which the model was opened last; each is
 * freed with reckon_text_free.  `*over` becomes NULL where there is no formula (of a peak: reckon_moment has those that
 * there are; or a ratio of memory and operations), `*under` where the quantity is no ratio either.
 */
int reckon_gauge_formula(reckon_gauge *gauge, size_t i, int style, char **over, char **under, reckon_error *error);

/* ---- checkpoints ------------------------------------------------------------------------------------------------ */

/* The tensors that a checkpoint stores.  Headers alone are read, never the numbers themselves. */
typedef struct reckon_stored reckon_stored;

/*
 * `path` is a safetensors file, its index, a GGUF file, or a folder with one of these.  What is read has been checked:
 * each shape times its format fills the span of its bytes, and the spans fill the file.  `*out` is freed with
 * reckon_stored_close.  RECKON_EINPUT: it is not what the format demands; the message names the byte.
 */
int reckon_stored_open(const char *path, reckon_stored **out, reckon_error *error);
void reckon_stored_close(reckon_stored **stored);

typedef struct reckon_stored_tensor {
    const char *name;      /* as the file has it, which may be any UTF-8 */
    int known;             /* 0: an index lists it, and its file is not here: all below but `file` is then 0 or NULL */
    const char *dtype;     /* "F32", "BF16", "Q4_K" … */
    const uint64_t *shape; /* n_shape sizes, the slowest first, as PyTorch has it */
    size_t n_shape;
    uint64_t count;   /* elements */
    uint64_t bytes;   /* as stored */
    uint64_t offset;  /* of its bytes in its file */
    const char *file; /* the path of its file */
} reckon_stored_tensor;

/* In the order of the index, else of the files. */
size_t reckon_stored_count(const reckon_stored *stored);
const reckon_stored_tensor *reckon_stored_at(const reckon_stored *stored, size_t i);

/* The tensor of that name, or NULL. */
const reckon_stored_tensor *reckon_stored_find(const reckon_stored *stored, const char *name);

/* Tensors that are known, added up. */
typedef struct reckon_stored_sum {
    const char *dtype; /* of these; NULL: of all */
    reckon_count tensors, elements, bytes;
} reckon_stored_sum;

const reckon_stored_sum *reckon_stored_total(const reckon_stored *stored);

/* By format, the largest first. */
size_t reckon_stored_format_count(const reckon_stored *stored);
const reckon_stored_sum *reckon_stored_format_at(const reckon_stored *stored, size_t i);

/* A model held against a checkpoint, tensor by tensor. */
typedef struct reckon_verify reckon_verify;

/*
 * Opens the model of a request and compares it with what is stored, in either layout: that of the reference
 * implementation or that of published checkpoints.  That they differ is a result, no failure.  `*out` needs neither
 * afterwards, and is freed with reckon_verify_free; `mistakes` is as in reckon_open.
 */
int reckon_verify_new(const reckon_request *request, const reckon_stored *stored, reckon_verify **out, char **mistakes,
                      reckon_error *error);
void reckon_verify_free(reckon_verify **verify);

typedef struct reckon_verified {
    int equal;          /* 1: nothing differs that says that the file is another model's */
    int by_sums;        /* 1: names could not be compared, as those of GGUF; sums were */
    const char *layout; /* "reference", "checkpoint", "mixed"; "none": no tensor of the model is in the file */
    size_t wanted;      /* tensors that the model has … */
    size_t matched;     /* … that are stored in the right shape, or in a file that is not here */
    size_t unchecked;   /* … of those, in a file that is not here */
    size_t stored;      /* tensors of the checkpoint */
} reckon_verified;

const reckon_verified *reckon_verify_result(const reckon_verify *verify);

typedef struct reckon_difference {
    const char *kind;       /* "missing", "other_shape", "extra", "pieces", "tied_too" … */
    const char *text;       /* the same in words */
    int fails;              /* 1: it says that the file is another model's */
    const char *name;       /* as the file has it, or would have it */
    const char *other;      /* the tensor that it is tied to, or NULL */
    const uint64_t *wanted; /* the shape that the model has; NULL: not known */
    size_t n_wanted;
    const uint64_t *found; /* the shape that is stored; NULL: not known */
    size_t n_found;
    const char *dtype; /* as stored; NULL: not known */
} reckon_difference;

/* By kind, then in the order of the model or of the file. */
size_t reckon_verify_count(const reckon_verify *verify);
const reckon_difference *reckon_verify_at(const reckon_verify *verify, size_t i);

/* ---- models known by name --------------------------------------------------------------------------------------- */

typedef struct reckon_known {
    const char *name;   /* "gpt2-xl": what a request may have as its model, or its config */
    const char *family; /* the family of a config; NULL: a model file */
    const char *about;  /* one line: what it is, or where its config is from; may be empty */
} reckon_known;

typedef struct reckon_library reckon_library;

/* Lists model files, then configs, each by name; `folder` as in a request, or NULL.  Freed with reckon_library_free. */
int reckon_library_new(const char *folder, reckon_library **out, reckon_error *error);
size_t reckon_library_count(const reckon_library *library);
const reckon_known *reckon_library_at(const reckon_library *library, size_t i);
void reckon_library_free(reckon_library **library);

/* ---- everything that the command can do ------------------------------------------------------------------------- */

/*
 * A context answers questions in words, as the command `reckon` does: {"memory", "gpt2-xl", "B=4", NULL} gives the
 * bytes that `reckon memory gpt2-xl B=4` prints.  It keeps what it opened, so that a second question about a model is
 * answered faster.  It is one thread's at a time, and several contexts know nothing of each other.
 *
 *     const char *words[] = {"memory", "gpt2-xl", "B=4", NULL};
 *     reckon_context *context = NULL;
 *     reckon_answer answer = {0};
 *
 *     if (reckon_context_new(NULL, &context, &error) == RECKON_OK &&
 *         reckon_ask(context, words, "json", &answer, &error) == RECKON_OK)
 *         puts(answer.text);
 *     reckon_answer_free(&answer);
 *     reckon_context_free(&context);
 */
typedef struct reckon_context reckon_context;

/* How a context answers; all 0 is a good beginning. */
typedef struct reckon_setup {
    const char *models; /* a folder of model files and configs, looked at before the library's own; NULL: none */
    int no_disk;        /* not 0: files are those of reckon_context_file alone */
    int no_input;       /* not 0: standard input is never read */
    size_t columns;     /* of the paper that texts are drawn on; 0: that of `screen` */
    size_t screen;      /* of the terminal that shows answers without -o FILE; 0: there is none */
    int colour;         /* not 0: that terminal shows colours */
    /*
     * Takes the next bytes of a file that an answer is written to: "-" is the answer itself, others are named by -o or
     * --timeline.  Not 0: no more is wanted, and the answer ends with RECKON_ESTOPPED.  A file is complete when
     * reckon_ask returns RECKON_OK.  NULL: the answer is in reckon_answer, and other files are an error.
     */
    int (*put)(void *self, const char *file, const char *bytes, size_t n);
    /*
     * Hears now and then how much of the work is done: so many of all points of a sweep, and else units of work (see
     * `budget`), of which nobody knows how many there will be, so that `all` is 0.  It is called by the thread that
     * asked, every thousand units or so.  Not 0: stop, as above.  NULL: nobody wants to know.
     */
    int (*progress)(void *self, double done, double all);
    void *self; /* the first argument of both, which may not ask or open anything themselves */
    /*
     * The units of work that one question may cost, 0: any; beyond, it ends with RECKON_ESTOPPED.  A unit is about one
     * allocation, one step of a walk or one point of a sweep: some tenths of a microsecond.  `params gpt2-xl` costs
     * about 8,000, `report gpt2-xl` 160,000, `memory deepseek-v3` 900,000, a sweep of a million points a million.  A
     * model that the context has open already costs less, and another version of the library may count otherwise.
     */
    uint64_t budget;
} reckon_setup;

/* `setup` may be NULL, and is copied; free it with reckon_context_free. */
int reckon_context_new(const reckon_setup *setup, reckon_context **out, reckon_error *error);

/*
 * Gives a file under a name, before any of the disk and over an older one; "-" is standard input.  The bytes are
 * copied.  Of a checkpoint, whose header alone is read, `n` may be less than the `size` of the file.  NULL bytes: it is
 * gone.
 */
int reckon_context_file(reckon_context *context, const char *name, const void *bytes, size_t n, uint64_t size,
                        reckon_error *error);
void reckon_context_free(reckon_context **context);

/* Zero it before its first use; free it with reckon_answer_free, or hand it on to the next question. */
typedef struct reckon_answer {
    char *text;          /* where the setup has no `put`: the bytes, with a terminator after them */
    size_t n_text;       /* bytes of it without that */
    char *mistakes;      /* on failure: what is wrong with a model file, place by place; or NULL */
    const char *command; /* whose words they were; NULL: the overview of a model, or no command at all */
    int differs;         /* not 0: what was compared is not the same (check, verify) */
    int unfit;           /* not 0: what was asked for does not fit (fit, memory --within) */
} reckon_answer;

/*
 * Asks.  `words` ends with NULL.  `format` is that of --format: "json", "csv", "html" …; NULL: as the words say, or
 * text.
 * RECKON_EUSAGE: there is no such command, option or format.  RECKON_ESTOPPED: see reckon_setup; the message says
 * whether it was "stopped" or the budget was spent, and the next question is answered as if this one had not been.
 */
int reckon_ask(reckon_context *context, const char *const *words, const char *format, reckon_answer *out,
               reckon_error *error);
void reckon_answer_free(reckon_answer *answer);

#ifdef __cplusplus
}
#endif

#endif

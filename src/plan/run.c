/* SPDX-License-Identifier: MIT */
#include "plan/run.h"

#include "plan/nearest.h"
#include "plan/profile.h"
#include "plan/tokens.h"

#include <string.h>

typedef enum when {
    ALWAYS,
    TRAIN,
    SERVE
} when;

/* What is said in words, then what is said in numbers. */
static const struct {
    const char *name;
    when when;
    bool in_book;
    const char *words; /* NULL: a number */
} said[] = {
#define ROW(ID, name, WHEN, BOOK, words) [RK_RUN_##ID] = {name, WHEN, BOOK, words},
    RK_RUN_WORDS(ROW)
#undef ROW
#define ROW(ID, name, BOOK) [RK_N_RUN_WORD + RK_RUN_##ID] = {name, TRAIN, BOOK, NULL},
        RK_RUN_COUNTS(ROW)
#undef ROW
};

enum {
    N_SAID = RK_N_RUN_WORD + RK_N_RUN_COUNT
};

enum { /* places of words that decide something */
    DTYPE_FP8 = 4,
    ATTENTION_SDPA = 0,
    ATTENTION_EAGER = 2,
    RECOMPUTE_ATTENTION = 1,
    RECOMPUTE_LAYERS = 2,
    RECOMPUTE_OPS = 3,
    LOSS_NONE = 3,
    DROPOUT_CONFIG = 1
};

enum {
    RECIPE_MIXED = 1,
    RECIPE_AUTOCAST = 6
};

/* What a recipe says, in the order of RK_RECIPE_WORDS; then what has no name of its own. */
static const struct {
    const char *name;
    const char *word[RK_N_RUN_WORD];
    rk_i128 rank; /* of adapters; 0: there are none */
} recipe[] = {
    {.name = "fp32", .word = {[RK_RUN_DTYPE] = "fp32"}},
    {.name = "mixed",
     .word = {[RK_RUN_DTYPE] = "fp32", [RK_RUN_EXPERTS] = "each"}}, /* grouped products know nothing of autocast */
    {.name = "bf16", .word = {[RK_RUN_DTYPE] = "bf16"}},
    {.name = "megatron", .word = {[RK_RUN_DTYPE] = "bf16", [RK_RUN_MASTER] = "fp32", [RK_RUN_GRADIENT] = "fp32"}},
    {.name = "lora", .word = {[RK_RUN_DTYPE] = "bf16"}, .rank = RK_LORA_RANK_USUAL},
    {.name = "qlora", .word = {[RK_RUN_DTYPE] = "bf16", [RK_RUN_WEIGHTS] = "nf4"}, .rank = RK_LORA_RANK_USUAL},
    /* --compute autocast-bf16: experts run as they do by default, in one product, which stays in fp32. */
    [RECIPE_AUTOCAST] = {.word = {[RK_RUN_DTYPE] = "fp32", [RK_RUN_EXPERTS] = "grouped"}},
};

static const int dtype_bytes[] = {4, 4, 2, 2, 2}; /* fp8 is how products are taken, not how anything stays */
static const int master_bytes[] = {0, 4};
static const int gradient_bytes[] = {0, 4, 2, 2};
static const rk_region_kind loss_region[] = {RK_REGION_NONE, RK_REGION_CHUNKED, RK_REGION_FUSED, RK_REGION_NONE};

const char *rk_recipe_name(size_t i)
{
    return i < sizeof recipe / sizeof *recipe ? recipe[i].name : NULL;
}

static int recipe_place(const char *name)
{
    return name ? rk_words_place(RK_RECIPE_WORDS, name) : -1;
}

const char *rk_recipe_type(const char *name)
{
    int place = recipe_place(name);

    return place < 0 ? NULL : place == RECIPE_MIXED ? "bf16" : recipe[place].word[RK_RUN_DTYPE];
}

rk_i128 rk_recipe_rank(const char *name)
{
    return recipe_place(name) < 0 ? 0 : recipe[recipe_place(name)].rank;
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* Writes a name as options are written: two bytes more, and none that ends it.  Returns where it ends. */
static char *put_option(char *to, const char *name, size_t n)
{
    to[0] = to[1] = '-';
    for (size_t i = 0; i < n; i++)
        to[i + 2] = (char)(name[i] == '_' ? '-' : name[i]);
    return to + n + 2;
}

#define FITS(ID, name, ...) _Static_assert(sizeof(name) + 2 <= RK_RUN_OPTION_MAX, "an option fits");
RK_RUN_WORDS(FITS)
RK_RUN_COUNTS(FITS)
#undef FITS

static const char *option(int i, char buf[RK_RUN_OPTION_MAX])
{
    *put_option(buf, said[i].name, strlen(said[i].name)) = '\0';
    return buf;
}

const char *rk_run_word_option(rk_run_word w, char buf[RK_RUN_OPTION_MAX])
{
    return option((int)w, buf);
}

const char *rk_run_count_option(rk_run_count c, char buf[RK_RUN_OPTION_MAX])
{
    return option(RK_N_RUN_WORD + (int)c, buf);
}

static const char *name_of(const rk_run_request *r, int i, char buf[RK_RUN_OPTION_MAX])
{
    return r->as_options ? option(i, buf) : said[i].name;
}

#define NAME "\1" /* in a message: what follows is the name of something that is said */

static void spell_names(const rk_run_request *r, char message[RK_ERR_MESSAGE_MAX])
{
    char spelled[RK_ERR_MESSAGE_MAX], *to = spelled, *end = spelled + RK_ERR_MESSAGE_MAX - RK_RUN_OPTION_MAX;
    const char *at = message;

    while (*at && to < end) {
        size_t n = *at == *NAME ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_") : 0;

        at += *at == *NAME;
        if (r->as_options && n > 0 && n + 2 < RK_RUN_OPTION_MAX) {
            to = put_option(to, at, n);
            at += n;
        } else if (*at) {
            *to++ = *at++;
        }
    }
    *to = '\0';
    memcpy(message, spelled, (size_t)(to - spelled) + 1);
}

/* One place knows how names are spelled. */
__attribute__((format(printf, 4, 5))) static int fail(const rk_run_request *r, rk_err *err, int code,
                                                      const char *message, ...)
{
    va_list ap;

    va_start(ap, message);
    code = rk_vfail(err, code, message, ap);
    va_end(ap);
    if (err)
        spell_names(r, err->message);
    return code;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* Whether a layout's words say that the forward pass runs under autocast. */
static bool says_autocast(const rk_run_request *r)
{
    const char *compute = r->layout.said[RK_LAYOUT_COMPUTE];

    return compute && rk_words_place(RK_COMPUTE_WORDS, compute) == RK_COMPUTE_AUTOCAST;
}

/* The place of the recipe; negative: none. */
static int recipe_of(const rk_run_request *r)
{
    const char *name = r->word[RK_RUN_RECIPE];

    return name ? rk_words_place(RK_RECIPE_WORDS, name) : says_autocast(r) ? RECIPE_AUTOCAST : -1;
}

/* What is said, by itself or by the recipe. */
static const char *word_of(const rk_run_request *r, rk_run_word w)
{
    int place = recipe_of(r);

    return r->word[w] || place < 0 ? r->word[w] : recipe[place].word[w];
}

/* What several may be said of, with commas: a bit for each place in its words; or -1, and which is none. */
static int bits_of(const rk_run_request *r, rk_run_word w, char wrong[RK_RUN_OPTION_MAX])
{
    const char *at = r->word[w];
    int bits = 0;

    while (at && *at) {
        size_t n = strcspn(at, ","), shown = n < RK_RUN_OPTION_MAX ? n : RK_RUN_OPTION_MAX - 1;
        int place;

        memcpy(wrong, at, shown);
        wrong[shown] = '\0';
        if ((place = rk_words_place(said[w].words, wrong)) < 0)
            return -1;
        bits |= 1 << place;
        at += n + (at[n] == ',');
    }
    return bits;
}

static bool is_list(int word)
{
    return word == RK_RUN_MODULES || word == RK_RUN_OFFLOAD;
}

static int choice(const rk_run_request *r, rk_run_word w)
{
    int place = word_of(r, w) ? rk_words_place(said[w].words, word_of(r, w)) : 0;

    return place > 0 ? place : 0;
}

rk_phase rk_run_phase(const rk_run_request *r)
{
    return (rk_phase)choice(r, RK_RUN_PHASE);
}

int rk_run_bytes(const rk_run_request *r)
{
    return word_of(r, RK_RUN_DTYPE) ? dtype_bytes[choice(r, RK_RUN_DTYPE)] : 0;
}

static rk_i128 rank_of(const rk_run_request *r)
{
    rk_i128 said_rank = r->open.adapt.rank;

    return said_rank || !r->word[RK_RUN_RECIPE] ? said_rank : recipe[choice(r, RK_RUN_RECIPE)].rank;
}

static bool is_textbook(const rk_run_request *r)
{
    return choice(r, RK_RUN_PROFILE) == 1;
}

/* The type at work of weights that lie in pieces, which are cast when they are gathered; as RK_COMPUTE_WORDS has it. */
static rk_compute compute_of(const rk_run_request *r)
{
    const char *word = r->layout.said[RK_LAYOUT_COMPUTE];
    int place = word ? rk_words_place(RK_COMPUTE_WORDS, word) : 0;

    return place > 0 ? (rk_compute)place : RK_COMPUTE_SAME;
}

/* Bytes of a number at work, where a layout says so; 0: it does not. */
static int compute_bytes(const rk_run_request *r)
{
    static const int bytes[] = {
        [RK_COMPUTE_BF16] = 2, [RK_COMPUTE_FP16] = 2, [RK_COMPUTE_FP32] = 4, [RK_COMPUTE_AUTOCAST] = 0};

    return bytes[compute_of(r)];
}

/* A whole model is trained as trainers do it, unless something is said of its types; then it is in the config's. */
static rk_mixed mixed_of(const rk_run_request *r)
{
    static const rk_run_word type[] = {RK_RUN_DTYPE, RK_RUN_MASTER, RK_RUN_GRADIENT, RK_RUN_WEIGHTS, RK_RUN_ADAPTERS};

    if (recipe_of(r) >= 0)
        return recipe_of(r) == RECIPE_MIXED || recipe_of(r) == RECIPE_AUTOCAST ? RK_MIXED_YES : RK_MIXED_NO;
    for (size_t i = 0; i < sizeof type / sizeof *type; i++)
        if (r->word[type[i]])
            return RK_MIXED_NO;
    if (compute_bytes(r) > 0)
        return RK_MIXED_NO;
    return rk_run_phase(r) == RK_PHASE_TRAIN && !is_textbook(r) && rank_of(r) == 0 ? RK_MIXED_CONFIG : RK_MIXED_NO;
}

/* Whether attention is one operation; if nobody says so, some families may have it otherwise. */
static bool is_fused(const rk_run_request *r)
{
    if (word_of(r, RK_RUN_ATTENTION))
        return choice(r, RK_RUN_ATTENTION) != ATTENTION_EAGER;
    return !is_textbook(r) && choice(r, RK_RUN_RECOMPUTE) != RECOMPUTE_ATTENTION;
}

static bool stays_eager(const rk_run_request *r, const rk_profile *profile, const rk_model *m)
{
    return !word_of(r, RK_RUN_ATTENTION) && rk_profile_is_eager(profile->eager, m->family);
}

/* ---- what has nothing to do with it, and what contradicts itself ------------------------------------------------- */

static int fail_book(const rk_run_request *r, int i, rk_err *err)
{
    const char *word = i < RK_N_RUN_WORD ? r->word[i] : NULL;
    char name[RK_RUN_OPTION_MAX];

    return fail(r, err, RK_EUSAGE, "%s%s%s: a derivation by hand has no such thing (" NAME "profile torch)",
                name_of(r, i, name), word ? " " : "", word ? word : "");
}

/* What is said is known, and has to do with the phase and the profile. */
static int check_said(const rk_run_request *r, rk_err *err)
{
    bool trains = rk_run_phase(r) == RK_PHASE_TRAIN;
    char name[RK_RUN_OPTION_MAX];

    for (int i = 0; i < N_SAID; i++) {
        bool is_word = i < RK_N_RUN_WORD;

        if (is_list(i)) {
            char wrong[RK_RUN_OPTION_MAX];

            if (bits_of(r, (rk_run_word)i, wrong) < 0)
                return rk_words_fail(said[i].words, name_of(r, i, name), wrong, err);
        } else if (is_word && r->word[i] && rk_words_place(said[i].words, r->word[i]) < 0)
            return rk_words_fail(said[i].words, name_of(r, i, name), r->word[i], err);
        if (!is_word && r->count[i - RK_N_RUN_WORD] < 0)
            return rk_fail(err, RK_EUSAGE, "%s is a whole number of at least 1", name_of(r, i, name));
    }
    for (int i = 0; i < N_SAID && !trains; i++)
        if (said[i].when == TRAIN &&
            (i < RK_N_RUN_WORD ? choice(r, (rk_run_word)i) > 0 : r->count[i - RK_N_RUN_WORD] > 0))
            return fail(r, err, RK_EUSAGE, "%s: this is of a training step (" NAME "phase train)", name_of(r, i, name));
    if (trains && word_of(r, RK_RUN_CACHE))
        return fail(r, err, RK_EUSAGE,
                    NAME "kv_dtype is about a cache, which training has none of: add " NAME "phase decode");
    if (!trains && choice(r, RK_RUN_DTYPE) == DTYPE_FP8)
        return fail(r, err, RK_EUSAGE,
                    NAME "dtype fp8: this is of a training step; weights are stored so by " NAME "weights fp8");
    if (!is_textbook(r))
        return RK_OK;
    if (mixed_of(r) == RK_MIXED_YES)
        return fail_book(r, RK_RUN_RECIPE, err);
    if (is_fused(r))
        return fail_book(r, RK_RUN_ATTENTION, err);
    for (int i = 0; i < N_SAID; i++)
        if (!said[i].in_book && i != RK_RUN_ATTENTION &&
            (i < RK_N_RUN_WORD ? choice(r, (rk_run_word)i) > 0 : r->count[i - RK_N_RUN_WORD] > 0))
            return fail_book(r, i, err);
    if (choice(r, RK_RUN_DTYPE) == DTYPE_FP8)
        return fail_book(r, RK_RUN_DTYPE, err);
    if (loss_region[choice(r, RK_RUN_LOSS)] != RK_REGION_NONE)
        return fail_book(r, RK_RUN_LOSS, err);
    return RK_OK;
}

int rk_run_check(const rk_run_request *r, rk_err *err)
{
    const rk_adapt_request *a = &r->open.adapt;
    int recompute = choice(r, RK_RUN_RECOMPUTE), code = check_said(r, err);
    rk_region_kind region = loss_region[choice(r, RK_RUN_LOSS)];

    if (code != RK_OK)
        return code;
    if (says_autocast(r) && recipe_of(r) != RECIPE_MIXED && recipe_of(r) != RECIPE_AUTOCAST)
        return fail(r, err, RK_EUSAGE,
                    "--compute autocast-bf16 is what " NAME "recipe mixed does: " NAME "recipe %s is another",
                    r->word[RK_RUN_RECIPE]);
    if (mixed_of(r) == RK_MIXED_YES && rk_run_bytes(r) != 4)
        return fail(r, err, RK_EUSAGE, NAME "dtype %s: %s has its weights in fp32 and casts what it multiplies to bf16",
                    r->word[RK_RUN_DTYPE], r->word[RK_RUN_RECIPE] ? NAME "recipe mixed" : "--compute autocast-bf16");
    if (r->count[RK_RUN_EVERY] > 0 && word_of(r, RK_RUN_RECOMPUTE) && recompute != RECOMPUTE_LAYERS)
        return fail(r, err, RK_EUSAGE, NAME "recompute_every: this is of " NAME "recompute full");
    if (r->word[RK_RUN_MODULES] && recompute != 0)
        return fail(r, err, RK_EUSAGE,
                    NAME "recompute_modules says what is recomputed: " NAME "recompute %s says another thing",
                    word_of(r, RK_RUN_RECOMPUTE));
    if (recompute == RECOMPUTE_ATTENTION && is_fused(r))
        return fail(r, err, RK_EUSAGE,
                    NAME "recompute selective: fused attention saves no scores that could be recomputed");
    if (r->count[RK_RUN_CHUNK] > 0 && region == RK_REGION_NONE)
        return fail(r, err, RK_EUSAGE, NAME "loss_chunk: this is of " NAME "loss chunked or " NAME "loss fused");
    if (r->count[RK_RUN_CHUNK] == 0 && region == RK_REGION_CHUNKED)
        return fail(r, err, RK_EUSAGE, NAME "loss chunked: how many tokens at a time? (" NAME "loss_chunk 1024)");
    if (a->targets && rank_of(r) <= 0)
        return fail(r, err, RK_EUSAGE, NAME "targets says where adapters stand: " NAME "lora, their rank, is missing");
    if (word_of(r, RK_RUN_ADAPTERS) && rank_of(r) <= 0)
        return fail(r, err, RK_EUSAGE, NAME "lora_dtype is the type of adapters: " NAME "lora, their rank, is missing");
    if (a->freeze && rk_run_phase(r) != RK_PHASE_TRAIN)
        return fail(r, err, RK_EUSAGE, NAME "freeze says what is not trained, and here nothing is");
    return RK_OK;
}

/* ---- options ---------------------------------------------------------------------------------------------------- */

/* Bytes of a number where nobody says its type. */
static int bytes_of_config(const rk_run_request *r, const rk_quant *q)
{
    return is_textbook(r) || mixed_of(r) == RK_MIXED_CONFIG ? 4 : rk_quant_run_bytes(q);
}

static rk_width width_of(const rk_run_request *r)
{
    if (mixed_of(r) == RK_MIXED_YES)
        return RK_WIDTH_NARROW;
    if (compute_bytes(r) > 0)
        return compute_bytes(r) == 4 ? RK_WIDTH_FP32 : RK_WIDTH_NARROW;
    if (word_of(r, RK_RUN_DTYPE))
        return rk_run_bytes(r) == 4 ? RK_WIDTH_FP32 : RK_WIDTH_NARROW;
    return RK_WIDTH_CONFIG; /* of its products, where it is mixed by it */
}

/* What the type of a run of such numbers is called. */
static const char *type_of(const rk_model *m, int bytes)
{
    return bytes == 4 ? "fp32" : m->quant.dtype == RK_DTYPE_F16 ? "fp16" : "bf16";
}

const char *rk_run_training_type(const rk_model *m)
{
    return type_of(m, rk_quant_run_bytes(&m->quant));
}

static size_t recompute_layers(const rk_run_request *r)
{
    rk_i128 every = r->count[RK_RUN_EVERY];

    if (every == 0)
        return choice(r, RK_RUN_RECOMPUTE) == RECOMPUTE_LAYERS;
    return every > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)every;
}

static rk_memory_options options_of(const rk_run_request *r, const rk_profile *profile, const rk_model *m)
{
    int stored = word_of(r, RK_RUN_DTYPE) ? rk_run_bytes(r)
                 : compute_bytes(r) > 0   ? 4 /* what is cast is fp32, as a rule */
                                          : bytes_of_config(r, &m->quant);
    int bytes = compute_bytes(r) > 0 ? compute_bytes(r) : stored;
    int gradient = gradient_bytes[choice(r, RK_RUN_GRADIENT)];
    char wrong[RK_RUN_OPTION_MAX];
    rk_mixed mixed = mixed_of(r);

    return (rk_memory_options){
        .phase = rk_run_phase(r),
        .profile = *profile,
        .bytes = bytes,
        .stored = stored == bytes ? 0 : stored,
        .type = compute_bytes(r) > 0       ? r->layout.said[RK_LAYOUT_COMPUTE]
                : word_of(r, RK_RUN_DTYPE) ? word_of(r, RK_RUN_DTYPE)
                                           : type_of(m, bytes),
        .master = master_bytes[choice(r, RK_RUN_MASTER)],
        .cache = rk_number_find(word_of(r, RK_RUN_CACHE)),
        .weights = rk_number_find(word_of(r, RK_RUN_WEIGHTS)),
        .flash = is_fused(r) && !stays_eager(r, profile, m),
        .loss = choice(r, RK_RUN_LOSS) != LOSS_NONE && (m->part_of ? m->part_of : m)->program.loss != RK_NONE,
        .drops = choice(r, RK_RUN_DROPOUT) == DROPOUT_CONFIG,
        .chunk = r->count[RK_RUN_CHUNK],
        .recompute_layers = recompute_layers(r),
        .offload = (unsigned)bits_of(r, RK_RUN_OFFLOAD, wrong),
        .recompute_ops = {.by_kind = choice(r, RK_RUN_RECOMPUTE) == RECOMPUTE_OPS,
                          .module = (unsigned)bits_of(r, RK_RUN_MODULES, wrong)},
        .gradient = gradient == stored ? 0 : gradient, /* as wide as the weights: made in each step, as without it */
        .passes = r->count[RK_RUN_PASSES],
        .autocast = mixed == RK_MIXED_YES || (mixed == RK_MIXED_CONFIG && rk_quant_run_bytes(&m->quant) == 2),
        .fp8_products = choice(r, RK_RUN_DTYPE) == DTYPE_FP8,
        .optimizer = (rk_optimizer)choice(r, RK_RUN_OPTIMIZER),
    };
}

/* What can be held by the host, as the step is taken. */
static int check_host(const rk_run_request *r, const rk_memory_options *o, rk_err *err)
{
    const rk_layout *l = o->layout;
    bool pieces = l && l->size[RK_MESH_FSDP] > 1, copies = rk_layout_copies(l) && !rk_layout_fills_buckets(l);

    if ((o->offload >> RK_HOST_WEIGHTS & 1) && !pieces)
        return fail(r, err, RK_EUSAGE,
                    NAME "offload weights: pieces of them are held so, and gathered: add --layout fsdp=8");
    if ((o->offload >> RK_HOST_GRADIENTS & 1) && (copies || (l && l->zero == 1)))
        return fail(r, err, RK_EUSAGE,
                    NAME "offload gradients: here they lie in buckets, or whole, on the device; fsdp=8 and DeepSpeed's "
                         "zero2 move them");
    if ((o->offload >> RK_HOST_ACTIVATIONS & 1) && l && l->size[RK_MESH_PP] > 1)
        return fail(r, err, RK_EUSAGE, NAME "offload activations: this is not known of a pipeline");
    if ((o->offload >> RK_HOST_ACTIVATIONS & 1) && (o->recompute_ops.by_kind || o->recompute_ops.module))
        return fail(r, err, RK_EUSAGE,
                    NAME "offload activations: what is run again one by one is held by the device (" NAME
                         "recompute full, or none)");
    return RK_OK;
}

/* What the model has to be known for. */
static int check_model(const rk_run_request *r, const rk_model *m, const rk_memory_options *o, rk_err *err)
{
    const char *attention = word_of(r, RK_RUN_ATTENTION);
    int stored = o->stored ? o->stored : o->bytes, code;
    const rk_symbol *keys = rk_model_size(m, RK_SIZE_KEYS), *tokens = rk_model_size(m, RK_SIZE_TOKENS);

    if (o->phase == RK_PHASE_TRAIN && keys && tokens && keys->set && keys->value != tokens->value)
        return fail(r, err, RK_EUSAGE,
                    "%s is what a step sees with its cache, which training has none of: set %s, or add " NAME
                    "phase decode",
                    keys->name, tokens->name);
    if (attention && choice(r, RK_RUN_ATTENTION) == ATTENTION_SDPA && rk_profile_is_eager(o->profile.eager, m->family))
        return fail(r, err, RK_EINPUT,
                    NAME "attention sdpa: the reference implementation of %s has none (" NAME "attention eager, as it "
                         "runs, or flash: one operation all the same)",
                    m->family);
    if (o->master && stored >= o->master)
        return fail(r, err, RK_EUSAGE,
                    NAME "master fp32: the weights are in fp32 already (" NAME "dtype bf16 or fp16)");
    if (o->gradient && o->gradient < stored)
        return fail(r, err, RK_EUSAGE, NAME "grad_dtype %s: gradients would be narrower than their weights",
                    word_of(r, RK_RUN_GRADIENT));
    if (o->gradient && rk_layout_copies(o->layout) && !o->layout->runtime.flat)
        return fail(r, err, RK_EUSAGE,
                    NAME "grad_dtype %s: copies reduce gradients in the type of the weights (ddp); Megatron adds them "
                         "up in fp32: --runtime megatron",
                    word_of(r, RK_RUN_GRADIENT));
    if ((code = check_host(r, o, err)) != RK_OK)
        return code;
    if (o->layout && o->layout->size[RK_MESH_PP] > 1 && o->passes > 1)
        return fail(r, err, RK_EUSAGE,
                    NAME "accumulate: a pipeline adds up the gradients of its micro-batches: say how many (--micro)");
    if (loss_region[choice(r, RK_RUN_LOSS)] != RK_REGION_NONE && !o->loss)
        return fail(r, err, RK_EINPUT, NAME "loss %s: %s has no loss", word_of(r, RK_RUN_LOSS), m->name);
    return RK_OK;
}

static int holding_of(const rk_run *run, const rk_opened *opened, const rk_ledger *l, rk_arena *a, rk_storage *out,
                      rk_err *err)
{
    return opened->store ? rk_storage_of_store(a, l, opened->store, out, err)
                         : rk_storage_of_config(a, l, run->options.bytes, out, err);
}

/* A rank has pieces of what is stored of the whole model. */
static int find_holding_of_rank(rk_run *run, rk_err *err)
{
    rk_open_request open = run->equations;
    rk_opened whole = {0};
    rk_ledger *l = NULL;
    rk_storage of = {0};
    int code;

    open.passes.layout = NULL;
    code = rk_open_all(&open, RK_FIND_MODEL, &whole, err);
    if (code == RK_OK)
        code = rk_ledger_new(whole.instance, &run->ledger->convention, &l, err);
    if (code == RK_OK)
        code = holding_of(run, &whole, l, &whole.arena, &of, err);
    if (code == RK_OK)
        code = rk_storage_of_rank(&run->opened.arena, run->opened.instance, whole.instance, &of, &run->storage, err);
    rk_ledger_free(l);
    rk_opened_free(&whole);
    return code;
}

/* The bytes in which weights are held, where a file or a quantised config says it and nobody else does. */
static int find_holding(const rk_run_request *r, rk_run *run, rk_err *err)
{
    const rk_opened *opened = &run->opened;
    rk_memory_options *o = &run->options;
    bool packed = !word_of(r, RK_RUN_DTYPE) && opened->model->quant.method;

    if (word_of(r, RK_RUN_WEIGHTS) || o->phase == RK_PHASE_TRAIN || (!opened->store && !packed))
        return RK_OK;
    o->storage = &run->storage;
    return o->layout ? find_holding_of_rank(run, err)
                     : holding_of(run, opened, run->ledger, &run->opened.arena, &run->storage, err);
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

static int open_model(const rk_run_request *r, const rk_profile *profile, const rk_layout *layout, rk_run *run,
                      rk_err *err)
{
    const char *weights = word_of(r, RK_RUN_WEIGHTS);
    rk_open_request open = r->open;
    rk_i128 n;
    int code = rk_run_phase(r) == RK_PHASE_TRAIN ? RK_OK : rk_tokens_keep_input(&run->arena, &open, err);

    if (code == RK_OK)
        code = rk_tokens_set(&run->arena, rk_run_phase(r), NULL, &open, NULL, err);
    open.passes.profile = profile->textbook ? NULL : profile->name;
    open.passes.fused = is_fused(r);
    open.passes.spares = open.passes.fused && !word_of(r, RK_RUN_ATTENTION);
    open.passes.eager = profile->eager;
    open.passes.width = open.passes.profile && open.passes.fused ? width_of(r) : RK_WIDTH_NARROW;
    open.passes.grouped = open.passes.profile && choice(r, RK_RUN_EXPERTS) == 0;
    open.passes.grouped_mixed = open.passes.grouped && word_of(r, RK_RUN_EXPERTS);
    open.passes.drops = open.passes.profile && choice(r, RK_RUN_DROPOUT) == DROPOUT_CONFIG;
    open.passes.serves = rk_run_phase(r) == RK_PHASE_DECODE;
    open.passes.recomputes_attention = choice(r, RK_RUN_RECOMPUTE) == RECOMPUTE_ATTENTION;
    open.passes.layout = layout;
    open.passes.loss = loss_region[choice(r, RK_RUN_LOSS)];
    open.passes.autocast = open.passes.profile ? mixed_of(r) : RK_MIXED_NO;
    open.adapt.rank = rank_of(r);
    open.adapt.wide = open.passes.profile && choice(r, RK_RUN_ADAPTERS) == 0;
    open.adapt.packed = open.passes.profile && weights && !rk_number_is_plain(rk_number_find(weights));
    /* Whole layers are recomputed: then the framework wants a gradient of what goes into the first. */
    open.adapt.input_gradient = open.passes.profile && recompute_layers(r) > 0;
    if (code == RK_OK)
        code = rk_open_all(&open, RK_FIND_MODEL, &run->opened, err);
    run->equations = open;
    run->equations.passes.profile = NULL;
    if (code == RK_OK)
        code = rk_ledger_new(run->opened.instance, &r->convention, &run->ledger, err);
    /* Memory is numbers: a symbol without one is told first, and by its name. */
    if (code == RK_OK)
        code = rk_ex_eval(run->ledger->pool, run->ledger->stored, &run->ledger->instance->at, &n, err);
    if (code == RK_OK)
        code = rk_ex_eval(run->ledger->pool, run->ledger->forward, &run->ledger->instance->at, &n, err);
    return code == RK_EOVERFLOW && run->ledger ? RK_OK : code; /* whoever needs it tells that */
}

/* What is said of devices; NULL: nothing. */
static int read_layout(const rk_run_request *r, rk_arena *a, rk_layout **out, rk_err *err)
{
    rk_layout *layout = RK_NEW(a, rk_layout);
    bool any = false;
    int code = layout ? rk_layout_read(&r->open.library, a, &r->layout, layout, &any, err) : rk_fail_memory(err);

    if (any)
        layout->infers = rk_run_phase(r) != RK_PHASE_TRAIN;
    *out = any ? layout : NULL;
    return code;
}

static int open_rank(const rk_run_request *r, const rk_profile *profile, const rk_layout *layout, rk_run *out,
                     rk_err *err)
{
    int code = open_model(r, profile, layout, out, err);

    if (code == RK_OK) {
        out->options = options_of(r, profile, out->opened.model);
        out->options.layout = layout;
        code = check_model(r, out->opened.model, &out->options, err);
    }
    return code == RK_OK ? find_holding(r, out, err) : code;
}

/* Of the devices of a pipeline the one with the largest peak; of equal ones the first. */
static int find_rank(const rk_run_request *r, const rk_profile *profile, rk_layout *layout, rk_err *err)
{
    rk_i128 each = rk_layout_devices(layout) / layout->size[RK_MESH_PP], best = 0, most = -1;
    int code = RK_OK;

    for (rk_i128 i = 0; i < layout->size[RK_MESH_PP] && code == RK_OK; i++) {
        rk_run run = {0};
        rk_memory *m = NULL;

        layout->rank = i * each;
        code = open_rank(r, profile, layout, &run, err);
        if (code == RK_OK)
            code = rk_memory_new(run.opened.instance, &run.options, &m, err);
        if (code == RK_OK && m->peak > most) {
            most = m->peak;
            best = layout->rank;
        }
        rk_memory_free(m);
        rk_run_close(&run);
    }
    layout->rank = best;
    return code;
}

/* Weights that lie in pieces are gathered in bf16 and their gradients reduced in fp32, unless other types are said. */
static rk_run_request with_usual_types(const rk_run_request *r, const rk_layout *l)
{
    rk_run_request own = *r;
    bool mixed = recipe_of(r) == RECIPE_MIXED;

    if (l && l->size[RK_MESH_FSDP] > 1 && l->zero == 0 && !r->layout.said[RK_LAYOUT_REDUCE] &&
        !r->layout.said[RK_LAYOUT_COMPUTE] && (mixed || mixed_of(r) == RK_MIXED_CONFIG)) {
        own.layout.said[RK_LAYOUT_COMPUTE] = "bf16";
        own.layout.said[RK_LAYOUT_REDUCE] = "fp32";
        own.word[RK_RUN_RECIPE] = mixed ? "fp32" : NULL; /* the weights are, and nothing runs under autocast */
    }
    /* … and where a runtime has types of its own, they are those of one of the recipes. */
    if (l && strcmp(l->runtime.recipe, "-") != 0 && rk_run_phase(r) == RK_PHASE_TRAIN && recipe_of(r) < 0 &&
        rk_run_bytes(r) != 4)
        own.word[RK_RUN_RECIPE] = rk_recipe_name((size_t)recipe_place(l->runtime.recipe));
    return own;
}

static int open_run(const rk_run_request *r, rk_run *out, rk_err *err)
{
    const char *name = word_of(r, RK_RUN_PROFILE);
    rk_profile profile = {0};
    rk_layout *layout = NULL;
    int code = read_layout(r, &out->arena, &layout, err);

    if (!name)
        name = code == RK_OK && layout && rk_run_phase(r) == RK_PHASE_TRAIN ? layout->runtime.profile : "torch";
    if (code == RK_OK)
        code = rk_profile_read(&r->open.library, &out->arena, name, &profile, err);
    if (code == RK_OK && layout && layout->size[RK_MESH_PP] > 1 && !layout->rank_said && !r->open.passes.until)
        code = find_rank(r, &profile, layout, err);
    if (code == RK_OK)
        code = open_rank(r, &profile, layout, out, err);
    if (code != RK_OK)
        rk_run_close(out);
    return code;
}

int rk_run_open(const rk_run_request *r, rk_run *out, rk_err *err)
{
    rk_arena texts = {0};
    rk_layout layout;
    rk_run_request own;
    bool any = false;
    int code = rk_run_check(r, err);

    *out = (rk_run){0};
    if (code == RK_OK)
        code = rk_layout_read(&r->open.library, &texts, &r->layout, &layout, &any, err);
    if (code == RK_OK) {
        own = with_usual_types(r, any ? &layout : NULL);
        code = open_run(&own, out, err);
    }
    rk_arena_free(&texts);
    return code;
}

void rk_run_close(rk_run *run)
{
    rk_ledger_free(run->ledger);
    rk_opened_free(&run->opened);
    rk_arena_free(&run->arena);
    *run = (rk_run){0};
}

/* ---- the equations of the same model ------------------------------------------------------------------------- */

/* The numbers of the step: a batch that was looked for, or a device's share of a layer, is not what the line says. */
static void take_numbers(const rk_instance *from, rk_instance *to)
{
    for (size_t i = 0; i < to->model->n_symbol; i++) {
        const rk_symbol *s = &to->model->symbol[i], *x = rk_model_symbol(from->model, s->name);

        if (x) {
            to->value[s->sym] = from->value[x->sym];
            to->known[s->sym] = from->known[x->sym];
        }
    }
}

int rk_run_serve(const rk_run *run, const rk_memory *m, rk_serving *out, rk_err *err)
{
    rk_opened plain = {0};
    rk_ledger *equations = NULL;
    int code;

    *out = (rk_serving){0};
    if (m->options.phase != RK_PHASE_DECODE)
        return RK_OK;
    code = rk_open_all(&run->equations, RK_FIND_MODEL, &plain, err);
    if (code == RK_OK) {
        take_numbers(m->instance, plain.instance);
        code = rk_ledger_new(plain.instance, &run->ledger->convention, &equations, err);
    }
    if (code == RK_OK)
        code = rk_serving_new(m->instance, equations, &m->carried, &m->storage, out, err);
    rk_ledger_free(equations);
    rk_opened_free(&plain);
    return code;
}

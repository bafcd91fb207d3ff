/* SPDX-License-Identifier: MIT */
#include "command/spelling.h"

#include "account/memory.h"
#include "command/amount.h"
#include "command/commands.h"
#include "plan/setting.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define MEMORY_MIN 1000000 /* bytes of a device's memory: 1B is no such thing, and in the mouth of many a billion */
#define DECLARED_BYTES_MAX ((size_t)1 << 20) /* of a model file that is looked through for a symbol */

typedef enum kind {
    COMMAND,
    OPTION,  /* words with the value in the place of %; %16: a value may follow, and is 16 where none does */
    SPLIT,   /* the same, and after the model a word without the dashes */
    RENAMED, /* an option that was called so once, and will mean something else */
    SETTING, /* by the names of configs and scripts, as a setting or as an option */
    VALUE    /* of options that have a list of words; several: the first that the option knows */
} kind;

/* Spellings between bars, where _ and - are the same, and so are small and capital letters. */
static const struct spelling {
    kind kind;
    const char *typed, *means;
} table[] = {
    {COMMAND, "mem|vram", "memory"},
    {COMMAND, "param|parameters", "params"},
    {COMMAND, "flop", "flops"},
    {COMMAND, "diff|cmp", "compare"},
    {COMMAND, "training", "train"},
    {COMMAND, "list", "models"},
    {COMMAND, "device|gpus", "devices"},

    {SETTING, "batch|batch_size|bs|micro_batch_size", "B"},
    {SETTING,
     "seq|seq_len|seqlen|seq_length|sequence_length|length|context|context_length|ctx|max_seq_len|max_model_len", "S"},
    {SETTING, "layers|n_layers|n_layer|num_layers|num_hidden_layers", "L"},
    {SETTING, "width|hidden_size|hidden_dim|d_model|n_embd|dim", "D"},
    {SETTING, "heads|n_heads|n_head|num_heads|num_attention_heads", "N"},
    {SETTING, "kv_heads|n_kv_heads|num_kv_heads|num_key_value_heads", "K"},
    {SETTING, "ffn_width|ffn_dim|d_ff|n_inner|intermediate_size", "F"},
    {SETTING, "vocab|vocabulary|vocab_size|n_vocab", "V"},
    {SETTING, "experts|n_experts|num_experts|num_local_experts", "E"},

    {OPTION, "--flash|--flash-attention|--flash-attn", "--attention flash"},
    {OPTION, "--eager", "--attention eager"},
    {OPTION, "--sdpa", "--attention sdpa"},
    {OPTION, "--attn|--attn-implementation", "--attention %"},
    {OPTION, "--gradient-checkpointing|--activation-checkpointing|--checkpoint-activations|--checkpointing",
     "--recompute full"},
    {OPTION, "--qlora", "--lora %16 --weights nf4"},
    {OPTION, "--qlora", "--lora %16 --recipe qlora"},
    {OPTION, "--qlora", "--lora %16"}, /* what is stored in 4 bits multiplies as before */
    {OPTION, "--lora-rank|--lora-r|--rank", "--lora %"},
    {OPTION, "--target-modules", "--targets %"},
    {OPTION, "--4bit|--load-in-4bit|--nf4", "--weights nf4"},
    {OPTION, "--8bit|--load-in-8bit|--int8", "--weights int8"},
    {OPTION, "--int4", "--weights int4"},
    {OPTION, "--quantization|--quantize|--quant", "--weights %"},
    {OPTION, "--bf16|--bfloat16", "--dtype bf16"},
    {OPTION, "--fp16|--half", "--dtype fp16"},
    {OPTION, "--fp32", "--dtype fp32"},
    {OPTION, "--precision|--torch-dtype", "--dtype %"},
    {OPTION, "--kv-cache-dtype|--cache-dtype", "--kv-dtype %"},
    {OPTION, "--optim", "--optimizer %"},
    {OPTION, "--grad-accum|--gradient-accumulation-steps|--accumulation-steps", "--accumulate %"},
    {OPTION, "--train", "--phase train"},
    {OPTION, "--prefill", "--phase prefill"},
    {OPTION, "--decode|--generate", "--phase decode"},
    {OPTION, "--gpu|--accelerator", "--device %"},
    {OPTION, "--gpus|--num-gpus|--n-gpus|--ngpus|--num-devices", "--devices %"},
    {SPLIT, "--fsdp|--fsdp2|--zero3|--zero-3", "--shard zero3"},
    {SPLIT, "--zero2|--zero-2", "--shard zero2"},
    {SPLIT, "--zero1|--zero-1", "--shard zero1"},
    {SPLIT, "--ddp", "--shard tp=1"},
    {OPTION, "--zero|--zero-stage", "--shard zero%"},
    {OPTION, "--tp|--tensor-parallel|--tensor-parallel-size", "--shard tp=%"},
    {OPTION, "--tp|--tensor-parallel|--tensor-parallel-size", "--layout tp=%"},
    {OPTION, "--pp|--pipeline-parallel|--pipeline-parallel-size", "--layout pp=%"},
    {OPTION, "--cp|--context-parallel|--context-parallel-size", "--layout cp=%"},
    {OPTION, "--ep|--expert-parallel|--expert-parallel-size", "--layout ep=%"},
    {OPTION, "--within|--vram", "--memory %"},
    {OPTION, "--memory|--vram", "--within %"},
    {OPTION, "--json", "--format json"},
    {OPTION, "--csv", "--format csv"},
    {OPTION, "--markdown|--md", "--format md"},
    {OPTION, "--latex|--tex", "--format latex"},
    {OPTION, "--html", "--format html"},
    {OPTION, "--output|--out", "-o %"},
    {RENAMED, "--layout", "--names %"},

    {VALUE, "bfloat16|bfloat", "bf16"},
    {VALUE, "float16|half|f16", "fp16"},
    {VALUE, "float32|float|single|f32", "fp32"},
    {VALUE, "float8|fp8-e4m3|e4m3", "fp8"},
    {VALUE, "8-bit|8bit", "int8|adam8bit"},
    {VALUE, "4-bit|4bit|bnb-4bit", "nf4"},
    {VALUE, "adam|adamw-torch", "adamw"},
    {VALUE, "adamw8bit|adamw-8bit|adam-8bit|paged-adamw-8bit", "adam8bit"},
    {VALUE, "flash-attention|flash-attention-2|flash-attn|fa2|fa3", "flash"},
    {VALUE, "math|naive", "eager"},
    {VALUE, "layers|blocks|on|true|yes", "full"},
    {VALUE, "off|false|no", "none"},
    {VALUE, "training", "train"},
    {VALUE, "prompt", "prefill"},
    {VALUE, "generate|generation|generating|decoding", "decode"},
    {VALUE, "markdown", "md"},
    {VALUE, "tex", "latex"},
    {VALUE, "flops", "flop"},
    {VALUE, "macs", "mac"},
    {VALUE, "cross-entropy", "ce"},
    {VALUE, "pytorch", "torch"},
};

/* What is no command, and which line has it: % is the model. */
static const struct instead {
    const char *typed, *line;
} instead[] = {
    {"kv|kvcache|kv-cache|cache", "reckon memory % --phase decode"},
    {"activation|activations|peak|optimizer|gradients|checkpointing", "reckon memory %"},
    {"formula|formulas|equation|equations|closed-form", "reckon derive %"},
    {"serve|serving|infer|inference|deploy|generate|throughput", "reckon fit % --phase decode --device h100-80gb"},
    {"finetune|finetuning|fine-tune|fine-tuning|sft", "reckon fit % --device h100-80gb"},
    {"lora|qlora", "reckon memory % --lora 16"},
    {"decode|prefill", "reckon memory % --phase decode"},
    {"tensors|weights|layers", "reckon params %"},
    {"plot|chart|graph", "reckon sweep % S=128..4096"},
    {"info|show|describe|summary|summarize|overview|inspect", "reckon %"},
    {"config|keys", "reckon % --explain-config"},
};

/* What is no option of any command, and what says it: % is the value. */
static const struct beside {
    const char *typed, *says;
} beside[] = {
    {"--users|--num-users|--concurrency|--concurrent|--clients|--requests|--num-requests|--streams",
     "as many sequences at once are B=%, and 'reckon fit MODEL --phase decode --device h100-80gb' says how many fit"},
    {"--utilization|--utilisation|--util|--efficiency|--hfu", "the share of the rate that is reached is --mfu %"},
    {"--gpu-memory-utilization|--mem-fraction|--mem-fraction-static",
     "what is left alone of a device's memory is --reserve BYTES, of fit"},
    {"--serve|--serving|--inference|--infer",
     "--phase prefill reads a prompt, --phase decode makes one new token of each sequence"},
    {"--sp|--sequence-parallel", "a sequence in pieces between products is a word of a layout: --layout tp=8,sp"},
    {"--steps-per-epoch|--epochs", "a run is as long as --tokens or --steps of train say"},
};

/* What a size of the model must be for the words that set it: how its meaning ends. */
static const struct {
    const char *symbol, *noun;
} size[] = {{"L", "layers"},    {"D", "width"},      {"N", "heads"},  {"K", "key/value heads"},
            {"F", "FFN width"}, {"V", "vocabulary"}, {"E", "experts"}};

#define MIXED_FILE "a file of that name has a type for each tensor "
#define NEAREST " is the nearest of one type, and a .gguf file as MODEL has its own bytes"

/* Values that may mean several things, or that no option can hold, of options that know a word. */
static const struct unclear {
    const char *typed, *of, *means;
} unclear[] = {
    {"inference|infer|serve|serving", "decode",
     "prefill reads a prompt, decode makes one new token of each sequence: say which"},
    {"q5-k-m|q5-k-s", "q5_k", MIXED_FILE "(q5_k, and q6_k where it matters most): --weights q5_k" NEAREST},
    {"q4-k-m|q4-k-s", "q4_k", MIXED_FILE "(q4_k, and q5_k or q6_k where it matters most): --weights q4_k" NEAREST},
    {"q3-k-l|q3-k-m|q3-k-s", "q3_k",
     MIXED_FILE "(q3_k, and q4_k to q6_k where it matters most): --weights q3_k" NEAREST},
    {"q2-k-s", "q2_k", MIXED_FILE "(q2_k, and q3_k to q6_k where it matters most): --weights q2_k" NEAREST},
    {"awq|gptq", "int4",
     "a config with such a quantization_config is counted as it is stored; --weights int4 is the nearest of one type"},
};

enum {
    N_TABLE = sizeof table / sizeof *table
};

/* ---- words ------------------------------------------------------------------------------------------------------ */

static bool same_letters(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((a[i] == '_' ? '-' : tolower((unsigned char)a[i])) != (b[i] == '_' ? '-' : tolower((unsigned char)b[i])))
            return false;
    return true;
}

/* The word of a list between bars that is spelled so, and its length; NULL: there is none. */
static const char *among(const char *list, const char *word, size_t n, size_t *length)
{
    for (;;) {
        *length = strcspn(list, "|");
        if (*length == n && same_letters(list, word, n))
            return list;
        if (!list[*length])
            return NULL;
        list += *length + 1;
    }
}

static const struct spelling *find(kind k, const char *word, size_t n)
{
    size_t length;

    for (int i = 0; i < N_TABLE; i++)
        if (table[i].kind == k && among(table[i].typed, word, n, &length))
            return &table[i];
    return NULL;
}

const rk_cmd_command *rk_spelling_command(const char *name)
{
    const struct spelling *s = find(COMMAND, name, strlen(name));

    return s ? rk_cmd_command_find(s->means) : NULL;
}

/* A text with a word in the place of %. */
static void put_with(rk_str *out, const char *text, const char *word)
{
    size_t n = strcspn(text, "%");

    rk_str_putn(out, text, n);
    if (text[n])
        rk_str_format(out, "%s%s", word, text + n + 1);
}

bool rk_spelling_instead(const char *word, const char *model, rk_str *out)
{
    size_t length;

    for (size_t i = 0; i < sizeof instead / sizeof *instead; i++)
        if (among(instead[i].typed, word, strlen(word), &length)) {
            put_with(out, instead[i].line, model ? model : "MODEL");
            return true;
        }
    return false;
}

bool rk_spelling_beside(const char *option, const char *value, rk_str *out)
{
    size_t length, n = strcspn(option, "=");

    value = option[n] ? option + n + 1 : value && value[0] != '-' ? value : "N";
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (among(beside[i].typed, option, n, &length)) {
            put_with(out, beside[i].says, value);
            return true;
        }
    return false;
}

/* "layers" of L; NULL: a symbol of the run. */
static const char *noun_of(const char *symbol)
{
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        if (strcmp(size[i].symbol, symbol) == 0)
            return size[i].noun;
    return NULL;
}

/* ---- devices ---------------------------------------------------------------------------------------------------- */

/* Whether an option stands on the line by itself. */
static bool is_typed(const rk_cmd_line *line, const char *option)
{
    for (int i = 1; i < line->argc; i++)
        if (strncmp(line->argv[i], option, strlen(option)) == 0 && strchr("=", line->argv[i][strlen(option)]))
            return true;
    return false;
}

static bool is_device(const rk_cmd_line *line, const char *name)
{
    rk_library library = rk_cmd_library(line);
    rk_arena arena = {0};
    rk_devices all = {0};
    bool is = rk_devices_read(&library, &arena, &all, NULL) == RK_OK && rk_device_find(&all, name, NULL);

    rk_arena_free(&arena);
    return is;
}

/* "8xh100", "8*h100", "h100x8", "h100:8": how many, of what. */
static bool split_device(rk_arena *a, const char *word, const char **count, const char **name)
{
    size_t digits = strspn(word, "0123456789"), n = strlen(word), end = n;

    if (digits > 0 && digits < 8 && word[digits] && strchr("xX*", word[digits]) && word[digits + 1]) {
        *count = rk_arena_copy(a, word, digits);
        *name = word + digits + 1;
        return true;
    }
    while (end > 0 && isdigit((unsigned char)word[end - 1]))
        end--;
    if (end < 2 || end == n || n - end > 7 || !strchr("xX*:", word[end - 1]))
        return false;
    *count = word + end;
    *name = rk_arena_copy(a, word, end - 1);
    return true;
}

/* 80GB is no device, but as much memory as one may have. */
static bool is_memory(const char *word)
{
    const char *text = word;

    return rk_cmd_amount(&text) >= MEMORY_MIN && strcasecmp(text, "B") == 0;
}

/* Whether the line says on what, in any way. */
static bool says_device(const rk_cmd_line *line)
{
    static const char *const option[] = {"--device", "--memory", "--gpu", "--accelerator", "--within", "--vram"};
    bool says = false;

    for (size_t i = 0; i < sizeof option / sizeof *option && !says; i++)
        says = is_typed(line, option[i]);
    for (int i = 1; i < line->argc && !says; i++) {
        const char *count = NULL, *name = NULL, *word = line->argv[i];
        rk_arena arena = {0};

        says = word[0] != '-' && (is_memory(word) || is_device(line, word) ||
                                  (split_device(&arena, word, &count, &name) && name && is_device(line, name)));
        rk_arena_free(&arena);
    }
    return says;
}

/* ---- options ---------------------------------------------------------------------------------------------------- */

static const rk_cmd_option *option_of(const rk_cmd_command *c, const char *name, size_t n)
{
    for (size_t i = 0; i < c->n_option; i++)
        if (strlen(c->option[i].name) == n && same_letters(c->option[i].name, name, n))
            return &c->option[i];
    return NULL;
}

/* Whether the command has every option that a spelling stands for. */
static bool has_all(const rk_cmd_command *c, const char *means)
{
    for (const char *at = means; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (*at == '-' && !option_of(c, at, strcspn(at, " ")))
            return false;
    return true;
}

/* The best row for an option: one that the command can follow, or else any. */
static const struct spelling *find_option(const rk_cmd_command *c, const char *name, size_t n)
{
    const struct spelling *any = NULL;
    size_t length;

    for (int i = 0; i < N_TABLE; i++) {
        bool fits = table[i].kind >= OPTION && table[i].kind <= RENAMED && among(table[i].typed, name, n, &length);

        if (fits && (!c || has_all(c, table[i].means)))
            return &table[i];
        any = fits && !any ? &table[i] : any;
    }
    return any;
}

static bool is_whole(const char *word)
{
    return word && word[0] && word[strspn(word, "0123456789")] == '\0';
}

/* Whether a spelling takes the argument after it: always, or where a number may follow and does. */
static bool takes_next(const char *means, const char *next)
{
    const char *at = strchr(means, '%');

    return at && next && (!isdigit((unsigned char)at[1]) || is_whole(next));
}

bool rk_spelling_is_option(const char *option)
{
    return find_option(NULL, option, strlen(option)) != NULL;
}

bool rk_spelling_takes_value(const char *option, const char *next)
{
    const struct spelling *s = strchr(option, '=') ? NULL : find_option(NULL, option, strlen(option));

    if (!s)
        return !strchr(option, '=') && strncmp(option, "--", 2) == 0 && find(SETTING, option + 2, strlen(option + 2));
    return takes_next(s->means, next);
}

static int add_word(rk_spelled *out, const char *word, rk_err *err)
{
    if (!word || out->n == RK_SPELLING_WORDS_MAX)
        return rk_fail_memory(err);
    out->word[++out->n] = word;
    return RK_OK;
}

/* The words of a spelling, with the value in its place; a usual one stays away where the line says another. */
static int spell(const rk_cmd_line *line, rk_arena *a, const char *means, const char *value, rk_spelled *out,
                 rk_err *err)
{
    int code = RK_OK;

    while (*means && code == RK_OK) {
        size_t n = strcspn(means, " "), before = strcspn(means, "% ");
        const char *word;

        if (before == n)
            word = rk_arena_copy(a, means, n);
        else if (value)
            word = rk_arena_format(a, "%.*s%s", (int)before, means, value);
        else
            word = rk_arena_copy(a, means + before + 1, n - before - 1);
        means += n + strspn(means + n, " ");
        if (before < n && !value && out->n > 0 && is_typed(line, out->word[out->n]))
            out->n--;
        else
            code = add_word(out, word, err);
    }
    return code;
}

/* Writes an option of the line with its value, where another command takes it.  Returns its last place. */
static int retype_option(const rk_cmd_line *line, const rk_cmd_command *to, int i, rk_str *out)
{
    const char *word = line->argv[i], *next = i + 1 < line->argc ? line->argv[i + 1] : NULL;
    size_t n = strcspn(word, "=");
    const rk_cmd_option *theirs = option_of(to, word, n), *own = option_of(line->command, word, n);
    const struct spelling *s = find_option(to, word, n);
    bool keeps = theirs || (s && has_all(to, s->means)) || (n > 2 && find(SETTING, word + 2, n - 2));
    bool takes = next && !word[n] &&
                 (theirs || own ? (theirs ? theirs : own)->argument != NULL : rk_spelling_takes_value(word, next));

    for (int k = i; keeps && k <= i + takes; k++) {
        rk_str_putc(out, ' ');
        rk_cmd_put_word(out, line->argv[k]);
    }
    return i + takes;
}

void rk_spelling_put_retyped(const rk_cmd_line *line, const rk_cmd_command *to, rk_str *out)
{
    rk_str_format(out, "reckon %s", to->name);
    for (int i = 1; i < line->argc; i++)
        if (line->argv[i][0] == '-' && isalpha((unsigned char)line->argv[i][1 + (line->argv[i][1] == '-')])) {
            i = retype_option(line, to, i, out);
        } else if (i != line->at) {
            rk_str_putc(out, ' ');
            rk_cmd_put_word(out, line->argv[i]);
        }
    if (to == &rk_command_fit && !says_device(line))
        rk_str_put(out, " --device h100-80gb");
}

int rk_spelling_fail_foreign(const rk_cmd_line *line, const char *what, const rk_cmd_command *to, const char *who,
                             rk_err *err)
{
    const char *name = line->command->name ? line->command->name : "reckon MODEL";
    /* What is of these alone is what they are for, and they take one model at one size. */
    bool one = (to == &rk_command_fit || to == &rk_command_train) && !line->command->takes_ranges && line->n_word < 2;
    rk_str retyped = {0};
    int code;

    rk_spelling_put_retyped(line, to, &retyped);
    code = rk_fail(err, RK_EUSAGE, "%s of %s; %s does not take it%s%s%s", what, who, name, one ? ", but '" : "",
                   one ? rk_str_text(&retyped) : "", one ? "' does" : "");
    rk_str_free(&retyped);
    return code;
}

/* Who has all options of a spelling: their names, and the first of them. */
static const rk_cmd_command *list_commands(const char *means, rk_str *out)
{
    const rk_cmd_command *first = NULL;

    for (size_t i = 0; i < rk_cmd_n_command; i++)
        if (rk_cmd_command_list[i]->name && has_all(rk_cmd_command_list[i], means)) {
            first = first ? first : rk_cmd_command_list[i];
            rk_str_format(out, "%s%s", out->n ? ", " : "", rk_cmd_command_list[i]->name);
        }
    return first;
}

/* "--flash is --attention flash, of memory, fit; params does not take it" */
/* What the short form of a layout would be in the long one. */
static const struct {
    const char *means, *layout;
} long_form[] = {{"--shard zero3", "fsdp=8"},
                 {"--shard zero2", "ddp=8,zero2 --runtime deepspeed"},
                 {"--shard zero1", "ddp=8,zero1"},
                 {"--shard tp=1", "ddp=8"}};

static int fail_foreign(const rk_cmd_line *line, const char *typed, size_t n, const rk_spelled *s, const char *means,
                        rk_err *err)
{
    const rk_cmd_command *first;
    rk_str words = {0}, who = {0};
    int code;

    for (size_t i = 0; i < sizeof long_form / sizeof *long_form && has_all(line->command, "--layout"); i++)
        if (strcmp(means, long_form[i].means) == 0)
            return rk_fail(err, RK_EUSAGE, "%.*s is said with a number of devices, in a layout: --layout %s", (int)n,
                           typed, long_form[i].layout);
    rk_str_format(&words, "%.*s is", (int)n, typed);
    for (int i = 1; i <= s->n; i++)
        rk_str_format(&words, " %s", s->word[i]);
    rk_str_put(&words, ",");
    first = list_commands(means, &who);
    code = rk_spelling_fail_foreign(line, rk_str_text(&words), first, rk_str_text(&who), err);
    rk_str_free(&words);
    rk_str_free(&who);
    return code;
}

/* "seq_len=128" */
static const char *setting_of(rk_arena *a, const char *name, size_t n, const char *value)
{
    char *word = rk_arena_format(a, "%.*s=%s", (int)n, name, value);

    for (size_t i = 0; word && i < n; i++)
        word[i] = (char)(word[i] == '-' ? '_' : word[i]);
    return word;
}

int rk_spelling_option(const rk_cmd_line *line, rk_arena *a, const char *option, const char *next, rk_spelled *out,
                       rk_err *err)
{
    size_t n = strcspn(option, "=");
    const char *value = option[n] ? option + n + 1 : NULL;
    const rk_cmd_option *own = option_of(line->command, option, n);
    const struct spelling *s = find_option(line->command, option, n);
    const struct spelling *setting = n > 2 ? find(SETTING, option + 2, n - 2) : NULL;
    int code;

    *out = (rk_spelled){0};
    if (own && strncmp(own->name, option, n) != 0) { /* --grad_dtype */
        out->next = own->argument && !value && next;
        value = out->next ? next : value;
        code = add_word(out, own->name, err);
        return code == RK_OK && value ? add_word(out, value, err) : code;
    }
    if (!s && !setting)
        return RK_OK;
    out->next = !value && (setting ? next != NULL : takes_next(s->means, next));
    value = out->next ? next : value;
    if (setting && !value)
        return rk_fail(err, RK_EUSAGE, "%s needs a value: it sets %s", option, setting->means);
    if (setting)
        return add_word(out, setting_of(a, option + 2, n - 2, value), err);
    code = spell(line, a, s->means, value, out, err);
    out->known = true;
    if (code == RK_OK && !has_all(line->command, s->means))
        return s->kind == RENAMED ? (*out = (rk_spelled){0}, RK_OK) : fail_foreign(line, option, n, out, s->means, err);
    if (code == RK_OK && s->kind == RENAMED)
        return rk_fail(err, RK_EUSAGE, "%.*s%s%s is now %s %s", (int)n, option, value ? " " : "", value ? value : "",
                       out->word[1], out->n > 1 ? out->word[2] : "");
    return code;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* A word that weights can be stored as, where a type of the run was asked for. */
static int fail_value(const rk_cmd_line *line, const rk_cmd_option *o, const char *value, rk_err *err)
{
    const rk_cmd_option *weights = option_of(line->command, "--weights", strlen("--weights"));
    size_t length;

    if (weights && strcmp(o->name, "--dtype") == 0 && among(weights->values, value, strlen(value), &length))
        return rk_fail(err, RK_EUSAGE, "--dtype is not '%s' but one of %s; weights are stored so by --weights %s",
                       value, o->values, value);
    return rk_words_fail(o->values, o->name, value, err);
}

int rk_spelling_value(const rk_cmd_line *line, rk_arena *a, const rk_cmd_option *o, const char **value, rk_err *err)
{
    size_t n = strlen(*value), length = 0, known = 0;
    const struct spelling *s = find(VALUE, *value, n);
    const char *word = among(o->values, *value, n, &length);
    char *copy;

    for (const char *at = s ? s->means : NULL; at && !word; at = at[known] ? at + known + 1 : NULL) {
        known = strcspn(at, "|");
        word = among(o->values, at, known, &length);
    }
    for (size_t i = 0; i < sizeof unclear / sizeof *unclear && !word; i++)
        if (among(unclear[i].typed, *value, n, &length) && rk_words_place(o->values, unclear[i].of) >= 0)
            return rk_fail(err, RK_EUSAGE, "%s %s: %s", o->name, *value, unclear[i].means);
    if (!word)
        return fail_value(line, o, *value, err);
    copy = rk_arena_copy(a, word, length);
    *value = copy ? copy : *value;
    return copy ? RK_OK : rk_fail_memory(err);
}

/* ---- words after the model --------------------------------------------------------------------------------------- */

const char *rk_spelling_split(const char *word, size_t n)
{
    size_t length;

    for (int i = 0; i < N_TABLE; i++)
        for (const char *at = table[i].kind == SPLIT ? table[i].typed : ""; *at; at += length, at += *at == '|') {
            length = strcspn(at, "|");
            if (length == n + 2 && same_letters(at + 2, word, n))
                return strchr(table[i].means, ' ') + 1;
        }
    return NULL;
}

int rk_spelling_device(const rk_cmd_line *line, rk_arena *a, const char *value, rk_spelled *out, rk_err *err)
{
    const char *count = NULL, *name = NULL;
    int code = RK_OK;

    *out = (rk_spelled){0};
    if (is_memory(value)) {
        const char *option = has_all(line->command, "--memory") ? "--memory" : "--within";

        if (!has_all(line->command, option))
            return rk_fail(err, RK_EUSAGE, "--device %s: a memory has no rate; 'reckon devices' lists devices", value);
        code = add_word(out, option, err);
        return code == RK_OK ? add_word(out, value, err) : code;
    }
    if (!split_device(a, value, &count, &name) || !count || !name || is_device(line, value) || !is_device(line, name))
        return RK_OK;
    for (int i = 0; i < 4 && code == RK_OK; i++)
        code = add_word(out, (const char *[]){"--devices", count, "--device", name}[i], err);
    return code;
}

/* Whether the words after the model of a command may say on what a step runs, as people have it. */
static bool is_about_step(const rk_cmd_command *c)
{
    return !c->name || has_all(c, "--device") || has_all(c, "--dtype") || has_all(c, "--phase");
}

/* A name of the library goes first. */
static bool is_named(const rk_library *library, const char *word)
{
    rk_arena arena = {0};
    rk_called named = {0};
    bool is = rk_find_named(library, &arena, word, &named, NULL) == RK_OK;

    rk_arena_free(&arena);
    return is;
}

int rk_spelling_word(const rk_cmd_line *line, rk_arena *a, const char *word, rk_spelled *out, rk_err *err)
{
    const char *option = rk_arena_format(a, "--%s", word);
    const struct spelling *s = option ? find_option(line->command, option, strlen(option)) : NULL;
    rk_library library = rk_cmd_library(line);
    const char *means = "--device";
    int code;

    *out = (rk_spelled){0};
    if (!option)
        return rk_fail_memory(err);
    if (line->n_word == 0 || !is_about_step(line->command) || rk_find_is_path(library.files, word))
        return RK_OK;
    if (s && s->kind == SPLIT) {
        means = s->means;
        code = spell(line, a, means, NULL, out, err);
    } else if (is_memory(word) && !has_all(line->command, means)) {
        means = has_all(line->command, "--within") ? "--within" : "--memory";
        code = add_word(out, means, err);
        code = code == RK_OK ? add_word(out, word, err) : code;
    } else {
        code = rk_spelling_device(line, a, word, out, err);
        if (code == RK_OK && out->n == 0 && is_device(line, word)) {
            code = add_word(out, "--device", err);
            code = code == RK_OK ? add_word(out, word, err) : code;
        }
    }
    if (code != RK_OK || out->n == 0 || has_all(line->command, means))
        return code;
    if (!is_named(&library, word))
        return fail_foreign(line, word, strlen(word), out, means, err);
    *out = (rk_spelled){0};
    return RK_OK;
}

/* ---- settings --------------------------------------------------------------------------------------------------- */

/* Whether the text of a model file has a symbol of that name: "let NAME = …", "run NAME = …", "choose NAME …". */
static bool declares(const char *text, const char *name, size_t n)
{
    static const char *const before[] = {"let ", "run ", "choose "};

    for (const char *line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
            const char *at = line + strlen(before[i]);

            if (strncmp(line, before[i], strlen(before[i])) != 0)
                continue;
            at += strspn(at, " ");
            if (strncmp(at, name, n) == 0 && !isalnum((unsigned char)at[n]) && at[n] != '_')
                return true;
        }
    return false;
}

/* Whether a model file of the line has a symbol of the very name that was typed. */
static bool has_symbol(const rk_cmd_line *line, const char *name, size_t n)
{
    rk_library library = rk_cmd_library(line);
    bool has = false;

    for (int i = 1; i < line->argc && !has; i++) {
        const char *word = line->argv[i], *end = strrchr(word, '.');
        rk_arena arena = {0};
        rk_called named = {0};
        char *text = NULL;
        size_t bytes;

        if (word[0] != '-' && end && strcmp(end, ".rk") == 0)
            has = rk_files_read(library.files, &arena, word, DECLARED_BYTES_MAX, &text, &bytes, NULL) == RK_OK &&
                  declares(text, name, n);
        else if (word[0] != '-' && library.folder && !rk_setting_is(word))
            has = rk_find_named(&library, &arena, word, &named, NULL) == RK_OK && !named.is_config &&
                  declares(named.text.text, name, n);
        rk_arena_free(&arena);
    }
    return has;
}

const char *rk_spelling_setting(const rk_cmd_line *line, rk_arena *a, const char *word, const char **noun)
{
    size_t n = strcspn(word, "=");
    const struct spelling *s = find(SETTING, word, n);
    const char *symbol = s ? s->means : NULL;

    *noun = NULL;
    if (!s || has_symbol(line, word, n))
        return word;
    *noun = noun_of(symbol);
    /* A decoding step has its tokens in the cache. */
    if (rk_cmd_choice(line, "--phase") == RK_PHASE_DECODE && strcmp(symbol, RK_NAME_TOKENS) == 0)
        symbol = RK_NAME_KEYS;
    return rk_arena_format(a, "%s%s", symbol, word + n);
}

int rk_spelling_axis(const rk_cmd_line *line, const char *word, rk_err *err)
{
    size_t n = strcspn(word, "=");

    for (size_t i = 0; i < RK_N_MESH && has_all(line->command, "--layout"); i++)
        if (strlen(rk_mesh_word[i]) == n && memcmp(word, rk_mesh_word[i], n) == 0 && !has_symbol(line, word, n))
            return rk_fail(err, RK_EUSAGE, "%s is the size of an axis, which is said in a layout: --layout %s", word,
                           word);
    return RK_OK;
}

/* ---- help ------------------------------------------------------------------------------------------------------- */

/* "--a, --b" of "--a|--b", with what stands before and after each. */
static const char *listed(rk_page *p, const char *words, const char *after)
{
    rk_str s = {0};
    char *text;

    for (; *words; words++)
        rk_str_put(&s, *words == '|' ? after : (char[]){*words, '\0'}), rk_str_put(&s, *words == '|' ? ", " : "");
    rk_str_put(&s, after);
    text = rk_arena_text(p->arena, rk_str_text(&s));
    p->failed |= s.failed || !text;
    rk_str_free(&s);
    return text ? text : "";
}

static const char *means_text(rk_page *p, const char *means)
{
    rk_str s = {0};
    char *text;

    for (; *means; means++)
        rk_str_put(&s, *means == '%' && !isdigit((unsigned char)means[1]) ? "…"
                       : *means == '%'                                    ? ""
                                                                          : (char[]){*means, '\0'});
    text = rk_arena_text(p->arena, rk_str_text(&s));
    p->failed |= s.failed || !text;
    rk_str_free(&s);
    return text ? text : "";
}

void rk_spelling_put(rk_page *p)
{
    static const rk_field column[] = {{.head = ""}, {.head = "", .wraps = true}};
    static const struct {
        kind kind;
        const char *heading;
    } part[] = {
        {COMMAND, "Commands:"}, {SETTING, "Settings, also as options:"}, {OPTION, "Options:"}, {VALUE, "Values:"}};

    rk_page_put(p, RK_ITEM_LINE, 0,
                "Other spellings, after what they mean. Capital and small letters are the same, and so are - and _. A "
                "model, a file or a symbol of such a name is meant first.");
    rk_page_gap(p);
    rk_page_put(
        p, RK_ITEM_LINE, 0,
        "A command may stand after the model: 'reckon gpt2 memory'. For devices, 8xh100 and h100x8 are --devices 8 "
        "--device h100, 80GB is --memory 80GB, and after the model the name alone will do; so do fsdp, ddp and "
        "zero3. In a decoding step lengths are T, the tokens that are seen. Sizes such as layers=6 are set where the "
        "model has one of the kind.");
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        rk_table *t;

        rk_page_gap(p);
        rk_page_put(p, RK_ITEM_HEADING, 0, "%s", part[k].heading);
        t = rk_page_table(p, column, 2);
        for (int i = 0; i < N_TABLE; i++) {
            rk_cell *cell;

            if (table[i].kind != part[k].kind && !(table[i].kind == SPLIT && part[k].kind == OPTION))
                continue;
            if (i > 0 && strcmp(table[i].typed, table[i - 1].typed) == 0) /* for other commands */
                continue;
            cell = rk_page_row(p, t, RK_ROW_PLAIN, 1);
            cell[0] = rk_cell_text(p, "%s", means_text(p, table[i].means));
            cell[1] = rk_cell_text(p, "%s", listed(p, table[i].typed, table[i].kind == SETTING ? "=" : ""));
        }
    }
}

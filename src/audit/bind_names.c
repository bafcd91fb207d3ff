/* SPDX-License-Identifier: MIT */
/* Words that may name a part of a model, in place of what people write. */
#include "audit/bind_parts.h"

#include <string.h>

/* ---- texts ------------------------------------------------------------------------------------------------------- */

bool rk_bind_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool rk_bind_is_word(const char *text, size_t n, const char *word)
{
    if (strlen(word) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (small(text[i]) != small(word[i]))
            return false;
    return true;
}

bool rk_bind_has_word(const char *text, const char *const *word, size_t n)
{
    while (text && *text) {
        size_t length = 0;

        while (rk_bind_is_letter(text[length]))
            length++;
        for (size_t i = 0; i < n && word[i] && length > 0; i++)
            if (rk_bind_is_word(text, length, word[i]))
                return true;
        text += length ? length : 1;
    }
    return false;
}

/* ---- phrases ----------------------------------------------------------------------------------------------------- */

/* What has a meaning only as a whole: put in its place, before words are looked at one by one. */
static const struct {
    const char *from, *to;
} phrases[] = {
    {"q@k^t", " scores "},
    {"q @ k^t", " scores "},
    {"qk^t", " scores "},
    {"qk^{t}", " scores "},
    {"q k^t", " scores "},
    {"q^t k", " scores "},
    {"q@k", " scores "},
    {"qkᵀ", " scores "},
    {"attention map", " scores "},
    {"scores@v", " context "},
    {"scores @ v", " context "},
    {"weights @ v", " context "},
    {"weights@v", " context "},
    {"weights × v", " context "},
    {"attention × v", " context "},
    {"attn @ v", " context "},
    {"attn@v", " context "},
    {"weighted sum", " context "},
    {"attention weight", " context "},
    {"per layer", " "},
    {"each layer", " "},
    {"per block", " "},
    {"each block", " "},
    {"per transformer block", " "},
    {"each transformer block", " "},
    {"all layers", " "},
    {"multi-head", " "},
    {"multihead", " "},
    {"per-head", " per head "},
    {"self-attention", " attention "},
    {"attention head", " attention "},
    {"each head", " "},
    {"per head", " "},
    {"one head", " "},
    {"all heads", " "},
    {"heads", " "},
    {"head dim", " "},
    {"head width", " "},
    {"head_dim", " "},
    {"_{head}", " "},
    {"_head", " "},
    {"context length", " "},
    {"context_len", " "},
    {"context window", " "},
    {"of context", " "},
    {"context size", " "},
    {"longer context", " "},
    {"sequence length", " "},
    {"output layer", " lm_head "},
    {"output head", " lm_head "},
    {"output embedding", " lm_head "},
    {"final linear", " lm_head "},
    {"vocabulary projection", " lm_head "},
    {"vocab projection", " lm_head "},
    {"lm head", " lm_head "},
    {"lm_head", " lm_head "},
    {"linear layer", " "},
    {"two-layer", " "},
    {"layer norm", " norm "},
    {"layer-norm", " norm "},
    {"rms norm", " norm "},
    {"w_1", " w1 "},
    {"w_2", " w2 "},
    {"w_3", " w3 "},
    {"embedding dim", " "},
    {"value:", " "},
    {"key observation", " "},
    {"key point", " "},
    {"transformer", " "},
    {"parameters", " "},
};

static int phrase_at(const char *text)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (text[0] == phrases[i].from[0] && strncmp(text, phrases[i].from, strlen(phrases[i].from)) == 0)
            return (int)i;
    return -1;
}

const char *rk_bind_lower(rk_binder *b, const char *text)
{
    char *copy = rk_arena_text(&b->arena, text);

    for (char *c = copy; c && *c; c++)
        *c = small(*c);
    return copy ? copy : "";
}

/* "dot product of query and key" is neither; nor is a value that is weighted. */
static bool is_dropped(const char *word, size_t n, bool product, bool weighing)
{
    static const char *const of_product[] = {"query",  "key",       "queries", "keys", "value",
                                             "values", "attention", "q",       "k"};
    size_t from = weighing ? 4 : 0, to = weighing ? 7 : 4;

    if (n == 1 && !strchr("qkvo", word[0]))
        return true;
    for (size_t i = 0; i < sizeof of_product / sizeof *of_product && (product || weighing); i++)
        if (rk_bind_is_word(word, n, of_product[i]) && ((i >= from && i < to) || (product && i > 6)))
            return true;
    return false;
}

/* The words of a text that may name parts, in small letters. */
const char *rk_bind_names(rk_binder *b, const char *text)
{
    const char *at = rk_bind_lower(b, text);
    bool product = strstr(at, "dot product") || strstr(at, "dot-product"), weighing;
    rk_str s = {0}, out = {0};

    while (*at) {
        int i = phrase_at(at);

        rk_str_putn(&s, i >= 0 ? phrases[i].to : at, i >= 0 ? strlen(phrases[i].to) : 1);
        at += i >= 0 ? strlen(phrases[i].from) : 1;
    }
    rk_str_put(&s, product ? " scores" : "");
    weighing = strstr(rk_str_text(&s), " context ") != NULL;
    for (at = rk_str_text(&s); *at;) {
        size_t n = 0;

        while (rk_bind_is_letter(at[n]))
            n++;
        if (n > 0 && !is_dropped(at, n, product, weighing))
            rk_str_putn(&out, at, n), rk_str_putc(&out, ' ');
        else if (n == 0 && *at != ' ' && *at != '-')
            rk_str_put(&out, ", ");
        at += n ? n : 1;
    }
    rk_str_free(&s);
    b->arena.failed |= out.failed;
    text = rk_arena_text(&b->arena, rk_str_text(&out));
    rk_str_free(&out);
    return text ? text : "";
}

/* SPDX-License-Identifier: MIT */
/* Claims for people: words for names of a model, remarks, lines of the text. */
#include "report/check_parts.h"

#include <string.h>

/* ---- words for names -------------------------------------------------------------------------------------------- */

/* What the end of a name is called; of two that fit, the first. */
static const struct {
    const char *end, *words;
} word[] = {
    {"attention.scores", "attention scores (QKᵀ)"},
    {"attention.probs", "attention softmax"},
    {"attention.context", "attention weights times values"},
    {"attention.output", "attention output projection"},
    {"attention.qkv", "query, key and value projection"},
    {"attention.q", "query projection"},
    {"attention.k", "key projection"},
    {"attention.v", "value projection"},
    {"layers.attention", "attention"},
    {"ffn.router_logits", "router"},
    {"ffn.gate", "FFN gate projection"},
    {"ffn.up", "FFN up projection"},
    {"ffn.down", "FFN down projection"},
    {"layers.ffn", "FFN"},
    {"head.logits", "LM head"},
    {"attn.c_attn", "query, key and value projection"},
    {"attn.c_proj", "attention output projection"},
    {"mlp.c_fc", "FFN up projection"},
    {"mlp.c_proj", "FFN down projection"},
    {"q_proj", "query projection"},
    {"k_proj", "key projection"},
    {"v_proj", "value projection"},
    {"self_attn.o_proj", "attention output projection"},
    {"self_attn.out_proj", "attention output projection"},
    {"attention.self.query", "query projection"},
    {"attention.self.key", "key projection"},
    {"attention.self.value", "value projection"},
    {"attention.output.dense", "attention output projection"},
    {"intermediate.dense", "FFN up projection"},
    {"output.dense", "FFN down projection"},
    {"mlp.gate_proj", "FFN gate projection"},
    {"mlp.up_proj", "FFN up projection"},
    {"mlp.down_proj", "FFN down projection"},
    {"embed_tokens", "token embedding"},
    {"wte", "token embedding"},
    {"word_embeddings", "token embedding"},
    {"wpe", "position embedding"},
    {"position_embeddings", "position embedding"},
    {"token_type_embeddings", "segment embedding"},
    {"bert.embeddings", "embeddings"},
    {"lm_head", "LM head"},
    {"cls.predictions.transform", "transform of the LM head"},
    {"transform.dense", "transform of the LM head"},
    {"ln_1", "norm before attention"},
    {"ln_2", "norm before the FFN"},
    {"ln_f", "final norm"},
    {"model.norm", "final norm"},
    {"input_layernorm", "norm before attention"},
    {"post_attention_layernorm", "norm before the FFN"},
    {"attention.output.LayerNorm", "norm after attention"},
    {"embeddings.LayerNorm", "norm of the embeddings"},
    {"output.LayerNorm", "norm after the FFN"},
};

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("_.{}[]", c));
}

/* Whether a name ends in another one, at a dot. */
static bool ends_in(const char *name, size_t n, const char *end)
{
    size_t length = strlen(end);

    return n >= length && memcmp(name + n - length, end, length) == 0 && (n == length || name[n - length - 1] == '.');
}

/* The word for a name of n bytes, "encoder.layers.attention.q"; false: there is none. */
static bool put_word(rk_str *out, const char *name, size_t n)
{
    static const char *const stack[] = {"encoder", "decoder", "vision"};
    bool weight = ends_in(name, n, "weight"), bias = ends_in(name, n, "bias");

    n -= weight ? strlen(".weight") : bias ? strlen(".bias") : 0;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        if (!ends_in(name, n, word[i].end))
            continue;
        rk_str_put(out, word[i].words);
        for (size_t k = 0; k < sizeof stack / sizeof *stack; k++)
            if (n > strlen(stack[k]) && memcmp(name, stack[k], strlen(stack[k])) == 0 && name[strlen(stack[k])] == '.')
                rk_str_format(out, " of the %s", stack[k]);
        rk_str_put(out, bias ? ", bias" : "");
        return true;
    }
    return false;
}

const char *rk_check_plain(rk_view *v, const char *text)
{
    rk_str out = {0};

    while (*text) {
        size_t n = 0;
        bool named;

        while (is_name_byte(text[n]))
            n++;
        while (n > 0 && text[n - 1] == '.') /* the end of a sentence */
            n--;
        named = n > 0 && memchr(text, '.', n) && put_word(&out, text, n);
        n = n > 0 ? n : 1;
        if (!named)
            rk_str_putn(&out, text, n);
        text += n;
    }
    return rk_view_keep(v, &out);
}

/* ---- remarks ---------------------------------------------------------------------------------------------------- */

const char *rk_check_remark(rk_view *v, const rk_claim *c)
{
    const char *note = c->note ? rk_check_plain(v, rk_view_safe(v, c->note)) : "";
    const char *stated = rk_view_safe(v, c->stated ? c->stated : c->text);

    if (c->kind == RK_CLAIM_SUM)
        return rk_view_format(v, "says %s; %s", stated, note);
    return rk_view_format(v, "says %s; it is %s%s%s", stated, rk_view_safe(v, c->found ? c->found : "?"),
                          c->note ? ": " : "", note);
}

const char *rk_check_nearest(rk_view *v, const rk_claim *c)
{
    if (!c->quantity)
        return NULL;
    return rk_view_format(v, "%s: %s", rk_check_plain(v, rk_view_safe(v, c->quantity)),
                          c->found ? rk_view_safe(v, c->found) : "");
}

rk_mark rk_check_mark(const rk_claim *c)
{
    static const rk_mark mark[] = {[RK_CLAIM_RIGHT] = RK_MARK_RIGHT,
                                   [RK_CLAIM_WRONG] = RK_MARK_WRONG,
                                   [RK_CLAIM_SLIP] = RK_MARK_SLIP,
                                   [RK_CLAIM_DOUBTFUL] = RK_MARK_DOUBTFUL,
                                   [RK_CLAIM_UNKNOWN] = RK_MARK_UNKNOWN};

    return mark[c->status];
}

/* ---- quoting ---------------------------------------------------------------------------------------------------- */

enum {
    QUOTE_MOST = 96, /* columns */
    QUOTE_LEAST = 24,
    QUOTE_BYTES = 360, /* of the text around a claim that are looked at */
    INDENT = 2
};

static bool continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Whether a blank stands at a byte, behind marks that are not shown. */
static bool has_blank(const rk_scan *s, uint32_t at, uint32_t end, int step)
{
    for (; at != end && strchr("$*`_{}()\\", s->text[at]); at += (uint32_t)step)
        ;
    return at != end && strchr(" \t\n\r", s->text[at]);
}

/* Where a word begins at a byte or after it, or ends before it, where that is near; else that byte. */
static size_t whole_word(const char *text, size_t n, size_t at, bool last)
{
    enum {
        NEAR = 12
    };
    size_t near = at;

    if (at == 0 || at >= n || text[at - 1] == ' ' || text[at] == ' ')
        return at;
    while (near > 0 && near < n && text[near] != ' ' && (last ? near - at : at - near) < NEAR)
        near += last ? 1 : (size_t)-1;
    return near < n && text[near] == ' ' ? near : at;
}

/* The last, or the first, so many characters of a text, at a word where one is near. */
static const char *cut(rk_view *v, const char *text, size_t most, bool last)
{
    size_t n = strlen(text), from = 0, to = n, used = 0;

    if (rk_text_width(text) <= most)
        return text;
    if (last)
        for (from = n; from > 0 && used < most; used += !continues(text[from]))
            from--;
    else
        for (to = 0; to < n && (used < most || continues(text[to])); to++)
            used += !continues(text[to]);
    from = last ? whole_word(text, n, from, true) : from;
    to = last ? to : whole_word(text, n, to, false);
    while (last && from < n && (continues(text[from]) || text[from] == ' '))
        from++;
    while (!last && to > 0 && text[to - 1] == ' ')
        to--;
    return rk_view_format(v, last ? "… %.*s" : "%.*s …", (int)(to - from), text + from);
}

/* What stands before, in and after a claim in its lines. */
static void quote_parts(rk_view *v, const rk_check_text *t, const rk_claim *c, const char *part[3])
{
    rk_audit *a = t->audit;
    const rk_scan *s = &a->scan;
    uint32_t from, to, over, end = c->to > c->at ? c->to : c->at + 1;

    rk_scan_line_range(s, rk_scan_line(s, c->at), &from, &over);
    rk_scan_line_range(s, rk_scan_line(s, end - 1), &over, &to);
    from = from > c->at ? c->at : from;
    to = to < end ? end : to;
    if (c->at - from > QUOTE_BYTES)
        for (from = c->at - QUOTE_BYTES; continues(s->text[from]);)
            from++;
    to = to - end > QUOTE_BYTES ? end + QUOTE_BYTES : to;
    while (to > end && to < s->n && continues(s->text[to]))
        to--;
    part[0] = rk_view_format(v, "%s%s", rk_audit_plain(a, from, c->at),
                             c->at > from && has_blank(s, c->at - 1, from, -1) ? " " : "");
    part[1] = rk_view_safe(v, rk_audit_plain(a, c->at, end));
    part[2] = rk_view_format(v, "%s%s", to > end && has_blank(s, end, to, 1) ? " " : "", rk_audit_plain(a, end, to));
    part[0] = rk_view_safe(v, part[0]);
    part[2] = rk_view_safe(v, part[2]);
    a->arena.failed |= v->arena.failed;
}

void rk_check_quote(rk_view *v, const rk_check_text *t, const rk_claim *c)
{
    size_t columns = v->page.paper.columns ? v->page.paper.columns : QUOTE_MOST, room, left, after;
    rk_marked_span *span = RK_NEW_ARRAY(&v->arena, 3, rk_marked_span);
    const char *part[3];

    quote_parts(v, t, c, part);
    room = columns > QUOTE_MOST ? QUOTE_MOST : columns;
    room = room < QUOTE_LEAST + INDENT ? QUOTE_LEAST : room - INDENT;
    part[1] = cut(v, part[1], room > 8 ? room - 8 : room, false);
    left = rk_text_width(part[1]) < room ? room - rk_text_width(part[1]) : 0;
    after = rk_text_width(part[2]);
    if (after + rk_text_width(part[0]) > left) {
        size_t third = rk_text_width(part[0]) + left / 3 < left ? left - rk_text_width(part[0]) : left / 3;

        if (after > third)
            part[2] = cut(v, part[2], third > 2 ? third - 2 : 0, false);
        after = after < third ? after : third;
        left -= left > after ? after : left;
        if (rk_text_width(part[0]) > left)
            part[0] = cut(v, part[0], left > 2 ? left - 2 : 0, true);
    }
    /* Where nothing can stand below a line, the claim stands before it. */
    if (v->report->format != RK_FORMAT_TEXT && v->report->format != RK_FORMAT_HTML) {
        rk_page_code(&v->page, 1, part[1],
                     part[0][0] || part[2][0] ? rk_view_format(v, "in: %s%s%s", part[0], part[1], part[2]) : NULL);
        return;
    }
    for (size_t i = 0; span && i < 3; i++)
        span[i] = (rk_marked_span){.text = part[i], .mark = i == 1 ? rk_check_mark(c) : RK_MARK_NONE};
    if (span)
        rk_page_marked(&v->page, 1, NULL, span, 3);
}

/* ---- the text itself -------------------------------------------------------------------------------------------- */

/*
 * A text, and the cells of a notebook, are shown as they stand in the file; of HTML the text that was made of it.
 * Bytes are those of what is shown.
 */
typedef struct annotating {
    rk_view *v;
    const rk_check_text *t;
    const char *text;
    uint32_t n;
    bool is_origin;
    size_t claim;  /* the next one … */
    size_t open;   /* … and of the figures that are left open */
    uint32_t done; /* bytes up to this one are shown */
    rk_prose_walk walk;
    rk_prose_place last;         /* of the line before */
    RK_VEC(rk_marked_span) span; /* of the line */
} annotating;

static uint32_t begin_of(const annotating *x, const rk_claim *c)
{
    return x->is_origin ? rk_prose_origin(x->t->source, c->at) : c->at;
}

static uint32_t end_of(const annotating *x, const rk_claim *c)
{
    return x->is_origin && c->to > c->at ? rk_prose_origin(x->t->source, c->to - 1) + 1 : c->to;
}

/* Bytes of the text, with nothing in them that a terminal obeys, and tabs as blanks. */
static const char *shown(annotating *x, uint32_t from, uint32_t to)
{
    rk_str raw = {0}, safe = {0};

    for (; from < to; from++)
        if (x->text[from] == '\t')
            rk_str_put(&raw, "    ");
        else if (x->text[from] != '\r' && x->text[from] != '\f')
            rk_str_putc(&raw, x->text[from]);
    rk_str_put_safe(&safe, rk_str_text(&raw), raw.n);
    safe.failed |= raw.failed;
    rk_str_free(&raw);
    return rk_view_keep(x->v, &safe);
}

static void put_span(annotating *x, uint32_t from, uint32_t to, rk_mark mark, const char *note)
{
    rk_marked_span *s = from < to || note ? RK_PUSH(&x->v->arena, &x->span) : NULL;

    if (s)
        *s = (rk_marked_span){shown(x, from, to), mark, note};
}

/* What stands below a claim. */
static const char *note_of(annotating *x, const rk_claim *c)
{
    static const char *const what[] = {[RK_CLAIM_RIGHT] = "right",
                                       [RK_CLAIM_WRONG] = "wrong: ",
                                       [RK_CLAIM_SLIP] = "off in the last digit: ",
                                       [RK_CLAIM_DOUBTFUL] = "doubtful",
                                       [RK_CLAIM_UNKNOWN] = "not understood"};
    bool says = c->status == RK_CLAIM_WRONG || c->status == RK_CLAIM_SLIP;

    if (c->status == RK_CLAIM_RIGHT && !c->note)
        return NULL;
    if (says)
        return rk_view_format(x->v, "%s%s", what[c->status], rk_check_remark(x->v, c));
    return rk_view_format(x->v, "%s%s%s", what[c->status], c->note ? ": " : "",
                          c->note ? rk_check_plain(x->v, rk_view_safe(x->v, c->note)) : "");
}

/* One more thing that is said of a piece that stands there already: the worst of them is how it looks. */
static void add_note(annotating *x, rk_mark mark, const char *note)
{
    static const int worse[] = {[RK_MARK_NONE] = 0,     [RK_MARK_RIGHT] = 1, [RK_MARK_UNKNOWN] = 2,
                                [RK_MARK_DOUBTFUL] = 3, [RK_MARK_SLIP] = 4,  [RK_MARK_WRONG] = 5};
    rk_marked_span *last = &x->span.at[x->span.n - 1];

    if (worse[mark] > worse[last->mark])
        last->mark = mark;
    if (note)
        last->note = last->note ? rk_view_format(x->v, "%s; %s", last->note, note) : note;
}

/* The next of the claims and the figures that are left open, in their order, if it begins before `to`. */
static const rk_claim *next_claim(annotating *x, uint32_t to, bool *is_open)
{
    const rk_audit *a = x->t->audit;
    const rk_claim *claim = x->claim < a->claim.n ? &a->claim.at[x->claim] : NULL;
    const rk_claim *open = x->open < a->open.n ? &a->open.at[x->open] : NULL;
    const rk_claim *next;

    *is_open = open && (!claim || open->at < claim->at);
    next = *is_open ? open : claim;
    if (!next || begin_of(x, next) >= to)
        return NULL;
    if (*is_open)
        x->open++;
    else
        x->claim++;
    return next;
}

static const char *note_of_open(annotating *x, const rk_claim *c)
{
    const char *nearest = rk_check_nearest(x->v, c);

    return nearest ? rk_view_format(x->v, "left open; the nearest is %s", nearest) : "left open";
}

/* The claims that begin in [from, to); one over several lines is marked in the first of them, and noted there. */
static void put_claims(annotating *x, uint32_t from, uint32_t to)
{
    const rk_claim *c;
    bool is_open;

    x->done = from;
    while ((c = next_claim(x, to, &is_open)) != NULL) {
        const char *note = is_open ? note_of_open(x, c) : note_of(x, c);
        uint32_t begin = begin_of(x, c), end = end_of(x, c);

        begin = begin < x->done ? x->done : begin;
        end = end < to ? end : to;
        put_span(x, x->done, begin, RK_MARK_NONE, NULL);
        x->done = begin;
        end = end < begin ? begin : end;
        if (begin == end && x->span.n > 0)
            add_note(x, rk_check_mark(c), note);
        else
            put_span(x, begin, end, rk_check_mark(c), note);
        x->done = end;
    }
    put_span(x, x->done, to, RK_MARK_NONE, NULL);
    if (x->span.n == 0) /* an empty line */
        put_span(x, to, to, RK_MARK_NONE, "");
}

/* The number of a line; that of HTML is said once, whatever it became. */
static const char *label_of(annotating *x, uint32_t from, size_t width)
{
    const rk_prose *s = x->t->source;
    rk_prose_place p = x->is_origin ? rk_prose_find_origin(s, from, &x->walk) : rk_prose_find(s, from, &x->walk);
    bool again = !x->is_origin && (p.line == x->last.line || x->text[from] == '\n');
    const char *number = "";

    if (p.cell)
        number = rk_view_format(x->v, "%zu%s:%zu", p.cell, p.output ? "o" : "", p.line);
    else if (!again)
        number = rk_view_format(x->v, "%zu", p.line);
    if (!again)
        x->last = p;
    return rk_view_format(x->v, "%*s", (int)width, number);
}

void rk_check_annotate(rk_view *v, const rk_check_text *t)
{
    const rk_prose *s = t->source;
    bool is_origin = s->kind != RK_PROSE_HTML;
    annotating x = {.v = v, .t = t, .is_origin = is_origin, .text = is_origin ? s->origin : s->text};
    size_t width = s->cell.n > 0 ? 8 : 4;

    x.n = (uint32_t)(is_origin ? s->n_origin : s->n);
    if (v->report->format == RK_FORMAT_TEXT && t->audit->claim.n > 0)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0, "%s",
                    "^ wrong, ~ off in the last digit, ? doubtful, . not understood or left open, - right");
    for (uint32_t from = 0, to; from < x.n && !v->arena.failed; from = to + 1) {
        const char *end = memchr(x.text + from, '\n', x.n - from);
        rk_marked_span *span;

        to = end ? (uint32_t)(end - x.text) : x.n;
        x.span.n = 0;
        put_claims(&x, from, to);
        span = rk_arena_copy_array(&v->arena, x.span.at, x.span.n, sizeof *span);
        if (span)
            rk_page_marked(&v->page, 0, label_of(&x, from, width), span, x.span.n);
    }
}

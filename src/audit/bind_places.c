/* SPDX-License-Identifier: MIT */
/*
 * Sizes that a figure has by where it stands: in a row with "12 | 768" below "L | d_model", in a column or a section
 * that is called "GPT-2 small".
 */
#include "audit/bind_parts.h"

#include "audit/judge.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    TITLE_MAX = 80, /* bytes of a heading or of the head of a column that may say which model is meant */
    CELLS_MAX = 4096,
    LETTER_MAX = 24,
    LAYERS_MOST = 400,      /* a length, where more are said */
    WIDTH_LEAST = 256,      /* a head's width, or a picture's side, where less is said */
    SIZE_MAX_HERE = 1 << 24 /* what is larger is no size */
};

/* ---- rows and columns -------------------------------------------------------------------------------------------- */

/* The text of a piece without blanks around it; NULL: it is too long. */
static const char *title_of(rk_binder *b, uint32_t from, uint32_t to)
{
    const char *text = to - from <= TITLE_MAX ? rk_audit_plain(b->a, from, to) : NULL;

    return text ? text + strspn(text, " \t*#-") : NULL;
}

/* A letter of the text alone, "L" or "$L$", as a size of the model; NULL: it is none, or nothing says which one. */
static const rk_symbol *letter_alone(const rk_binder *b, const char *text)
{
    char name[LETTER_MAX];
    size_t n = 0;
    rk_sym s;

    for (; *text && n + 1 < sizeof name; text++)
        if (!strchr("$ {}", *text))
            name[n++] = *text;
    name[n] = '\0';
    s = *text ? RK_SYM_NONE : rk_sym_find(b->a->pool, name);
    return s != RK_SYM_NONE && s < b->n_symbol ? b->symbol[s] : NULL;
}

/* Which size the cells below a head are, or beside it: as the text has it, or as it is usual; NULL: none. */
static const rk_symbol *size_below(rk_binder *b, const rk_piece *p)
{
    const char *text = title_of(b, p->from, p->to);
    const rk_symbol *letter = text ? letter_alone(b, text) : NULL;
    const rk_lexeme *w = text ? rk_lexicon_is(b->a->lexicon, RK_WORDS_COLUMN, text, strlen(text)) : NULL;

    if (letter && w)
        return letter;
    return w ? rk_bind_of_role(b, b->source->instance->model, (rk_letter_role)w->id) : NULL;
}

/* A cell with a whole number alone; 0: it is none. */
static rk_i128 number_in(const rk_binder *b, size_t piece)
{
    const rk_chains *c = &b->a->chains;
    const rk_side *s;
    rk_i128 n;

    if (c->first[piece + 1] != c->first[piece] + 1 || c->chain.at[c->first[piece]].n != 1)
        return 0;
    s = &c->side.at[c->chain.at[c->first[piece]].first];
    return s->literal.is && !s->literal.rounded && !s->unit && s->value != RK_EX_FAILED &&
                   rk_ex_is_int(b->a->pool, s->value, &n) && n > 0 && n < SIZE_MAX_HERE
               ? n
               : 0;
}

/* The heads of a table that are sizes: of columns, in its first row, and of rows, in its first column; read once. */
static const rk_size_heads *heads_of(rk_binder *b, size_t piece)
{
    const rk_piece *all = b->a->scan.piece.at;
    rk_size_heads *h = &b->heads;
    uint32_t table = all[piece].table;
    size_t first = piece;

    if (h->table == table)
        return h;
    *h = (rk_size_heads){.table = table};
    while (first > 0 && all[first - 1].table == table)
        first--;
    h->first = first;
    for (size_t i = first; i < b->a->scan.piece.n && i < first + CELLS_MAX && all[i].table == table; i++) {
        bool of_column = all[i].row == 0, of_row = all[i].column == 0 && all[i].row > 0;
        const rk_symbol *s = of_column || of_row ? size_below(b, &all[i]) : NULL;

        if (s && h->n < RK_BIND_HEADS_MAX)
            h->head[h->n++] = (rk_size_head){s, i, of_column};
    }
    return h;
}

/* The cell of a row or a column of sizes that stands beside a figure; SIZE_MAX: none does. */
static size_t cell_beside(const rk_binder *b, size_t piece, const rk_size_head *h)
{
    const rk_piece *all = b->a->scan.piece.at, *p = &all[piece], *head = &all[h->piece];
    size_t at = h->of_column ? piece : h->piece, want = h->of_column ? head->column : p->column;
    uint32_t row = all[at].row;

    while (at > 0 && all[at].column > want && all[at - 1].table == p->table && all[at - 1].row == row)
        at--;
    while (all[at].column < want && at + 1 < b->a->scan.piece.n && all[at + 1].table == p->table &&
           all[at + 1].row == row)
        at++;
    return all[at].column == want && at != piece && at != h->piece ? at : SIZE_MAX;
}

/* A size that does not follow from others, as H = D/N does. */
static bool is_free(const rk_binder *b, const rk_symbol *s)
{
    return s->key || rk_sym_definition(b->source->instance->pool, s->sym) == RK_EX_FAILED;
}

/* "medium (L=24, d=1024, d_ff=2752)" in a cell of its row. */
static size_t add_defined(rk_binder *b, const rk_piece *p, rk_sizing *want)
{
    size_t n = 0;
    rk_i128 value;

    for (rk_sym s = 0; s < b->n_symbol; s++)
        for (const rk_definition *d = b->symbol[s] ? rk_define_of(&b->a->definitions, RK_DEFINE_NUMBER, s) : NULL; d;
             d = d->next)
            if (d->piece->kind == RK_PIECE_CELL && d->piece->table == p->table && d->piece->row == p->row &&
                is_free(b, b->symbol[s]) && rk_ex_is_int(b->a->pool, d->value, &value) && value > 0 &&
                value < SIZE_MAX_HERE) {
                rk_bind_set(want, b->symbol[s], value);
                n++;
                break;
            }
    return n;
}

/* The layers, the width or the heads that a name behind a number counts: "12L", "768d", "12 heads". */
static const rk_symbol *counted_at(const rk_binder *b, size_t i)
{
    const rk_audit_token *t = &b->a->lexed.token.at[i];
    const char *text = b->a->scan.text + t->at;
    const rk_lexeme *word = rk_lexicon_is(b->a->lexicon, RK_WORDS_SIZE, text, t->n);
    rk_letter_role role = RK_N_LETTER;

    if (t->kind == RK_TOKEN_SYMBOL)
        role = rk_judge_role(b->a, text, t->n);
    else if (t->kind == RK_TOKEN_WORD && word)
        role = (rk_letter_role)word->id;
    return role == RK_LETTER_LAYERS || role == RK_LETTER_WIDTH || role == RK_LETTER_HEADS
               ? rk_bind_of_role(b, b->source->instance->model, role)
               : NULL;
}

/* The whole number that token i is, where it may be a size; 0 if it is none. */
static rk_i128 size_at(const rk_binder *b, size_t i)
{
    const rk_audit_token *t = &b->a->lexed.token.at[i];
    const rk_written *w = t->kind == RK_TOKEN_NUMBER ? &b->a->lexed.number.at[t->id] : NULL;

    return w && !w->wide && w->exponent == 0 && w->digits > 0 && w->digits < SIZE_MAX_HERE ? w->digits : 0;
}

/* "small (12×768)" in tokens first to end: the layers and the width, and no other number. */
static size_t add_layers_by_width(rk_binder *b, size_t first, size_t end, rk_sizing *want)
{
    const rk_model *m = b->source->instance->model;
    const rk_symbol *layers = rk_bind_of_role(b, m, RK_LETTER_LAYERS);
    const rk_symbol *width = rk_bind_of_role(b, m, RK_LETTER_WIDTH);
    const rk_audit_token *t = b->a->lexed.token.at;
    size_t at = SIZE_MAX, n = 0;

    for (size_t i = first; i < end; i++) {
        n += t[i].kind == RK_TOKEN_NUMBER;
        if (i + 2 < end && t[i + 1].kind == RK_TOKEN_SIGN && t[i + 1].op == '*')
            at = i;
    }
    if (!layers || !width || n != 2 || at == SIZE_MAX || size_at(b, at) == 0 || size_at(b, at) > LAYERS_MOST ||
        size_at(b, at + 2) < WIDTH_LEAST || size_at(b, at + 2) % 64 != 0)
        return 0;
    rk_bind_set(want, layers, size_at(b, at));
    rk_bind_set(want, width, size_at(b, at + 2));
    return 2;
}

/* "small (12L, 768d, 12H)" in the first cell of its row: two sizes and more. */
static size_t add_counted(rk_binder *b, size_t piece, rk_sizing *want)
{
    const rk_piece *all = b->a->scan.piece.at;
    const rk_symbol *of[RK_BIND_HEADS_MAX];
    rk_i128 value[RK_BIND_HEADS_MAX];
    size_t n = 0, at = piece;

    while (at > 0 && all[at].column > 0 && all[at - 1].table == all[piece].table && all[at - 1].row == all[piece].row)
        at--;
    if (at == piece || all[at].column > 0 || all[at].row == 0)
        return 0;
    for (size_t i = b->a->lexed.first[at]; i + 1 < b->a->lexed.first[at + 1] && n < RK_BIND_HEADS_MAX; i++) {
        const rk_symbol *s = size_at(b, i) > 0 ? counted_at(b, i + 1) : NULL;

        if (s) {
            value[n] = size_at(b, i);
            of[n++] = s;
        }
    }
    for (size_t i = 0; i < n && n > 1; i++)
        rk_bind_set(want, of[i], value[i]);
    return n > 1 ? n : add_layers_by_width(b, b->a->lexed.first[at], b->a->lexed.first[at + 1], want);
}

/* Adds the sizes of other cells of its row, or of its column; returns how many there are. */
static size_t add_cells(rk_binder *b, size_t piece, rk_sizing *want)
{
    const rk_piece *p = &b->a->scan.piece.at[piece];
    const rk_size_heads *h = heads_of(b, piece);
    size_t n = add_defined(b, p, want);

    n += add_counted(b, piece, want);

    for (size_t i = 0; i < h->n; i++) {
        const rk_size_head *x = &h->head[i];
        size_t at = (x->of_column ? p->row : p->column) > 0 ? cell_beside(b, piece, x) : SIZE_MAX;
        rk_i128 value = at != SIZE_MAX ? number_in(b, at) : 0;

        if (value == 0 || (value > LAYERS_MOST && x->symbol == rk_bind_layers(b, b->source->instance->model)))
            continue;
        n++;
        rk_bind_set(want, x->symbol, value); /* also the model's own, which a name in the table may not change */
    }
    return n;
}

/* ---- other sizes of the model, by name --------------------------------------------------------------------------- */

static bool has_vocabulary_of(const rk_binder *b, const rk_model *x, const rk_model *y)
{
    const rk_symbol *v = rk_bind_of_role(b, x, RK_LETTER_VOCABULARY), *w = rk_bind_of_role(b, y, RK_LETTER_VOCABULARY);

    return v && w && v->known && w->known && v->value == w->value;
}

/* What a model that is called otherwise has for the sizes of this one. */
static void read_variant(rk_binder *b, rk_named_sizes *v)
{
    static const rk_letter_role shape[] = {RK_LETTER_LAYERS, RK_LETTER_WIDTH, RK_LETTER_HEADS};
    const rk_model *m = b->source->instance->model, *other;
    rk_open_request request = *b->source->reopen;
    rk_instance *instance = NULL;
    rk_err err = {0};
    int code;

    request.word = &v->name;
    request.n_word = 1;
    request.n_setting = 0;
    request.mistakes = NULL;
    request.model = request.config = (rk_text){0};
    code = rk_open(&request, &instance, &err);
    v->failed = code != RK_OK;
    if (code == RK_ENOMEM)
        b->code = rk_fail_memory(b->err);
    if (v->failed)
        return;
    other = instance->model;
    v->kin = strcmp(m->family, other->family) == 0 || has_vocabulary_of(b, m, other);
    for (size_t i = 0; i < m->n_symbol; i++) {
        const rk_symbol *s = &m->symbol[i], *like = NULL;

        if (strcmp(m->family, other->family) == 0)
            like = s->key ? rk_model_symbol(other, s->name) : NULL;
        else
            for (size_t k = 0; k < sizeof shape / sizeof *shape && !like; k++)
                if (rk_bind_of_role(b, m, shape[k]) == s)
                    like = rk_bind_of_role(b, other, shape[k]);
        if (like && like->known && s->kind != RK_SYMBOL_RUN)
            rk_bind_set(&v->sizes, s, like->value);
    }
    rk_instance_free(instance);
}

/* A model by its name in the library, read once; NULL: there are too many, or it cannot be opened. */
static const rk_named_sizes *variant_of(rk_binder *b, const char *name)
{
    rk_named_sizes *v = b->variant;

    for (size_t i = 0; i < b->n_variant; i++, v++)
        if (v->name == name)
            return v->failed ? NULL : v;
    if (b->n_variant == RK_BIND_VARIANTS_MAX)
        return NULL;
    b->n_variant++;
    *v = (rk_named_sizes){.name = name};
    read_variant(b, v);
    return v->failed ? NULL : v;
}

/* The one model that a text names; NULL: none, or several.  `whole`: all of it is the name. */
static const char *named_in(rk_binder *b, const char *text, bool whole)
{
    rk_mentions found = {0};
    const char *name = NULL;

    if (rk_mentions_find(&b->names, &b->arena, &b->arena, text, strlen(text), &found, NULL) != RK_OK)
        return NULL;
    for (size_t i = 0; i < found.at.n; i++) {
        if (name && name != found.at.at[i].name)
            return NULL;
        name = found.at.at[i].name;
    }
    return name && (!whole || (found.at.at[0].at == 0 && found.at.at[0].to == strlen(text))) ? name : NULL;
}

/* "small" beside gpt2-xl: the model's own name with another last word. */
static const char *named_beside(rk_binder *b, const char *word, size_t n)
{
    char name[2 * TITLE_MAX];
    size_t stem = strlen(b->source->instance->model->name);
    const char *own = b->source->instance->model->name, *found = NULL;

    while (stem > 0 && !found) {
        stem--;
        if (own[stem] != '-' || stem + n + 2 > sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s-%.*s", (int)stem, own, (int)n, word);
        found = named_in(b, name, true);
    }
    return found;
}

/* The "Small" of "Small model FLOPs analysis", which begins at *title; how many letters it has, 0: there is none. */
static size_t size_word(const char **title)
{
    const char *end, *next;

    while (**title && !rk_lexicon_is_letter(**title))
        ++*title;
    for (end = *title; rk_lexicon_is_letter(*end); end++)
        ;
    for (next = end; *next == ' ' || *next == '-'; next++)
        ;
    return strncmp(next, "model", 5) == 0 && !rk_lexicon_is_letter(next[5]) ? (size_t)(end - *title) : 0;
}

/* The model whose size the first word of a title says; NULL: it says none. */
static const char *named_first(rk_binder *b, const char *title)
{
    size_t n = size_word(&title);
    const char *name = n > 0 ? named_beside(b, title, n) : NULL;

    return !name && n == 6 && strncasecmp(title, "xlarge", n) == 0 ? named_beside(b, "xl", 2) : name;
}

/* The model at other sizes that a title names, or itself; NULL: it names none. */
static const rk_named_sizes *variant_in(rk_binder *b, const char *title)
{
    enum {
        WORDS_MAX = 3 /* "Small model", "XL at 1,024"; of a longer one the last word alone */
    };
    const char *name = NULL, *end;
    size_t words = 0;

    if (!title || !*title)
        return NULL;
    for (const char *at = title; *at; at++)
        words += rk_lexicon_is_letter(*at) && (at == title || !rk_lexicon_is_letter(at[-1]));
    end = title + strlen(title);
    for (size_t tries = words <= WORDS_MAX ? words : 1; tries > 0 && !name; tries--) {
        const char *first;

        while (end > title && !rk_lexicon_is_letter(end[-1]))
            end--;
        for (first = end; first > title && rk_lexicon_is_letter(first[-1]); first--)
            ;
        name = end > first ? named_beside(b, first, (size_t)(end - first)) : NULL;
        end = first;
    }
    if (!name)
        name = named_first(b, title);
    if (!name)
        name = named_in(b, title, false);
    return name ? variant_of(b, name) : NULL;
}

/* By the head of its row or its column; or by an item or a heading above it, the nearest first. */
static const rk_named_sizes *find_variant(rk_binder *b, size_t piece, bool in_table)
{
    const rk_piece *all = b->a->scan.piece.at, *p = &all[piece];
    const rk_scope *scope = b->a->scan.scope.at;
    const rk_named_sizes *found = NULL;

    if (in_table && p->kind == RK_PIECE_CELL) {
        size_t row = piece, column = heads_of(b, piece)->first;

        while (row > 0 && all[row - 1].table == p->table && all[row - 1].row == p->row)
            row--;
        while (column < piece && all[column].row == 0 && all[column].column != p->column)
            column++;
        found = row != piece ? variant_in(b, title_of(b, all[row].from, all[row].to)) : NULL;
        if (!found && column < row && all[column].row == 0)
            found = variant_in(b, title_of(b, all[column].from, all[column].to));
    }
    for (uint32_t s = p->scope; s != 0 && !found && !in_table; s = scope[s].parent)
        if (scope[s].title_to <= p->from)
            found = variant_in(b, title_of(b, scope[s].from, scope[s].title_to));
    return found;
}

/* The names that models have, read once. */
static bool has_names(rk_binder *b)
{
    if (b->names.library)
        return true;
    b->names.library = &b->source->reopen->library;
    return rk_callnames_list(b->names.library, b->a->lexicon, &b->arena, &b->names, NULL) == RK_OK;
}

/* Where the text names models, looked for once. */
static void find_mentions(rk_binder *b)
{
    if (!b->mentioned)
        rk_mentions_find(&b->names, &b->arena, &b->arena, b->a->scan.text, b->a->scan.n, &b->mention, NULL);
    b->mentioned = true;
}

/* "----- GPT-2 small -----": words between two rules. */
static bool is_between_rules(const char *line, size_t n)
{
    enum {
        RULE_LEAST = 3
    };
    size_t left = 0, right = 0;

    if (n > TITLE_MAX) /* nothing so long is a title, and lines may be rules of 60 KB */
        return false;
    while (left < n && strchr("-=*#", line[left]))
        left++;
    while (right < n - left && strchr("-=*#", line[n - 1 - right]))
        right++;
    return left >= RULE_LEAST && right >= RULE_LEAST && left + right < n;
}

/* "GPT-2 small:", "**GPT-2 small**": a few words on a line of their own, before a colon or in bold. */
static bool is_title(const char *line, size_t n)
{
    enum {
        WORDS_MAX = 6
    };
    static const char colon[] = "\xEF\xBC\x9A"; /* a wide one */
    size_t blanks = 0;
    int depth = 0;
    bool bold;

    while (n > 0 && strchr(" \t\r", line[n - 1]))
        n--;
    if (is_between_rules(line, n))
        return true;
    bold = n > 4 && strncmp(line, "**", 2) == 0 && strncmp(line + n - 2, "**", 2) == 0;
    for (; n > 0 && line[n - 1] == '*'; n--)
        ;
    for (size_t i = 0; i < n; i++) {
        depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
        blanks += depth == 0 && line[i] == ' ';
    }
    return n > 0 && blanks < WORDS_MAX && n <= TITLE_MAX && !memchr(line, '=', n) && !memchr(line, '|', n) &&
           (bold || line[n - 1] == ':' || (n > 3 && memcmp(line + n - 3, colon, 3) == 0));
}

/* "Small": a line of nothing but a word for the size of a model. */
static bool is_size_word(const rk_binder *b, const char *line, size_t n)
{
    while (n > 0 && strchr(" \t\r", line[n - 1]))
        n--;
    for (size_t i = 0; i < n; i++)
        if (!rk_lexicon_is_letter(line[i]))
            return false;
    return n > 0 && rk_lexicon_is(b->a->lexicon, RK_WORDS_LABEL, line, n);
}

/* "GPT-2 large": a line of nothing but the name of a model, or with a colon. */
static bool is_name_alone(rk_binder *b, uint32_t from, uint32_t to)
{
    const rk_mention *m;
    size_t i;

    find_mentions(b);
    i = rk_mentions_from(&b->mention, from);
    m = i < b->mention.at.n ? &b->mention.at.at[i] : NULL;
    while (m && to > m->to && strchr(" \t\r:", b->a->scan.text[to - 1]))
        to--;
    return m && m->at == from && m->to == to;
}

/* "Take GPT-2 XL" between a title and a figure: what follows is of that. */
static bool names_other(rk_binder *b, const rk_named_sizes *title, uint32_t from, uint32_t to)
{
    const rk_mention *all;

    find_mentions(b);
    all = b->mention.at.at;
    for (size_t i = rk_mentions_from(&b->mention, from); i < b->mention.at.n && all[i].at < to; i++)
        if (all[i].name != title->name)
            return true;
    return false;
}

/* "gpt2_small FFN FLOPs: 173,946,175,488": the model that is named last before a figure on its own line. */
static const rk_named_sizes *named_on_line(rk_binder *b, uint32_t at)
{
    const rk_named_sizes *v;
    const char *name = NULL;
    uint32_t from, to;

    rk_scan_line_range(&b->a->scan, rk_scan_line(&b->a->scan, at), &from, &to);
    if (memchr(b->a->scan.text + from, '|', to - from)) /* rows have heads */
        return NULL;
    find_mentions(b);
    for (size_t i = rk_mentions_from(&b->mention, from); i < b->mention.at.n && b->mention.at.at[i].to <= at; i++)
        name = b->mention.at.at[i].name;
    v = name ? variant_of(b, name) : NULL;
    return v && v->kin ? v : NULL;
}

const rk_named_sizes *rk_bind_title_line(rk_binder *b, uint32_t at)
{
    enum {
        LINES_MAX = 48
    };
    const rk_scan *scan = &b->a->scan;
    size_t line = rk_scan_line(scan, at);
    const rk_named_sizes *own = has_names(b) ? named_on_line(b, at) : NULL;
    const char *title;

    if (!b->names.library || own)
        return own;
    for (size_t left = LINES_MAX; line > 1 && left > 0; left--) {
        uint32_t from, to;

        rk_scan_line_range(scan, --line, &from, &to);
        if (scan->text[from] == '#')
            return NULL;
        /* Past blanks and dashes, but for those of a rule, which begins where no dash stands before. */
        for (uint32_t begin = from; from < to && strchr(" \t-", scan->text[from]); from++)
            if ((from == begin || scan->text[from - 1] != '-') && is_between_rules(scan->text + from, to - from))
                break;
        if (!is_title(scan->text + from, to - from) && !is_size_word(b, scan->text + from, to - from) &&
            !is_name_alone(b, from, to))
            continue;
        if (b->title_line != line) {
            b->title_line = line;
            b->title = variant_in(b, title_of(b, from, to));
        }
        if (b->title)
            return names_other(b, b->title, to, at) ? NULL : b->title;
        title = title_of(b, from, to);
        if (title && size_word(&title) > 0)
            return NULL; /* of a model whose size is not known */
    }
    return NULL;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

bool rk_bind_row_sizes(rk_binder *b, size_t piece, rk_sizing *want)
{
    return b->a->scan.piece.at[piece].kind == RK_PIECE_CELL && add_cells(b, piece, want) > 1;
}

/* The model that the section of a piece names last before a byte; NULL: none.  *several: the text names others, too. */
static const char *named_last(rk_binder *b, size_t piece, uint32_t at, bool *several)
{
    uint32_t section = rk_scan_section(&b->a->scan, b->a->scan.piece.at[piece].scope);
    const char *name = NULL;

    *several = false;
    if (!has_names(b))
        return NULL;
    find_mentions(b);
    for (size_t i = 0; i < b->mention.at.n; i++) {
        const rk_mention *m = &b->mention.at.at[i];

        *several |= m->name != b->mention.at.at[0].name;
        if (m->to <= at && (section == 0 || m->at >= b->a->scan.scope.at[section].from))
            name = m->name;
    }
    return name;
}

/* Whether a model has the sizes that another one has under its name. */
static bool has_sizes_of(rk_binder *b, const rk_model *m, const char *name)
{
    const rk_named_sizes *v = variant_of(b, name);

    for (size_t i = 0; v && i < v->sizes.n; i++)
        if (rk_model_symbol(m, v->sizes.setting[i].name)->value != v->sizes.setting[i].value)
            return false;
    return true;
}

/* The model that a caption just below a byte names, in the same section; NULL: none. */
static const char *named_next(const rk_binder *b, uint32_t at)
{
    enum {
        NEAR = 400 /* bytes */
    };
    const char *text = b->a->scan.text;
    size_t i = 0;

    while (i < b->mention.at.n && b->mention.at.at[i].at < at)
        i++;
    if (i == b->mention.at.n || b->mention.at.at[i].at > at + NEAR)
        return NULL;
    for (uint32_t k = at; k < b->mention.at.at[i].at; k++)
        if (text[k] == '\n' && text[k + 1] == '#')
            return NULL;
    return b->mention.at.at[i].name;
}

bool rk_bind_names_other(rk_binder *b, const rk_figure *f)
{
    uint32_t at = b->a->lexed.token.at[f->side->from].at;
    bool several;
    rk_piece_kind kind = b->a->scan.piece.at[f->chain->piece].kind; /* an item has no caption */
    const char *name = named_last(b, f->chain->piece, at, &several);
    const char *next = kind == RK_PIECE_ITEM ? NULL : named_next(b, at);
    const rk_model *m = f->at->instance->model;

    return (name && !has_sizes_of(b, m, name)) || (next && !has_sizes_of(b, m, next));
}

bool rk_bind_is_named(rk_binder *b, size_t piece, uint32_t at)
{
    bool several;
    const char *name = named_last(b, piece, at, &several);

    return name ? has_sizes_of(b, b->source->instance->model, name) : !several;
}

/* Sizes that are given, and are not those of a model: it is another one, of which its name says nothing. */
static bool contradicts(const rk_sizing *given, const rk_sizing *model)
{
    for (size_t i = 0; i < given->n; i++) {
        const rk_setting *s = rk_bind_setting(model->setting, model->n, given->setting[i].name);

        if (s && s->value != given->setting[i].value)
            return true;
    }
    return false;
}

bool rk_bind_title_sizes(rk_binder *b, size_t piece, const rk_named_sizes *line, bool in_table, rk_sizing *want)
{
    const rk_named_sizes *v;

    if (!has_names(b))
        return false;
    v = line ? line : find_variant(b, piece, in_table);
    if (v && contradicts(want, &v->sizes))
        return false;
    for (size_t i = 0; v && i < v->sizes.n; i++) {
        const rk_symbol *s = rk_model_symbol(b->source->instance->model, v->sizes.setting[i].name);

        if (!rk_bind_setting(b->source->reopen->setting, b->source->reopen->n_setting, s->name))
            rk_bind_set(want, s, v->sizes.setting[i].value);
    }
    return v != NULL;
}

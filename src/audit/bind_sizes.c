/* SPDX-License-Identifier: MIT */
/* The model at the sizes that a text gives: "GPT-2 small (L=12, D=768)". */
#include "audit/bind_parts.h"

#include <string.h>

/* ---- what a scope gives ------------------------------------------------------------------------------------------ */

const rk_setting *rk_bind_setting(const rk_setting *s, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(s[i].name, name) == 0)
            return &s[i];
    return NULL;
}

void rk_bind_set(rk_sizing *z, const rk_symbol *s, rk_i128 value)
{
    if (z->n < RK_BIND_SETTINGS_MAX && !rk_bind_setting(z->setting, z->n, s->name))
        z->setting[z->n++] = (rk_setting){.name = s->name, .value = value};
}

/*
 * Heads of one width: where the text makes the model wider and says nothing of heads, there are more of them.  The
 * width of a head is a quotient H = D / N, of which the text has said D.
 */
static void keep_heads(rk_binder *b, rk_sizing *z)
{
    const rk_model *m = b->source->instance->model;
    rk_pool *pool = b->source->instance->pool;

    for (size_t w = 0; w < z->n_said; w++)
        for (size_t n = 0; n < m->n_symbol; n++) {
            const rk_symbol *head = &m->symbol[n];
            rk_ex wide = rk_ex_sym(pool, rk_model_symbol(m, z->setting[w].name)->sym);
            rk_ex definition = rk_sym_definition(pool, head->sym);

            if (definition == RK_EX_FAILED || head->value <= 0 || z->setting[w].value % head->value != 0)
                continue;
            for (const rk_symbol *over = m->symbol, *end = over + m->n_symbol; over < end; over++)
                if (rk_ex_div(pool, wide, rk_ex_sym(pool, over->sym)) == definition) {
                    rk_bind_set(z, over, z->setting[w].value / head->value);
                    break;
                }
        }
}

/* A size that one section gives says nothing about another beside it, and one of a table nothing outside of it. */
static bool reaches(const rk_binder *b, const rk_definition *d, size_t piece)
{
    const rk_piece *p = &b->a->scan.piece.at[piece];
    uint32_t scope = p->scope, section = rk_scan_section(&b->a->scan, d->piece->scope);

    if (d->piece->kind == RK_PIECE_CELL &&
        (d->piece->table != p->table || (d->piece->row != p->row && d->piece->column != p->column)))
        return false;
    while (scope != section && scope != 0)
        scope = b->a->scan.scope.at[scope].parent;
    return scope == section;
}

/* Of several values that a letter has, the last one that was given before in the same paragraph: "For n = 128 …". */
static rk_ex said_beside(const rk_binder *b, rk_sym s, uint32_t use, const rk_definition **found)
{
    rk_ex value = RK_EX_FAILED;
    size_t n = 0;

    for (const rk_definition *d = rk_define_of(&b->a->definitions, RK_DEFINE_NUMBER, s); d && d->at < use;
         d = d->next) {
        if (++n > RK_DEFINE_SYMBOL_MAX)
            return RK_EX_FAILED;
        if (use < d->piece->to && d->piece->from <= use) {
            value = d->value;
            *found = d;
        }
    }
    return value;
}

/* What a section around it has said before goes before what its own says further on: "seq_len = 1,024 again". */
static rk_ex said_before(const rk_binder *b, rk_sym s, uint32_t scope, uint32_t use, const rk_definition **found,
                         bool *many)
{
    const rk_scope *at = b->a->scan.scope.at;
    rk_ex value = rk_define_find(&b->a->definitions, RK_DEFINE_NUMBER, s, scope, use, found, many);
    const rk_definition *first = *found;
    rk_ex outer = value;

    while (outer != RK_EX_FAILED && (*found)->at > use && scope != 0) {
        scope = at[scope].parent;
        outer = rk_define_find(&b->a->definitions, RK_DEFINE_NUMBER, s, scope, use, found, many);
    }
    if (outer != RK_EX_FAILED && (*found)->at < use)
        return outer;
    *found = first;
    return *many ? RK_EX_FAILED : value;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* The text says the same. */
static bool is_same(const rk_sizing *x, const rk_sizing *y)
{
    for (size_t i = 0; i < x->n_said; i++) {
        const rk_setting *s = rk_bind_setting(y->setting, y->n, x->setting[i].name);

        if (!s || s->value != x->setting[i].value)
            return false;
    }
    return x->n_said == y->n_said;
}

/* The model at some sizes, opened once; NULL: it cannot be of these, or there were too many. */
static rk_sizing *open_sizing(rk_binder *b, const rk_sizing *want)
{
    rk_open_request reopen = *b->source->reopen;
    rk_sizing *z = &b->sizing[b->n_sizing];
    rk_setting *all;
    rk_err err = {0};
    size_t n = 0;
    int code;

    for (size_t i = 0; i < b->n_sizing; i++)
        if (is_same(&b->sizing[i], want))
            return b->sizing[i].index ? &b->sizing[i] : NULL;
    if (b->n_sizing == RK_BIND_SIZES_MAX)
        return NULL;
    *z = *want;
    z->instance = NULL;
    z->index = NULL;
    b->n_sizing++;
    keep_heads(b, z);
    all = RK_NEW_ARRAY(&b->arena, reopen.n_setting + z->n, rk_setting);
    for (size_t i = 0; all && i < reopen.n_setting; i++)
        if (!rk_bind_setting(z->setting, z->n, reopen.setting[i].name))
            all[n++] = reopen.setting[i];
    for (size_t i = 0; all && i < z->n; i++)
        all[n++] = z->setting[i];
    reopen.setting = all;
    reopen.n_setting = n;
    reopen.mistakes = NULL;
    code = all ? rk_open(&reopen, &z->instance, &err) : RK_ENOMEM;
    if (code == RK_OK)
        code = rk_index_new(&(rk_index_source){.lexicon = b->a->lexicon, .instance = z->instance, .reopen = &reopen},
                            &z->index, &err);
    if (code == RK_ENOMEM) /* all else says that there is no such model */
        b->code = rk_fail_memory(b->err);
    return code == RK_OK ? z : NULL;
}

/* What the model has anyway need not be set, unless it follows from a size that is: F = 6,400 beside D = 768. */
static void drop_own(const rk_binder *b, rk_sizing *z)
{
    const rk_instance *own = b->source->instance;
    size_t n = 0, n_other = 0;

    for (size_t i = 0; i < z->n; i++)
        n_other += rk_model_symbol(own->model, z->setting[i].name)->value != z->setting[i].value;
    for (size_t i = 0; i < z->n; i++) {
        const rk_symbol *s = rk_model_symbol(own->model, z->setting[i].name);
        bool follows = rk_sym_definition(own->pool, s->sym) != RK_EX_FAILED;

        if (s->value != z->setting[i].value || (follows && n_other > 0))
            z->setting[n++] = z->setting[i];
    }
    z->n = z->n_said = n;
}

/* "FFN = 7,077,888" and "heads = 1.2e9" are so many of something else. */
static bool is_size_of(const rk_symbol *s, rk_i128 value)
{
    const rk_i128 most = 64, small = 4096; /* times what the model has */

    return s->kind == RK_SYMBOL_RUN || value <= small || value <= most * s->value;
}

rk_sizing *rk_bind_sizing(rk_binder *b, size_t piece, uint32_t use, bool *placed, bool *titled)
{
    const rk_instance *m = b->source->instance;
    uint32_t scope = b->a->scan.piece.at[piece].scope;
    const rk_named_sizes *line = rk_bind_title_line(b, use);
    rk_sizing want = {0};

    *titled = line != NULL;
    *placed = rk_bind_row_sizes(b, piece, &want);
    *placed |= rk_bind_title_sizes(b, piece, NULL, true, &want);
    for (rk_sym s = 0; s < b->n_symbol; s++) {
        const rk_symbol *x = b->symbol[s];
        const rk_definition *found = NULL;
        bool many = false;
        rk_i128 value;
        rk_ex e;

        /* A size that others follow from is set; one that follows (H = D/N) is not, unless it is free to differ. */
        if (!x || (!x->key && x->kind != RK_SYMBOL_RUN && rk_sym_definition(m->pool, x->sym) != RK_EX_FAILED))
            continue;
        e = said_before(b, s, scope, use, &found, &many);
        if (many)
            e = said_beside(b, s, use, &found);
        if (e != RK_EX_FAILED && reaches(b, found, piece) && rk_ex_is_int(b->a->pool, e, &value) && value > 0 &&
            value != x->value && is_size_of(x, value))
            rk_bind_set(&want, x, value);
    }
    rk_bind_title_sizes(b, piece, line, false, &want);
    drop_own(b, &want);
    return open_sizing(b, &want);
}

/* "from 1,024 to 16,384 tokens": a plain number of the piece, of which words say that it is a length. */
rk_sizing *rk_bind_other_length(rk_binder *b, const rk_figure *f, size_t i)
{
    enum {
        SHORTEST = 16
    };
    const rk_symbol *length = rk_bind_sequence(b, f->at->instance->model);
    size_t piece = f->chain->piece;
    const rk_piece *p = &b->a->scan.piece.at[piece];
    const rk_chain *c = b->a->chains.chain.at;
    const char *text = rk_audit_plain(b->a, p->from, p->to);
    rk_sizing want;
    rk_i128 n;

    if (!length || !rk_bind_has(b, RK_WORDS_LENGTH, text))
        return NULL;
    for (size_t k = b->a->chains.first[piece]; k < b->a->chains.first[piece + 1]; k++) {
        const rk_side *s = &b->a->chains.side.at[c[k].first];

        if (c[k].n != 1 || !s->literal.is || s->literal.rounded || (s->unit && s->unit->power) ||
            s->value == RK_EX_FAILED || !rk_ex_is_int(b->a->pool, s->value, &n) || n < SHORTEST || n > INT32_MAX ||
            n == length->value || i-- > 0)
            continue;
        want = *f->at;
        want.n = want.n_said;
        rk_bind_set(&want, length, n);
        want.n_said = want.n;
        return open_sizing(b, &want);
    }
    return NULL;
}

/* A number as a length: "16,384", "16K"; 0: it is none. */
static rk_i128 length_of(const rk_binder *b, const rk_audit_token *t)
{
    enum {
        THOUSANDS_MAX = 4096
    };
    const rk_written *w = &b->a->lexed.number.at[t->id];
    const char *after = b->a->scan.text + t->at + t->n;

    if (w->wide || w->exponent != 0)
        return 0;
    if (*after != 'K' && *after != 'k' && after[-1] != 'K' && after[-1] != 'k')
        return w->digits;
    return w->digits <= THOUSANDS_MAX && !rk_lexicon_is_letter(after[*after == 'K' || *after == 'k']) ? w->digits * 1024
                                                                                                      : 0;
}

/* "lm_head: 2,634,914,201,600", 16 times what it is: a longer sequence, of which no word speaks. */
static void find_unsaid_lengths(rk_binder *b, rk_i128 own)
{
    enum {
        TIMES_MAX = 64
    };
    const rk_model *m = b->source->instance->model;
    const rk_symbol *v = rk_bind_of_role(b, m, RK_LETTER_VOCABULARY), *d = rk_bind_of_role(b, m, RK_LETTER_WIDTH);

    for (rk_i128 times = 2; v && d && times <= TIMES_MAX && b->n_length < RK_BIND_LENGTHS_MAX; times *= 2)
        if (rk_bind_stands_in_text(b, 2 * v->value * d->value * own * times))
            b->length[b->n_length++] = own * times;
}

/* Lengths that lines of the text speak of, other than the model's; read once. */
static void find_lengths(rk_binder *b, rk_i128 own)
{
    enum {
        SHORTEST = 128,
        LONGEST = 1 << 22,
        STEP = 64 /* lengths are such multiples, and few other numbers of a line are */
    };
    const rk_audit_token *t = b->a->lexed.token.at;

    for (size_t i = 0; i < b->a->lexed.token.n && b->n_length < RK_BIND_LENGTHS_MAX; i++) {
        rk_i128 n = t[i].kind == RK_TOKEN_NUMBER ? length_of(b, &t[i]) : 0;
        uint32_t from, to;
        bool known = n == own;

        if (n < SHORTEST || n > LONGEST || n % STEP != 0)
            continue;
        for (size_t k = 0; k < b->n_length; k++)
            known |= b->length[k] == n;
        rk_scan_line_range(&b->a->scan, rk_scan_line(&b->a->scan, t[i].at), &from, &to);
        if (!known && rk_lexicon_in(b->a->lexicon, RK_WORDS_LENGTH, b->a->scan.text + from, to - from))
            b->length[b->n_length++] = n;
    }
    if (b->n_length == 0)
        find_unsaid_lengths(b, own);
}

rk_sizing *rk_bind_at_length(rk_binder *b, const rk_sizing *at, size_t i)
{
    const rk_symbol *length = rk_bind_sequence(b, at->instance->model);
    const rk_symbol *own = rk_bind_sequence(b, b->source->instance->model);
    rk_sizing want = *at;

    if (!length || !own)
        return NULL;
    if (!b->measured) {
        b->measured = true;
        find_lengths(b, length->value);
    }
    if (i > b->n_length || length->value == (i == b->n_length ? own->value : b->length[i]))
        return NULL;
    want.n = 0;
    rk_bind_set(&want, length, i == b->n_length ? own->value : b->length[i]);
    for (size_t k = 0; k < at->n_said; k++) /* that of the sequence is set already */
        rk_bind_set(&want, rk_model_symbol(b->source->instance->model, at->setting[k].name), at->setting[k].value);
    drop_own(b, &want);
    return open_sizing(b, &want);
}

void rk_bind_close(rk_binder *b)
{
    for (size_t i = 0; i < b->n_sizing; i++) {
        rk_index_free(b->sizing[i].index);
        if (i > 0)
            rk_instance_free(b->sizing[i].instance);
    }
    rk_arena_free(&b->found_arena);
    rk_arena_free(&b->arena);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* A side at numbers of the model's symbols; RK_EX_FAILED: one of them is unknown. */
static rk_ex value_at(rk_binder *b, const rk_side *s, uint32_t scope, const rk_instance *m, const rk_binding *at,
                      bool numbers)
{
    rk_expanded x;
    rk_i128 num, den;

    rk_define_expand(&b->a->definitions, s, scope, numbers, &x);
    for (size_t i = 0; i < x.n_open && x.value != RK_EX_FAILED; i++) {
        const rk_symbol *symbol = x.open[i] < b->n_symbol ? b->symbol[x.open[i]] : NULL;
        rk_sym here = symbol ? rk_sym_find(m->pool, symbol->name) : RK_SYM_NONE;

        if (!rk_ex_has_sym(b->a->pool, x.value, x.open[i]))
            continue;
        if (here == RK_SYM_NONE || rk_ex_eval_ratio(m->pool, rk_ex_sym(m->pool, here), at, &num, &den, NULL) != RK_OK)
            return RK_EX_FAILED;
        x.value = rk_ex_subst(b->a->pool, x.value, x.open[i], rk_ex_ratio(b->a->pool, num, den));
    }
    return x.value != RK_EX_FAILED && rk_ex_is_quotient(b->a->pool, x.value, &num, &den) ? x.value : RK_EX_FAILED;
}

rk_ex rk_bind_value(rk_binder *b, const rk_side *s, uint32_t scope, const rk_sizing *at)
{
    return value_at(b, s, scope, at->instance, &at->instance->at, true);
}

/* Other numbers for all symbols that others do not follow from; those that a formula leaves out and are 1 stay so. */
static rk_i128 *other_numbers(rk_binder *b, const rk_figure *f, const rk_instance *m, bool *known)
{
    static const int prime[] = {1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049, 1051, 1061, 1063, 1069, 1087, 1091};
    size_t n = rk_sym_count(m->pool), used = 0;
    rk_i128 *value = RK_NEW_ARRAY(&b->arena, n + 1, rk_i128);

    for (size_t s = 0; value && s < n; s++) {
        bool defined = rk_sym_definition(m->pool, (rk_sym)s) != RK_EX_FAILED, is_used = false;

        for (size_t i = 0; i < f->side->n_symbol; i++) {
            const rk_symbol *x = b->symbol[f->side->symbol[i]];

            is_used |= x && strcmp(x->name, rk_sym_name(m->pool, (rk_sym)s)) == 0;
        }
        known[s] = !defined;
        /* The pool may have more symbols than the model has numbers. */
        value[s] = s < m->at.n && m->known[s] && m->value[s] == 1 && !is_used
                       ? 1
                       : prime[used++ % (sizeof prime / sizeof *prime)];
    }
    return value;
}

bool rk_bind_same_formula(rk_binder *b, const rk_figure *f, const rk_match *m)
{
    const rk_instance *model;
    rk_ex e = rk_match_formula(f->at->index, m, &model);
    rk_arena_mark here = rk_arena_here(&b->arena);
    bool *known = RK_NEW_ARRAY(&b->arena, rk_sym_count(model->pool) + 1, bool), is = false;
    rk_binding at = {.known = known, .n = rk_sym_count(model->pool)};
    rk_i128 num, den;

    at.value = known ? other_numbers(b, f, model, known) : NULL;
    if (at.value && rk_ex_eval_ratio(model->pool, e, &at, &num, &den, NULL) == RK_OK) {
        rk_ex stated = value_at(b, f->side, f->scope, model, &at, false);

        is = stated != RK_EX_FAILED && stated == rk_ex_ratio(b->a->pool, num, den);
    }
    rk_arena_rewind(&b->arena, here);
    return is;
}

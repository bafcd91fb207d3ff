/* SPDX-License-Identifier: MIT */
#include "model/keys.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static rk_scalar scalar_bool(bool truth)
{
    return (rk_scalar){.kind = RK_SCALAR_BOOL, .truth = truth};
}

static rk_scalar scalar_int(rk_ctx *c, rk_i128 n)
{
    return (rk_scalar){.kind = RK_SCALAR_INT, .known = true, .value = n, .ex = rk_ex_int(c->pool, n)};
}

static rk_scalar scalar_real(double r)
{
    return (rk_scalar){.kind = RK_SCALAR_REAL, .real = r};
}

static rk_scalar scalar_text(const char *text)
{
    return (rk_scalar){.kind = RK_SCALAR_TEXT, .text = text};
}

static const char *kind_name(const rk_scalar *s)
{
    static const char *const name[] = {"nothing", "a truth value", "a number", "a number",
                                       "a text",  "a list",        "a mask"};

    return name[s->kind];
}

/* ---- numbers that shape the program -------------------------------------------------------------------------- */

/*
 * What is kept as an expression may be evaluated at new numbers later.  Where a number was compared, counted with or
 * spelt out, the program would be another one: its symbols must keep their numbers.  A `check` shapes nothing, but has
 * to be asked again.
 */
void rk_scalar_fix(rk_ctx *c, const rk_scalar *s)
{
    rk_ex e = s->kind == RK_SCALAR_INT || s->kind == RK_SCALAR_MASK ? s->ex : RK_EX_FAILED;

    if (e == RK_EX_FAILED || (!c->checking && c->fixed[e % RK_FIXED_CACHE] == e))
        return;
    if (!c->checking)
        c->fixed[e % RK_FIXED_CACHE] = e;
    e = rk_ex_expand_defs(c->pool, e);
    for (size_t i = 0; i < c->symbol.n; i++) {
        rk_symbol *symbol = &c->symbol.at[i];

        *(c->checking ? &symbol->checked : &symbol->fixed) |= rk_ex_has_sym(c->pool, e, symbol->sym);
    }
}

/*
 * A number as an expression for the ledger.  The running numbers of loops are no symbols there: what depends on one is
 * put in as its number, which is the same in all layers of a group.
 */
rk_ex rk_scalar_ex(rk_ctx *c, const rk_scalar *s)
{
    for (size_t i = 0; s->varies && s->known && i < c->n_loop_stack; i++)
        if (rk_ex_has_sym(c->pool, s->ex, c->loop.at[c->loop_stack[i].loop].index)) {
            rk_scalar_fix(c, s);
            return rk_ex_int(c->pool, s->value);
        }
    return s->ex;
}

/* ---- the config ---------------------------------------------------------------------------------------------- */

static rk_scalar scalar_of_doc(rk_ctx *c, const rk_doc *d, const char *key)
{
    rk_scalar s = {.kind = RK_SCALAR_NONE};

    if (d)
        switch (d->kind) {
        case RK_DOC_NULL:
            break;
        case RK_DOC_BOOL:
            s = scalar_bool(d->truth);
            break;
        case RK_DOC_INT:
            s = scalar_int(c, d->number);
            break;
        case RK_DOC_REAL:
            s = scalar_real(d->real);
            break;
        case RK_DOC_TEXT:
            s = scalar_text(d->text);
            break;
        case RK_DOC_LIST:
        case RK_DOC_MAP:
            s = (rk_scalar){.kind = RK_SCALAR_DOC, .doc = d};
            break;
        }
    s.key = key;
    return s;
}

static const rk_doc *config_doc(const rk_ctx *c, const char *path)
{
    const rk_doc *d = c->source->config;
    const char *word = path;

    while (d && *word) {
        /* Metadata has keys with dots in them; those of a config lead from map to map. */
        const rk_doc *whole = rk_doc_key(d, word, strlen(word));
        size_t n = strcspn(word, ".");

        if (whole)
            return whole;
        d = rk_doc_key(d, word, n);
        word += n + (word[n] == '.');
    }
    return d;
}

bool rk_config_lacks(const rk_ctx *c, const char *path)
{
    const rk_doc *d = config_doc(c, path);

    return !d || d->kind == RK_DOC_NULL;
}

static rk_scalar config_key(rk_ctx *c, const rk_node *n)
{
    const rk_doc *d = config_doc(c, n->text);

    rk_key_note(c, n, d, false);
    return scalar_of_doc(c, d, n->text);
}

static const char *config_name(const rk_ctx *c)
{
    return c->source->config_name ? c->source->config_name : "the config";
}

/* ---- arithmetic ---------------------------------------------------------------------------------------------- */

/* What is missing, said so that the user finds it. */
static int need_number(rk_ctx *c, const rk_scalar *s, rk_span span)
{
    if (s->kind == RK_SCALAR_NONE && s->key && c->source->config)
        return RK_MISTAKE(c, span, "%s has no key '%s', which is needed here", config_name(c), s->key);
    if (s->kind == RK_SCALAR_NONE && s->key)
        return RK_MISTAKE(c, span, "this needs the key '%s' of a config, and no config was given", s->key);
    if (s->key)
        return RK_MISTAKE(c, span, "a number is needed here, but '%s' is %s", s->key, kind_name(s));
    return RK_MISTAKE(c, span, "a number is needed here, but this is %s", kind_name(s));
}

/* A `check` of a symbol without a number waits until there is one; anywhere else the number is needed now. */
static int unknown(rk_ctx *c, rk_span span)
{
    return c->checking ? RK_EVALUE : RK_MISTAKE(c, span, "this depends on a symbol that has no value yet");
}

static bool is_number(const rk_scalar *s)
{
    return s->kind == RK_SCALAR_INT || s->kind == RK_SCALAR_REAL;
}

static bool as_real(const rk_scalar *s, double *out)
{
    if (s->kind == RK_SCALAR_REAL)
        *out = s->real;
    else if (s->kind == RK_SCALAR_INT && s->known)
        *out = (double)s->value;
    else
        return false;
    return true;
}

static int real_arithmetic(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out)
{
    double x = 0, y = 0;
    char op = n->text[0];

    if (!as_real(a, &x) || !as_real(b, &y))
        return RK_MISTAKE(c, n->span, "this needs numbers, and a symbol in it has no value yet");
    rk_scalar_fix(c, a);
    rk_scalar_fix(c, b);
    if (op == '/' && y == 0)
        return RK_MISTAKE(c, n->op_span, "division by zero");
    double r = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y;

    *out = scalar_real(n->text[0] == '/' && n->text[1] == '/' ? floor(r) : op == '%' ? x - floor(x / y) * y : r);
    out->key = a->kind == RK_SCALAR_REAL ? a->key : b->key; /* whoever needs a whole number can say what is none */
    return RK_OK;
}

/* What a person can find again: the key, the symbol; of anything else its number stands in the message already. */
static const char *operand_name(const rk_node *n, const rk_scalar *s)
{
    return s->key ? s->key : n->kind == RK_NODE_NAME ? n->text : "it";
}

static int not_exact(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b)
{
    char x[RK_NUM_TEXT_MAX], y[RK_NUM_TEXT_MAX];

    rk_num_text(x, a->value);
    rk_num_text(y, b->value);
    if (a->key || b->key)
        return RK_MISTAKE(c, n->op_span, "%s must be a multiple of %s, but %s / %s is not exact (// rounds down)",
                          operand_name(n->child.at[0], a), operand_name(n->child.at[1], b), x, y);
    return RK_MISTAKE(c, n->op_span, "this division is not exact: %s / %s (write // to round down)", x, y);
}

static int by_zero(rk_ctx *c, rk_span span, const rk_scalar *divisor)
{
    return divisor->key ? RK_MISTAKE(c, span, "division by zero: '%s' is 0", divisor->key)
                        : RK_MISTAKE(c, span, "division by zero");
}

/* The value of a op b, when both have one. Division says what does not divide. */
static int int_value(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out)
{
    rk_acc acc = {0};
    char op = n->text[0];
    bool whole = n->text[0] == '/' && n->text[1] == '/';

    if ((op == '/' || op == '%') && b->known && b->value == 0)
        return by_zero(c, n->op_span, b);
    out->known = a->known && b->known;
    if (!out->known)
        return RK_OK;
    /* Everything divides by -1, and the least number of all may not be asked. */
    if (op == '/' && !whole && b->value != -1 && a->value % b->value != 0)
        return not_exact(c, n, a, b);
    out->value = op == '+'   ? rk_add(&acc, a->value, b->value)
                 : op == '-' ? rk_sub(&acc, a->value, b->value)
                 : op == '*' ? rk_mul(&acc, a->value, b->value)
                 : op == '/' ? rk_floor_div(&acc, a->value, b->value)
                             : a->value - rk_mul(&acc, rk_floor_div(&acc, a->value, b->value), b->value);
    return acc.overflow ? RK_MISTAKE(c, n->op_span, "this number needs more than 128 bits") : RK_OK;
}

static rk_ex int_ex(rk_ctx *c, const char *op, rk_ex a, rk_ex b)
{
    if (op[0] == '+')
        return rk_ex_add(c->pool, a, b);
    if (op[0] == '-')
        return rk_ex_sub(c->pool, a, b);
    if (op[0] == '*')
        return rk_ex_mul(c->pool, a, b);
    if (op[0] == '%')
        return rk_ex_mod(c->pool, a, b);
    return op[1] == '/' ? rk_ex_floor_div(c->pool, a, b) : rk_ex_div(c->pool, a, b);
}

static int arithmetic(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out)
{
    if (!is_number(a))
        return need_number(c, a, n->child.at[0]->span);
    if (!is_number(b))
        return need_number(c, b, n->child.at[1]->span);
    if (a->kind == RK_SCALAR_REAL || b->kind == RK_SCALAR_REAL)
        return real_arithmetic(c, n, a, b, out);
    *out = (rk_scalar){.kind = RK_SCALAR_INT};
    int code = int_value(c, n, a, b, out);

    if (code != RK_OK)
        return code;
    out->ex = int_ex(c, n->text, a->ex, b->ex);
    return rk_pool_ok(c) ? RK_OK : c->fatal;
}

/* ---- comparison ---------------------------------------------------------------------------------------------- */

bool rk_scalar_same(const rk_scalar *a, const rk_scalar *b)
{
    double x, y;

    if (a->kind != b->kind)
        return is_number(a) && is_number(b) && as_real(a, &x) && as_real(b, &y) && x == y;
    switch (a->kind) {
    case RK_SCALAR_NONE:
        return true;
    case RK_SCALAR_BOOL:
        return a->truth == b->truth;
    case RK_SCALAR_INT:
        return a->known && b->known ? a->value == b->value : a->ex == b->ex;
    case RK_SCALAR_REAL:
        return a->real == b->real;
    case RK_SCALAR_TEXT:
        return strcmp(a->text, b->text) == 0;
    case RK_SCALAR_DOC:
        return a->doc == b->doc;
    case RK_SCALAR_MASK:
        return a->mask == b->mask && a->ex == b->ex;
    }
    return false;
}

static int compare(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out)
{
    const char *op = n->text;
    double x = 0, y = 0;

    rk_scalar_fix(c, a);
    rk_scalar_fix(c, b);
    if (op[1] == '=' && (op[0] == '=' || op[0] == '!')) {
        if (a->kind == RK_SCALAR_INT && b->kind == RK_SCALAR_INT && !(a->known && b->known) && a->ex != b->ex)
            return unknown(c, n->span);
        *out = scalar_bool(rk_scalar_same(a, b) == (op[0] == '='));
        return RK_OK;
    }
    if (!is_number(a))
        return need_number(c, a, n->child.at[0]->span);
    if (!is_number(b))
        return need_number(c, b, n->child.at[1]->span);
    if (a->kind == RK_SCALAR_INT && b->kind == RK_SCALAR_INT && a->known && b->known) {
        bool less = a->value<b->value, more = a->value> b->value;

        *out = scalar_bool(op[0] == '<' ? less || (op[1] && !more) : more || (op[1] && !less));
        return RK_OK;
    }
    if (!as_real(a, &x) || !as_real(b, &y))
        return unknown(c, n->span);
    *out = scalar_bool(op[0] == '<' ? x < y || (op[1] && x == y) : x > y || (op[1] && x == y));
    return RK_OK;
}

/* x in ["a", "b"]: a list written out. */
static int contains_written(rk_ctx *c, rk_frame *f, const rk_node *n, const rk_scalar *a, rk_scalar *out)
{
    const rk_node *list = n->child.at[1];
    bool found = false;

    rk_scalar_fix(c, a);
    *out = scalar_bool(false);
    for (size_t i = 0; i < list->child.n && !found; i++) {
        rk_scalar item = {0};
        int code = rk_scalar_eval(c, f, list->child.at[i], &item);

        if (code != RK_OK)
            return code;
        found = rk_scalar_same(a, &item);
        out->varies |= item.varies;
    }
    out->truth = found == (strcmp(n->text, "in") == 0);
    out->varies |= a->varies;
    return RK_OK;
}

static int contains(rk_ctx *c, const rk_node *n, const rk_scalar *a, const rk_scalar *b, rk_scalar *out)
{
    bool found = false;

    rk_scalar_fix(c, a);
    if (b->kind == RK_SCALAR_TEXT && a->kind == RK_SCALAR_TEXT)
        found = strstr(b->text, a->text) != NULL;
    else if (b->kind == RK_SCALAR_DOC && b->doc->kind == RK_DOC_LIST)
        for (size_t i = 0; i < b->doc->n && !found; i++) {
            rk_scalar item = scalar_of_doc(c, &b->doc->item[i], NULL);

            found = rk_scalar_same(a, &item);
        }
    else if (b->kind == RK_SCALAR_DOC && a->kind == RK_SCALAR_TEXT)
        found = rk_doc_key(b->doc, a->text, strlen(a->text)) != NULL;
    else if (b->kind != RK_SCALAR_NONE)
        return RK_MISTAKE(c, n->op_span, "'in' needs a list or a text on its right");
    *out = scalar_bool(found == (strcmp(n->text, "in") == 0));
    return RK_OK;
}

/* What counts as true: anything but None, False, 0, an empty text or list. */
static int truth_of(rk_ctx *c, const rk_scalar *s, rk_span span, bool *out)
{
    switch (s->kind) {
    case RK_SCALAR_NONE:
        *out = false;
        break;
    case RK_SCALAR_BOOL:
        *out = s->truth;
        break;
    case RK_SCALAR_INT:
        if (!s->known)
            return unknown(c, span);
        rk_scalar_fix(c, s);
        *out = s->value != 0;
        break;
    case RK_SCALAR_REAL:
        *out = s->real != 0;
        break;
    case RK_SCALAR_TEXT:
        *out = s->text[0] != 0;
        break;
    case RK_SCALAR_DOC:
        *out = s->doc->n != 0;
        break;
    case RK_SCALAR_MASK:
        *out = s->mask != RK_MASK_FULL;
        break;
    }
    return RK_OK;
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

typedef enum {
    F_MIN,
    F_MAX,
    F_CEIL,
    F_FLOOR,
    F_LEN,
    F_INT,
    F_GIVEN,
    F_COUNT,
    F_ROOT,
    F_HAS,
    F_MASK, /* any mask with a size: the table of masks knows their names */
    N_F
} function;

static const char *const function_name[F_MASK] = {"min", "max",   "ceil",  "floor", "len",
                                                  "int", "given", "count", "root",  "has"};

static function find_function(const char *name)
{
    rk_mask_kind mask = rk_mask_find(name);
    int i = 0;

    if (mask < RK_N_MASK)
        return rk_mask_table[mask].least < 0 ? N_F : F_MASK;
    while (i < F_MASK && strcmp(function_name[i], name) != 0)
        i++;
    return i < F_MASK ? (function)i : N_F;
}

bool rk_is_scalar_function(const char *name)
{
    return find_function(name) != N_F;
}

static int want_args(rk_ctx *c, const rk_node *n, size_t want)
{
    if (n->child.n == want)
        return RK_OK;
    return RK_MISTAKE(c, n->span, "%s takes %zu argument%s, and here are %zu", n->text, want, want == 1 ? "" : "s",
                      n->child.n);
}

static int need_int(rk_ctx *c, const rk_scalar *s, rk_span span)
{
    if (s->kind == RK_SCALAR_INT)
        return RK_OK;
    if (s->kind == RK_SCALAR_REAL && s->key)
        return RK_MISTAKE(c, span, "a whole number is needed here, but '%s' is %g", s->key, s->real);
    return s->kind == RK_SCALAR_REAL ? RK_MISTAKE(c, span, "a whole number is needed here: int(…) makes one")
                                     : need_number(c, s, span);
}

static int two_ints(rk_ctx *c, const rk_node *n, function f, const rk_scalar arg[2], rk_scalar *out)
{
    rk_acc acc = {0};
    const rk_scalar *a = &arg[0], *b = &arg[1];

    for (int i = 0; i < 2; i++)
        if (need_int(c, &arg[i], n->child.at[i]->span) != RK_OK)
            return RK_EINPUT;
    *out = (rk_scalar){.kind = RK_SCALAR_INT, .known = a->known && b->known};
    if ((f == F_CEIL || f == F_FLOOR) && b->known && b->value == 0)
        return by_zero(c, n->span, b);
    if (out->known)
        out->value = f == F_MIN    ? (a->value < b->value ? a->value : b->value)
                     : f == F_MAX  ? (a->value > b->value ? a->value : b->value)
                     : f == F_CEIL ? rk_ceil_div(&acc, a->value, b->value)
                                   : rk_floor_div(&acc, a->value, b->value);
    out->ex = f == F_MIN    ? rk_ex_min(c->pool, a->ex, b->ex)
              : f == F_MAX  ? rk_ex_max(c->pool, a->ex, b->ex)
              : f == F_CEIL ? rk_ex_ceil_div(c->pool, a->ex, b->ex)
                            : rk_ex_floor_div(c->pool, a->ex, b->ex);
    return rk_pool_ok(c) ? RK_OK : c->fatal;
}

static int mask_value(rk_ctx *c, const rk_node *n, const rk_scalar *arg, rk_scalar *out)
{
    rk_mask_kind kind = rk_mask_find(n->text);
    const rk_mask_row *row = &rk_mask_table[kind];

    *out = (rk_scalar){.kind = RK_SCALAR_MASK, .ex = RK_EX_FAILED};
    /* A window that the config leaves out is no window. */
    if (arg->kind == RK_SCALAR_NONE && row->without != kind) {
        out->mask = row->without;
        return RK_OK;
    }
    if (need_int(c, arg, n->child.at[0]->span) != RK_OK)
        return RK_EINPUT;
    if (arg->known && arg->value < row->least)
        return RK_MISTAKE(c, n->child.at[0]->span, "the size of a %s is at least %d", n->text, row->least);
    out->mask = kind;
    out->ex = rk_scalar_ex(c, arg);
    return RK_OK;
}

static int one_argument(rk_ctx *c, const rk_node *n, function f, const rk_scalar *arg, rk_scalar *out)
{
    double r = 0;

    if (f == F_LEN) {
        if (arg->kind != RK_SCALAR_DOC && arg->kind != RK_SCALAR_NONE && arg->kind != RK_SCALAR_TEXT)
            return RK_MISTAKE(c, n->span, "len needs a list, but this is %s", kind_name(arg));
        *out = scalar_int(c, arg->kind == RK_SCALAR_DOC    ? (rk_i128)arg->doc->n
                             : arg->kind == RK_SCALAR_TEXT ? (rk_i128)strlen(arg->text)
                                                           : 0);
        return RK_OK;
    }
    if (f == F_INT && arg->kind == RK_SCALAR_INT) {
        *out = *arg;
        return RK_OK;
    }
    if (f == F_INT && arg->kind == RK_SCALAR_REAL) {
        if (!(fabs(arg->real) < 9.2e18))
            return RK_MISTAKE(c, n->span, "this number is not finite or too large");
        *out = scalar_int(c, (rk_i128)arg->real);
        return RK_OK;
    }
    if (!is_number(arg))
        return need_number(c, arg, n->span);
    /* A root is only ever a factor of a tensor, so without a number its value does not matter. */
    *out = scalar_real(as_real(arg, &r) ? sqrt(r) : 1.0);
    return RK_OK;
}

static int count_in(rk_ctx *c, const rk_node *n, const rk_scalar arg[2], rk_scalar *out)
{
    size_t found = 0;

    if (arg[0].kind != RK_SCALAR_DOC)
        return RK_MISTAKE(c, n->span, "count needs a list, but this is %s", kind_name(&arg[0]));
    rk_scalar_fix(c, &arg[1]);
    for (size_t i = 0; i < arg[0].doc->n; i++) {
        rk_scalar item = scalar_of_doc(c, &arg[0].doc->item[i], NULL);

        found += rk_scalar_same(&item, &arg[1]);
    }
    *out = scalar_int(c, (rk_i128)found);
    return RK_OK;
}

static int given(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    const rk_node *arg = n->child.at[0];
    rk_bind *b = arg->kind == RK_NODE_NAME ? rk_tensor_find(f, arg->text) : NULL;
    rk_scalar s = {0};

    if (!b) {
        int code = rk_scalar_eval(c, f, arg, &s);

        *out = scalar_bool(s.kind != RK_SCALAR_NONE);
        out->varies = s.varies;
        return code;
    }
    *out = scalar_bool(b->kind != RK_BIND_NOTHING);
    return RK_OK;
}

/* has($key): the config says something about it, be it null; `??` and given() take a null for nothing said. */
static int has(rk_ctx *c, const rk_node *n, rk_scalar *out)
{
    if (n->child.at[0]->kind != RK_NODE_KEY)
        return RK_MISTAKE(c, n->span, "has asks for a key of the config: has($key)");
    const rk_doc *d = config_doc(c, n->child.at[0]->text);

    rk_key_note(c, n->child.at[0], d, true);
    *out = scalar_bool(d != NULL);
    return RK_OK;
}

static int call_function(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    static const size_t arity[N_F] = {2, 2, 2, 2, 1, 1, 1, 2, 1, 1, 1};
    function which = find_function(n->text);
    rk_scalar arg[2] = {{0}, {0}};
    int code;

    if (which == N_F)
        return RK_MISTAKE(c, n->span, "there is no function '%s' of numbers", n->text);
    if (want_args(c, n, arity[which]) != RK_OK)
        return RK_EINPUT;
    if (which == F_GIVEN)
        return given(c, f, n, out);
    if (which == F_HAS)
        return has(c, n, out);
    for (size_t i = 0; i < arity[which]; i++)
        if ((code = rk_scalar_eval(c, f, n->child.at[i], &arg[i])) != RK_OK)
            return code;
    if (which <= F_FLOOR)
        code = two_ints(c, n, which, arg, out);
    else if (which == F_COUNT)
        code = count_in(c, n, arg, out);
    else if (which == F_MASK)
        code = mask_value(c, n, arg, out);
    else
        code = one_argument(c, n, which, arg, out);
    out->varies = arg[0].varies || arg[1].varies;
    return code;
}

/* ---- names --------------------------------------------------------------------------------------------------- */

static bool mask_name(const char *name, rk_scalar *out)
{
    rk_mask_kind kind = rk_mask_find(name);
    bool plain = kind < RK_N_MASK && rk_mask_table[kind].least < 0;

    if (plain)
        *out = (rk_scalar){.kind = RK_SCALAR_MASK, .mask = kind, .ex = RK_EX_FAILED};
    return plain;
}

/*
 * What is evaluated when asked is remembered: for good, or, where it depends on the running number of a loop, until one
 * of these numbers changes.  Without that a chain of lets that each read the one before twice would take forever.
 */
static int scalar_of_later(rk_ctx *c, rk_bind *b, rk_span span, rk_scalar *out)
{
    int code;

    if (b->cached && (!b->scalar.varies || b->turn == c->turn)) {
        *out = b->scalar;
        return RK_OK;
    }
    if (b->asked)
        return RK_MISTAKE(c, span, "'%s' is defined by itself", b->name);
    if (c->later_nest == RK_LATER_NEST_MAX)
        return RK_MISTAKE(c, span, "definitions that need each other: deeper than %d", RK_LATER_NEST_MAX);
    b->asked = true;
    c->later_nest++;
    code = rk_scalar_eval(c, b->frame, b->node, out);
    c->later_nest--;
    b->asked = false;
    if (code == RK_OK) {
        b->scalar = *out;
        b->cached = true;
        b->turn = c->turn;
    }
    return code;
}

int rk_scalar_of_bind(rk_ctx *c, rk_bind *b, rk_span span, rk_scalar *out)
{
    switch (b->kind) {
    case RK_BIND_SCALAR:
    case RK_BIND_LABEL:
    case RK_BIND_INDEX:
        *out = b->scalar;
        return RK_OK;
    case RK_BIND_LATER:
        return scalar_of_later(c, b, span, out);
    case RK_BIND_NOTHING:
        *out = (rk_scalar){.kind = RK_SCALAR_NONE};
        return RK_OK;
    case RK_BIND_SPOILT:
        return RK_EINPUT;
    case RK_BIND_TENSOR:
        return RK_MISTAKE(c, span, "%s is a tensor; a number or a word is needed here", b->name);
    }
    return RK_EINPUT;
}

/* The nearest name that could have been meant, for the message. */
static const char *nearest(const rk_ctx *c, const rk_frame *f, const char *name)
{
    const char *best = NULL;
    size_t least = 3;

    if (c->mistakes.list.n == RK_MISTAKES_MAX)
        return NULL; /* it would not be shown */
    for (; f; f = f->parent)
        for (size_t i = 0; i < f->bind.n; i++) {
            size_t d = rk_edit_distance(name, f->bind.at[i]->name, 2);

            if (d < least) {
                least = d;
                best = f->bind.at[i]->name;
            }
        }
    return best;
}

static int eval_name(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_bind *b = rk_bind_find(f, n->text);
    const char *near;

    if (b)
        return rk_scalar_of_bind(c, b, n->span, out);
    if (mask_name(n->text, out))
        return RK_OK;
    if ((b = rk_used_find(c, n->text)))
        return rk_scalar_of_bind(c, b, n->span, out);
    if (strcasecmp(n->text, "true") == 0 || strcasecmp(n->text, "false") == 0 || strcasecmp(n->text, "none") == 0)
        return RK_MISTAKE(c, n->span, "'%s' is written True, False or None here", n->text);
    if (rk_is_scalar_function(n->text))
        return RK_MISTAKE(c, n->span, "'%s' needs its arguments: %s(…)", n->text, n->text);
    near = nearest(c, f, n->text);
    return near && strlen(n->text) > 1
               ? RK_MISTAKE(c, n->span, "nothing defines '%s'; did you mean '%s'?", n->text, near)
               : RK_MISTAKE(c, n->span, "nothing defines '%s': add a line  let %s = …", n->text, n->text);
}

/* ---- kinds --------------------------------------------------------------------------------------------------- */

/* Whether an expression can be nothing but a whole number: a literal, or arithmetic of such. */
static bool is_whole(const rk_node *n, rk_frame *f)
{
    const rk_bind *b;

    switch (n->kind) {
    case RK_NODE_NUMBER:
        return true;
    case RK_NODE_NAME:
        b = rk_bind_find(f, n->text);
        return b && b->kind == RK_BIND_SCALAR && b->scalar.kind == RK_SCALAR_INT;
    case RK_NODE_COND:
        return is_whole(n->child.at[0], f) && is_whole(n->child.at[2], f);
    case RK_NODE_BINARY:
        return n->text[0] == '?'
                   ? is_whole(n->child.at[1], f)
                   : strchr("+-*/%", n->text[0]) && is_whole(n->child.at[0], f) && is_whole(n->child.at[1], f);
    default:
        return false;
    }
}

#define WHOLE_MAX 9007199254740992.0 /* 2^53: above it a real number no longer says which whole one is meant */

/*
 * A key whose default is a whole number must be one: said where a symbol takes it, once, and not wherever that is used.
 */
int rk_scalar_agrees(rk_ctx *c, rk_frame *f, const rk_stmt *let, rk_scalar *v)
{
    const rk_node *n = let->child.n ? let->child.at[0] : NULL;
    bool whole = v->kind == RK_SCALAR_INT || v->kind == RK_SCALAR_NONE;

    if (whole || !v->key || !n || n->kind != RK_NODE_BINARY || n->text[0] != '?' || !is_whole(n, f))
        return RK_OK;
    if (v->kind == RK_SCALAR_REAL && v->real == floor(v->real) && fabs(v->real) < WHOLE_MAX) {
        const char *key = v->key;

        *v = scalar_int(c, (rk_i128)v->real);
        v->key = key;
        return RK_OK;
    }
    if (v->kind == RK_SCALAR_REAL)
        return RK_MISTAKE(c, let->span, "%s: '%s' is %g, and %s is a whole number", config_name(c), v->key, v->real,
                          let->name);
    return RK_MISTAKE(c, let->span, "%s: '%s' is %s, and %s is a whole number", config_name(c), v->key, kind_name(v),
                      let->name);
}

/* ---- evaluation ---------------------------------------------------------------------------------------------- */

static int eval_index(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_scalar list = {0}, at = {0};
    int code = rk_scalar_eval(c, f, n->child.at[0], &list);

    if (code == RK_OK)
        code = rk_scalar_eval(c, f, n->child.at[1], &at);
    if (code != RK_OK)
        return code;
    rk_scalar_fix(c, &at);
    if (list.kind == RK_SCALAR_NONE)
        *out = list;
    else if (list.kind == RK_SCALAR_DOC && list.doc->kind == RK_DOC_MAP && at.kind == RK_SCALAR_TEXT)
        *out = scalar_of_doc(c, rk_doc_key(list.doc, at.text, strlen(at.text)), list.key);
    else if (at.kind != RK_SCALAR_INT || !at.known)
        return RK_MISTAKE(c, n->span, "an index must be a number");
    else if (list.kind == RK_SCALAR_DOC && list.doc->kind == RK_DOC_LIST && at.value >= 0 &&
             at.value < (rk_i128)list.doc->n)
        *out = scalar_of_doc(c, &list.doc->item[(size_t)at.value], list.key);
    else if (list.kind == RK_SCALAR_TEXT && at.value >= 0 && at.value < (rk_i128)strlen(list.text)) {
        *out = scalar_text(rk_arena_copy(c->a, list.text + (size_t)at.value, 1));
        if (!out->text)
            return rk_fatal_memory(c);
    } else {
        char number[RK_NUM_TEXT_MAX];

        return RK_MISTAKE(c, n->span, "'%s' has no element %s", list.key ? list.key : "this",
                          rk_num_text(number, at.value));
    }
    out->varies = list.varies || at.varies;
    return RK_OK;
}

static int eval_choice(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_scalar cond = {0};
    bool truth = false;
    int code = rk_scalar_eval(c, f, n->child.at[1], &cond);

    if (code == RK_OK)
        code = truth_of(c, &cond, n->child.at[1]->span, &truth);
    if (code == RK_OK)
        code = rk_scalar_eval(c, f, n->child.at[truth ? 0 : 2], out);
    out->varies = out->varies || cond.varies;
    return code;
}

/* and, or, ??: the right side is not looked at when the left one decides. */
static int eval_short(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_scalar a = {0};
    bool truth = false, left;
    int code = rk_scalar_eval(c, f, n->child.at[0], &a);

    if (code != RK_OK)
        return code;
    if (n->text[0] == '?')
        left = a.kind != RK_SCALAR_NONE;
    else {
        if ((code = truth_of(c, &a, n->child.at[0]->span, &truth)) != RK_OK)
            return code;
        left = truth == (n->text[0] == 'o');
    }
    if (left) {
        *out = a;
        return RK_OK;
    }
    code = rk_scalar_eval(c, f, n->child.at[1], out);
    out->varies = out->varies || a.varies;
    if (code == RK_OK && n->text[0] == '?' && a.key)
        rk_key_otherwise(c, a.key, n->child.at[1], out);
    return code;
}

static int eval_binary(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_scalar a = {0}, b = {0};
    const char *op = n->text;
    int code;

    if (op[0] == '?' || strcmp(op, "and") == 0 || strcmp(op, "or") == 0)
        return eval_short(c, f, n, out);
    code = rk_scalar_eval(c, f, n->child.at[0], &a);
    if (code == RK_OK && n->child.at[1]->kind == RK_NODE_JOIN && (strcmp(op, "in") == 0 || strcmp(op, "not in") == 0))
        return contains_written(c, f, n, &a, out);
    if (code == RK_OK)
        code = rk_scalar_eval(c, f, n->child.at[1], &b);
    if (code != RK_OK)
        return code;
    if (strcmp(op, "in") == 0 || strcmp(op, "not in") == 0)
        code = contains(c, n, &a, &b, out);
    else if (strchr("<>=!", op[0]))
        code = compare(c, n, &a, &b, out);
    else
        code = arithmetic(c, n, &a, &b, out);
    out->varies = a.varies || b.varies;
    return code;
}

static int eval_unary(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    rk_scalar a = {0};
    rk_acc acc = {0};
    bool truth = false;
    int code = rk_scalar_eval(c, f, n->child.at[0], &a);

    if (code != RK_OK)
        return code;
    if (n->text[0] == 'n') {
        code = truth_of(c, &a, n->span, &truth);
        *out = scalar_bool(!truth);
    } else if (a.kind == RK_SCALAR_REAL) {
        *out = scalar_real(-a.real);
    } else if (a.kind == RK_SCALAR_INT) {
        *out = a;
        out->value = rk_sub(&acc, 0, a.value);
        if (acc.overflow)
            return RK_MISTAKE(c, n->span, "this number needs more than 128 bits");
        out->ex = rk_ex_sub(c->pool, rk_ex_int(c->pool, 0), a.ex);
        code = rk_pool_ok(c) ? RK_OK : c->fatal;
    } else {
        code = need_number(c, &a, n->span);
    }
    out->varies = a.varies;
    return code;
}

int rk_scalar_eval(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    *out = (rk_scalar){.kind = RK_SCALAR_NONE};
    if (c->fatal)
        return c->fatal;
    switch (n->kind) {
    case RK_NODE_NUMBER:
        *out = scalar_int(c, n->number);
        return rk_pool_ok(c) ? RK_OK : c->fatal;
    case RK_NODE_REAL:
        *out = scalar_real(n->real);
        return RK_OK;
    case RK_NODE_TEXT:
        *out = scalar_text(n->text);
        return RK_OK;
    case RK_NODE_TRUE:
        *out = scalar_bool(true);
        return RK_OK;
    case RK_NODE_FALSE:
        *out = scalar_bool(false);
        return RK_OK;
    case RK_NODE_NONE:
        return RK_OK;
    case RK_NODE_NAME:
        if (n->axes.written)
            return RK_MISTAKE(c, n->span, "a tensor stands where a number or a word is needed");
        return eval_name(c, f, n, out);
    case RK_NODE_KEY:
        *out = config_key(c, n);
        return rk_pool_ok(c) ? RK_OK : c->fatal;
    case RK_NODE_INDEX:
        return eval_index(c, f, n, out);
    case RK_NODE_CALL:
        return call_function(c, f, n, out);
    case RK_NODE_UNARY:
        return eval_unary(c, f, n, out);
    case RK_NODE_BINARY:
        return eval_binary(c, f, n, out);
    case RK_NODE_COND:
        return eval_choice(c, f, n, out);
    case RK_NODE_WEIGHT:
    case RK_NODE_JOIN:
        break;
    }
    return RK_MISTAKE(c, n->span, "a tensor stands where a number or a word is needed");
}

/* ---- decisions ----------------------------------------------------------------------------------------------- */

void rk_record(rk_ctx *c, rk_frame *f, const rk_node *n, const rk_scalar *value)
{
    rk_scalar_fix(c, value);
    for (size_t i = 0; i < c->n_loop_stack; i++) {
        rk_decisions *list = c->loop_stack[i].recording;
        rk_decision *d = RK_PUSH(c->a, list);

        if (!d) {
            rk_fatal_memory(c);
            return;
        }
        *d = (rk_decision){.node = n, .frame = f, .value = *value};
        for (size_t k = i + 1; k < c->n_loop_stack; k++) {
            d->index[k] = c->loop_stack[k].index;
            d->inner[k] = d->index[k]->scalar.value;
        }
    }
}

int rk_scalar_decide(rk_ctx *c, rk_frame *f, const rk_node *n, rk_scalar *out)
{
    int code = rk_scalar_eval(c, f, n, out);

    if (code == RK_OK && out->varies)
        rk_record(c, f, n, out);
    return code == RK_OK && c->fatal ? c->fatal : code;
}

int rk_scalar_condition(rk_ctx *c, rk_frame *f, const rk_node *n, bool *out)
{
    rk_scalar s = {0};

    *out = true;
    if (!n)
        return RK_OK;
    int code = rk_scalar_decide(c, f, n, &s);

    return code == RK_OK ? truth_of(c, &s, n->span, out) : code;
}

int rk_scalar_size(rk_ctx *c, rk_frame *f, const rk_node *n, rk_ex *out)
{
    rk_scalar s = {0};
    int code = rk_scalar_decide(c, f, n, &s);

    if (code == RK_OK)
        code = need_int(c, &s, n->span);
    if (code == RK_OK)
        *out = rk_scalar_ex(c, &s);
    return code;
}

/* ---- check --------------------------------------------------------------------------------------------------- */

static bool described(const rk_str *s, const char *name)
{
    const char *at = rk_str_text(s);
    size_t n = strlen(name);

    for (; (at = strstr(at, name)); at += n)
        if (strncmp(at + n, " = ", 3) == 0 && (at == rk_str_text(s) || at[-1] == ' '))
            return true;
    return false;
}

static void describe_value(const rk_scalar *v, rk_str *s)
{
    if (v->kind == RK_SCALAR_INT && v->known)
        rk_str_grouped(s, v->value);
    else if (v->kind == RK_SCALAR_REAL)
        rk_str_format(s, "%g", v->real);
    else if (v->kind == RK_SCALAR_TEXT)
        rk_str_format(s, "\"%s\"", v->text);
    else if (v->kind == RK_SCALAR_DOC)
        rk_str_format(s, "%zu value%s", v->doc->n, v->doc->n == 1 ? "" : "s");
    else
        rk_str_put(s, v->kind == RK_SCALAR_BOOL ? (v->truth ? "true" : "false") : "none");
}

/* Lists the symbols and keys of an expression with their values: "A = 9 (num_experts_per_tok), E = 8 (num_experts)". */
static void describe(rk_ctx *c, rk_frame *f, const rk_node *n, rk_str *s)
{
    rk_scalar v = {0};

    if (n->kind != RK_NODE_NAME && n->kind != RK_NODE_KEY) {
        for (size_t i = 0; i < n->child.n; i++)
            describe(c, f, n->child.at[i], s);
        return;
    }
    if (described(s, n->text) || rk_scalar_eval(c, f, n, &v) != RK_OK)
        return;
    rk_str_put(s, s->n ? ", " : "");
    rk_str_format(s, "%s = ", n->text);
    describe_value(&v, s);
    if (n->kind == RK_NODE_NAME && v.key)
        rk_str_format(s, " (%s)", v.key);
}

int rk_scalar_check(rk_ctx *c, rk_frame *f, const rk_node *n)
{
    rk_scalar s = {0};
    bool truth = true;
    rk_str values = {0};
    c->checking = true;
    int code = rk_scalar_eval(c, f, n, &s);

    if (code == RK_OK)
        code = truth_of(c, &s, n->span, &truth);
    c->checking = false;
    if (code == RK_EVALUE || truth)
        return RK_OK;
    if (code != RK_OK)
        return code;
    describe(c, f, n, &values);
    RK_MISTAKE(c, n->span, "%s: this must hold, but %s", c->source->config ? config_name(c) : c->source->name,
               rk_str_text(&values));
    rk_str_free(&values);
    return RK_EINPUT;
}

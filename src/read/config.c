/* SPDX-License-Identifier: MIT */
#include "read/doc.h"

#include "base/str.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/*
 * jansson reads the JSON.  Three things that it cannot do are done by a small scanner over the same text:
 *
 * - The words NaN, Infinity and -Infinity, and whole numbers of more than 18 digits, are overwritten by zeros of the
 *   same length ("0.0", "-0.000000") in the copy that jansson reads.  The tree it returns is in the order of the text,
 *   so when it is turned into a document the scanner walks along over the *original* text and sees at each value what
 *   really stands there: nothing is encoded in a value, and no string can be mistaken for a placeholder.
 * - The same walk gives each value its line.
 * - Nesting is measured before jansson recurses.
 *
 * Memory of jansson comes from malloc, unless the process has called json_set_alloc_funcs.  That call is global to the
 * process and therefore not made here: a program that links this library may use jansson for itself.
 */

typedef enum token_kind {
    TOKEN_END,
    TOKEN_MARK, /* one of { } [ ] : , or any byte that begins nothing */
    TOKEN_STRING,
    TOKEN_WORD /* numbers, true, NaN …: a run of bytes that can be part of one */
} token_kind;

typedef struct token {
    token_kind kind;
    size_t at, n; /* bytes of the text, quotes included */
    int line;
} token;

typedef struct scanner {
    const char *text;
    size_t n, at;
    int line;
} scanner;

/* What every step of one reading needs. */
typedef struct reading {
    rk_arena *arena;
    const char *name, *text;
    size_t n;
    scanner walk; /* over the original text, in step with jansson's tree */
    rk_err *err;
} reading;

/* ---- scanner ------------------------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
           c == '+' || c == '-' || (unsigned char)c >= 0x80;
}

/* The length of the string that begins at text[at]; one without its closing quote ends before the end of the line. */
static size_t string_length(const scanner *s)
{
    size_t i = s->at + 1;

    while (i < s->n && s->text[i] != '"' && s->text[i] != '\n')
        i += s->text[i] == '\\' && i + 1 < s->n && s->text[i + 1] != '\n' ? 2 : 1;
    return (i < s->n && s->text[i] == '"' ? i + 1 : i) - s->at;
}

static token next_token(scanner *s)
{
    token t = {TOKEN_END, 0, 0, 0};

    while (s->at < s->n && is_space(s->text[s->at])) {
        if (s->text[s->at] == '\n')
            s->line++;
        s->at++;
    }
    t.at = s->at;
    t.line = s->line;
    if (s->at == s->n)
        return t;
    if (s->text[s->at] == '"') {
        t.kind = TOKEN_STRING;
        t.n = string_length(s);
    } else if (is_word(s->text[s->at])) {
        t.kind = TOKEN_WORD;
        while (s->at + t.n < s->n && is_word(s->text[s->at + t.n]))
            t.n++;
    } else {
        t.kind = TOKEN_MARK;
        t.n = 1;
    }
    s->at += t.n;
    return t;
}

static bool is_mark(const scanner *s, token t, const char *marks)
{
    return t.kind == TOKEN_MARK && s->text[t.at] != '\0' && strchr(marks, s->text[t.at]) != NULL;
}

/* The next token at which a key or a value begins.  The text is known to be valid JSON. */
static token next_value(scanner *s)
{
    token t;

    do
        t = next_token(s);
    while (is_mark(s, t, ":,]}"));
    return t;
}

/* Whether a word is NaN, Infinity or -Infinity, and the number that it means. */
static bool is_non_finite(const char *text, token t, double *value)
{
    static const struct {
        const char *word;
        double value;
    } known[] = {{"NaN", (double)NAN}, {"Infinity", (double)INFINITY}, {"-Infinity", -(double)INFINITY}};

    for (size_t i = 0; i < sizeof known / sizeof *known && t.kind == TOKEN_WORD; i++) {
        if (t.n == strlen(known[i].word) && memcmp(text + t.at, known[i].word, t.n) == 0) {
            *value = known[i].value;
            return true;
        }
    }
    return false;
}

/* A whole number as JSON writes it, without a leading zero. */
static bool is_whole(const char *text, token t)
{
    size_t sign = t.n > 0 && text[t.at] == '-';

    if (t.kind != TOKEN_WORD || t.n == sign || (text[t.at + sign] == '0' && t.n > sign + 1))
        return false;
    for (size_t i = sign; i < t.n; i++) {
        if (text[t.at + i] < '0' || text[t.at + i] > '9')
            return false;
    }
    return true;
}

/* ---- messages ------------------------------------------------------------------------------------------------ */

/* Fails with "name:line:column: message"; the column counts characters. */
static int fail_at(const reading *r, size_t at, int code, const char *message)
{
    int line = 1, column = 1;

    for (size_t i = 0; i < at; i++) {
        if (r->text[i] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)r->text[i] & 0xc0) != 0x80) {
            column++;
        }
    }
    return rk_fail(r->err, code, "%s:%d:%d: %s", r->name, line, column, message);
}

#define NEAR_MAX 40 /* bytes of a token that a message shows */

static void put_token(rk_str *out, const char *text, token t)
{
    size_t n = rk_utf8_cut(text + t.at, t.n, NEAR_MAX);

    rk_str_putc(out, '\'');
    rk_str_put_safe(out, text + t.at, n);
    rk_str_put(out, n < t.n ? "…'" : "'");
}

/* The last token that begins before byte `end`, where jansson stopped reading. */
static token token_before(const reading *r, size_t end)
{
    scanner s = {r->text, r->n, 0, 1};
    token t;

    do
        t = next_token(&s);
    while (t.kind != TOKEN_END && t.at + t.n < end);
    return t;
}

/*
 * jansson does not always say that memory ran out: it leaves the message empty, or finds that a string is no string
 * without a word on what is wrong inside it.
 */
static bool is_out_of_memory(const json_error_t *e, token t)
{
    return json_error_code(e) == json_error_out_of_memory || e->text[0] == '\0' ||
           (t.kind == TOKEN_STRING &&
            (strncmp(e->text, "invalid token", 13) == 0 || strncmp(e->text, "string or '}'", 13) == 0));
}

/*
 * jansson's message, moved to where the offending token begins (jansson says where it ends), and with the token of the
 * original text in place of the one it saw, which may be a placeholder.
 */
static int fail_syntax(const reading *r, const json_error_t *e)
{
    const char *near = strstr(e->text, " near ");
    bool at_end = near != NULL && strcmp(near, " near end of file") == 0;
    token t = token_before(r, at_end ? SIZE_MAX : (size_t)e->position);
    rk_str message = {0};

    if (is_out_of_memory(e, t))
        return rk_fail_memory(r->err);
    rk_str_putn(&message, e->text, near != NULL ? (size_t)(near - e->text) : strlen(e->text));
    if (t.kind == TOKEN_END) {
        rk_str_put(&message, " at the end of the text");
    } else {
        rk_str_put(&message, " near ");
        put_token(&message, r->text, t);
    }
    int rc = message.failed ? rk_fail_memory(r->err) : fail_at(r, t.at, RK_EINPUT, rk_str_text(&message));
    rk_str_free(&message);
    return rc;
}

/* ---- before jansson ------------------------------------------------------------------------------------------ */

static int check_bytes(const reading *r)
{
    size_t len;
    uint32_t point;

    for (size_t i = 0; i < r->n; i += len) {
        len = rk_utf8_decode(r->text + i, r->n - i, &point);
        if (len == 0)
            return fail_at(r, i, RK_EINPUT, "invalid UTF-8");
        if (point == 0)
            return fail_at(r, i, RK_EINPUT, "a NUL byte");
    }
    return RK_OK;
}

#define TEXT_OF_(x) #x
#define TEXT_OF(x) TEXT_OF_(x)

static int check_size(const reading *r)
{
    scanner s = {r->text, r->n, 0, 1};
    size_t depth = 0, n = 0;
    token t;

    while ((t = next_token(&s)).kind != TOKEN_END) {
        if (!is_mark(&s, t, ":,]}") && ++n > RK_DOC_VALUES_MAX)
            return fail_at(r, t.at, RK_ELIMIT,
                           "more than " TEXT_OF(RK_DOC_VALUES_MAX) " keys and values: this is no config");
        if (is_mark(&s, t, "[{") && ++depth > RK_DOC_DEPTH_MAX)
            return fail_at(r, t.at, RK_ELIMIT, "nesting over " TEXT_OF(RK_DOC_DEPTH_MAX));
        if (is_mark(&s, t, "]}") && depth > 0)
            depth--;
    }
    return RK_OK;
}

#define DIGITS_SURE 18 /* any whole number of so many digits fits jansson's 64 bits */

/* Overwrites in `copy` what jansson would refuse. */
static void put_placeholders(char *copy, size_t n)
{
    scanner s = {copy, n, 0, 1};
    double value;
    token t;

    while ((t = next_token(&s)).kind != TOKEN_END) {
        if (!is_non_finite(copy, t, &value) && !(t.n > DIGITS_SURE && is_whole(copy, t)))
            continue;
        size_t at = t.at + (copy[t.at] == '-');
        memset(copy + at, '0', t.at + t.n - at);
        copy[at + 1] = '.';
    }
}

/* ---- after jansson ------------------------------------------------------------------------------------------- */

static int convert(reading *r, json_t *from, rk_doc *to);

static int convert_list(reading *r, json_t *from, rk_doc *to)
{
    to->kind = RK_DOC_LIST;
    to->n = json_array_size(from);
    to->item = RK_NEW_ARRAY(r->arena, to->n, rk_doc);
    if (to->item == NULL)
        return rk_fail_memory(r->err);
    for (size_t i = 0; i < to->n; i++) {
        int rc = convert(r, json_array_get(from, i), &to->item[i]);
        if (rc != RK_OK)
            return rc;
    }
    return RK_OK;
}

static int convert_map(reading *r, json_t *from, rk_doc *to)
{
    to->kind = RK_DOC_MAP;
    to->n = json_object_size(from);
    to->item = RK_NEW_ARRAY(r->arena, to->n, rk_doc);
    to->key = RK_NEW_ARRAY(r->arena, to->n, const char *);
    if (to->item == NULL || to->key == NULL)
        return rk_fail_memory(r->err);

    /* jansson iterates in the order of insertion, which is that of the text. */
    void *at = json_object_iter(from);
    for (size_t i = 0; i < to->n; i++, at = json_object_iter_next(from, at)) {
        next_value(&r->walk); /* the key */
        to->key[i] = rk_arena_text(r->arena, json_object_iter_key(at));
        if (to->key[i] == NULL)
            return rk_fail_memory(r->err);
        int rc = convert(r, json_object_iter_value(at), &to->item[i]);
        if (rc != RK_OK)
            return rc;
    }
    return rk_doc_place(r->arena, to) ? RK_OK : rk_fail_memory(r->err);
}

static int convert_number(reading *r, json_t *from, token t, rk_doc *to)
{
    if (!is_whole(r->text, t)) {
        to->kind = RK_DOC_REAL;
        if (!is_non_finite(r->text, t, &to->real))
            to->real = json_real_value(from);
        return RK_OK;
    }
    size_t sign = r->text[t.at] == '-';
    to->kind = RK_DOC_INT;
    if (!rk_num_parse(r->text + t.at + sign, t.n - sign, &to->number))
        return fail_at(r, t.at, RK_EOVERFLOW, "a whole number beyond 128 bits");
    if (sign)
        to->number = -to->number;
    return RK_OK;
}

/* Recursion is bounded: check_depth has seen the text. */
static int convert(reading *r, json_t *from, rk_doc *to)
{
    token t = next_value(&r->walk);

    to->line = t.line;
    switch (json_typeof(from)) {
    case JSON_OBJECT:
        return convert_map(r, from, to);
    case JSON_ARRAY:
        return convert_list(r, from, to);
    case JSON_STRING:
        to->kind = RK_DOC_TEXT;
        to->n = json_string_length(from);
        to->text = rk_arena_copy(r->arena, json_string_value(from), to->n);
        return to->text != NULL ? RK_OK : rk_fail_memory(r->err);
    case JSON_INTEGER:
    case JSON_REAL:
        return convert_number(r, from, t, to);
    case JSON_TRUE:
    case JSON_FALSE:
        to->kind = RK_DOC_BOOL;
        to->truth = json_is_true(from);
        return RK_OK;
    case JSON_NULL:
        break;
    }
    to->kind = RK_DOC_NULL;
    return RK_OK;
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static int parse(reading *r, rk_doc **out)
{
    char *copy = rk_heap_alloc(r->n + 1);
    rk_doc *doc = RK_NEW(r->arena, rk_doc);
    json_t *tree = NULL;
    json_error_t e;
    int rc = copy != NULL && doc != NULL ? check_bytes(r) : rk_fail_memory(r->err);

    if (rc == RK_OK)
        rc = check_size(r);
    if (rc == RK_OK) {
        memcpy(copy, r->text, r->n);
        copy[r->n] = '\0';
        put_placeholders(copy, r->n);
        tree = json_loadb(copy, r->n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
        rc = tree != NULL ? convert(r, tree, doc) : fail_syntax(r, &e);
    }
    rk_heap_free(copy);
    json_decref(tree);
    if (rc == RK_OK)
        *out = doc;
    return rc;
}

int rk_config_parse(rk_arena *a, const char *name, const char *text, size_t n, rk_doc **out, rk_err *err)
{
    if (n > RK_CONFIG_BYTES_MAX)
        return rk_fail(err, RK_ELIMIT, "%s: too large (%zu bytes, the limit is %zu)", name, n, RK_CONFIG_BYTES_MAX);

    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
        text += 3;
        n -= 3;
    }

    if (n == 0)
        return rk_fail(err, RK_EINPUT, "%s: is empty", name);

    reading r = {a, name, text, n, {text, n, 0, 1}, err};
    rk_arena_mark mark = rk_arena_here(a);
    int rc = parse(&r, out);

    if (rc != RK_OK)
        rk_arena_rewind(a, mark);
    return rc;
}

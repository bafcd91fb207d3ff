/* SPDX-License-Identifier: MIT */
#include "read/draft.h"

#include "base/str.h"
#include "read/shard.h"

#include <inttypes.h>
#include <string.h>

/*
 * A GGUF file is, all little endian:
 *
 *     "GGUF", u32 version, u64 number of tensors, u64 number of keys
 *     for each key:     text key, u32 type, value           a text is a u64 length and its bytes,
 *     for each tensor:  text name, u32 rank, u64 × rank,    a list a u32 type, a u64 length and its items
 *                       u32 format, u64 offset
 *     bytes of zero up to a multiple of general.alignment (32 where it is not said)
 *     the bytes of the tensors, each padded likewise; offsets count from here
 *
 * Version 1 had lengths of 32 bits.  The header's own length stands nowhere, so that it is read through a window; what
 * a length or a count promises is compared with the bytes that are left before anything is allocated.
 */
#define MAGIC "GGUF"
#define VERSION_MIN 2u
#define VERSION_MAX 3u
#define ALIGNMENT_DEFAULT 32u
#define WINDOW 16384u
#define SUFFIX ".gguf"

/* Types of values: name, bytes of a value, or the least that one takes where that varies. */
#define VALUE_TYPES(X)                                                                                                 \
    X(U8, 1)                                                                                                           \
    X(I8, 1)                                                                                                           \
    X(U16, 2)                                                                                                          \
    X(I16, 2)                                                                                                          \
    X(U32, 4)                                                                                                          \
    X(I32, 4)                                                                                                          \
    X(F32, 4)                                                                                                          \
    X(BOOL, 1)                                                                                                         \
    X(TEXT, 8)                                                                                                         \
    X(LIST, 12)                                                                                                        \
    X(U64, 8)                                                                                                          \
    X(I64, 8)                                                                                                          \
    X(F64, 8)

typedef enum value_type {
#define ID(name, bytes) TYPE_##name,
    VALUE_TYPES(ID)
#undef ID
    TYPE_COUNT
} value_type;

static const uint8_t least_bytes[TYPE_COUNT] = {
#define BYTES(name, bytes) bytes,
    VALUE_TYPES(BYTES)
#undef BYTES
};

#define KEY_LEAST (8 + 1 + 4 + 1)    /* bytes of a key with its value: length, a character, type, a byte */
#define TENSOR_LEAST (8 + 4 + 4 + 8) /* of a tensor's entry: length, rank, format, offset */

/* One file being read.  Failure is sticky: after the first, numbers read are 0 and `code` says what happened. */
typedef struct reading {
    rk_draft *draft;
    const rk_input *in;
    uint64_t at, end; /* the next byte, and where the header must have ended: the file's end, or the limit */
    uint64_t window_at;
    size_t n_window;
    unsigned char *window;
    size_t n_kept; /* items of lists */
    uint64_t n_tensor, n_key;
    uint64_t alignment;
    int code;
    rk_err *err;
} reading;

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

static bool fail_code(reading *r, int code)
{
    if (r->code == RK_OK)
        r->code = code;
    return false;
}

#define FAIL(r, code, at, ...) fail_code((r), rk_input_fail((r)->in, (r)->err, (code), (at), __VA_ARGS__))

/* Are n more bytes left for `what`? */
static bool need(reading *r, uint64_t n, const char *what)
{
    if (r->code != RK_OK)
        return false;
    if (n <= r->end - r->at)
        return true;
    if (r->end < r->in->size)
        return FAIL(r, RK_ELIMIT, r->at, "%s of %" PRIu64 " bytes, and the header is then over %" PRIu64, what, n,
                    RK_GGUF_HEADER_MAX);
    return FAIL(r, RK_EINPUT, r->at, "%s of %" PRIu64 " bytes, and the file ends at %" PRIu64, what, n, r->end);
}

/* Fills the window from the next byte on. */
static bool refill(reading *r)
{
    uint64_t left = r->end - r->at;

    r->window_at = r->at;
    r->n_window = left < WINDOW ? (size_t)left : WINDOW;
    /* Memory that stands for a file may hold less than all of it. */
    if (r->in->fd < 0 && r->at + r->n_window > r->in->n)
        r->n_window = r->at < r->in->n ? (size_t)(r->in->n - r->at) : 1;
    int rc = rk_input_read(r->in, r->at, r->window, r->n_window, r->err);
    return rc == RK_OK || fail_code(r, rc);
}

/* The next n bytes; `need` was asked before. */
static bool take(reading *r, void *to, size_t n)
{
    for (char *p = to; n > 0 && r->code == RK_OK;) {
        uint64_t within = r->at - r->window_at;

        if (within >= r->n_window && !refill(r))
            return false;
        within = r->at - r->window_at;
        size_t piece = r->n_window - (size_t)within < n ? r->n_window - (size_t)within : n;
        memcpy(p, r->window + within, piece);
        p += piece;
        n -= piece;
        r->at += piece;
    }
    return r->code == RK_OK;
}

/* A little-endian number of n ≤ 8 bytes. */
static uint64_t number(reading *r, size_t n, const char *what)
{
    unsigned char b[8] = {0};
    uint64_t value = 0;

    if (!need(r, n, what) || !take(r, b, n))
        return 0;
    for (size_t i = n; i-- > 0;)
        value = value << 8 | b[i];
    return value;
}

/* A text of at most `most` bytes, copied and terminated. */
static char *text(reading *r, uint64_t most, size_t *n, const char *what)
{
    uint64_t at = r->at, length = number(r, 8, what);

    if (r->code == RK_OK && length > most)
        FAIL(r, RK_ELIMIT, at, "%s of %" PRIu64 " bytes, the limit is %" PRIu64, what, length, most);
    if (!need(r, length, what))
        return NULL;
    char *copy = rk_alloc(r->draft->arena, (size_t)length + 1);
    if (copy == NULL)
        fail_code(r, rk_fail_memory(r->err));
    else if (take(r, copy, (size_t)length))
        *n = (size_t)length;
    return r->code == RK_OK ? copy : NULL;
}

/* A text that names something: valid UTF-8, no NUL. */
static const char *name_text(reading *r, uint64_t most, const char *what)
{
    uint64_t at = r->at;
    size_t n = 0, length;
    const char *s = text(r, most, &n, what);
    uint32_t point;

    for (size_t i = 0; s != NULL && i < n; i += length) {
        length = rk_utf8_decode(s + i, n - i, &point);
        if (length == 0 || point == 0) {
            FAIL(r, RK_EINPUT, at + 8 + i, "%s '%s' has %s", what, rk_safe_text(s, n).text,
                 length == 0 ? "invalid UTF-8" : "a NUL byte");
            return NULL;
        }
    }
    return s;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static value_type type_of_value(reading *r)
{
    uint64_t at = r->at, type = number(r, 4, "a type");

    if (r->code == RK_OK && type >= TYPE_COUNT)
        FAIL(r, RK_EINPUT, at, "a value of type %" PRIu64 "; the last one is %d", type, TYPE_COUNT - 1);
    return r->code == RK_OK ? (value_type)type : TYPE_U8;
}

/* A value of a type that always takes the same number of bytes. */
static rk_doc fixed(reading *r, value_type type)
{
    uint64_t bits = number(r, least_bytes[type], "a value");
    uint32_t low = (uint32_t)bits;
    rk_doc d = {.kind = RK_DOC_INT, .number = (rk_i128)bits};
    float single;

    switch (type) {
    case TYPE_I8:
        d.number = (int16_t)(int8_t)bits;
        break;
    case TYPE_I16:
        d.number = (int16_t)bits;
        break;
    case TYPE_I32:
        d.number = (int32_t)bits;
        break;
    case TYPE_I64:
        d.number = (int64_t)bits;
        break;
    case TYPE_F32:
        memcpy(&single, &low, sizeof single);
        return (rk_doc){.kind = RK_DOC_REAL, .real = (double)single};
    case TYPE_F64:
        d = (rk_doc){.kind = RK_DOC_REAL};
        memcpy(&d.real, &bits, sizeof d.real);
        break;
    case TYPE_BOOL:
        if (bits > 1)
            FAIL(r, RK_EINPUT, r->at - 1, "a truth value of %" PRIu64 ", not 0 or 1", bits);
        return (rk_doc){.kind = RK_DOC_BOOL, .truth = bits == 1};
    default:
        break;
    }
    return d;
}

static bool is_fixed(value_type type)
{
    return type != TYPE_TEXT && type != TYPE_LIST;
}

/* The head of a list: its type, and a length that the bytes left can hold. */
static bool list_head(reading *r, unsigned depth, value_type *type, uint64_t *n)
{
    uint64_t at = r->at;

    if (depth >= RK_GGUF_DEPTH_MAX)
        return FAIL(r, RK_ELIMIT, at, "lists nested over %u", RK_GGUF_DEPTH_MAX);
    *type = type_of_value(r);
    *n = number(r, 8, "a length");
    if (r->code == RK_OK && *n > (r->end - r->at) / least_bytes[*type])
        return FAIL(r, RK_EINPUT, at, "a list of %" PRIu64 " items, and %" PRIu64 " bytes are left for them", *n,
                    r->end - r->at);
    return r->code == RK_OK;
}

static bool skip_bytes(reading *r, uint64_t n, const char *what)
{
    if (need(r, n, what))
        r->at += n;
    return r->code == RK_OK;
}

/* Steps over n items. */
static bool skip_items(reading *r, value_type type, uint64_t n, unsigned depth)
{
    value_type inner = TYPE_U8;
    uint64_t n_inner = 0;

    if (is_fixed(type))
        return skip_bytes(r, n * least_bytes[type], "a list");
    for (uint64_t i = 0; i < n && r->code == RK_OK; i++) {
        if (type == TYPE_TEXT)
            skip_bytes(r, number(r, 8, "a text"), "a text");
        else if (list_head(r, depth, &inner, &n_inner))
            skip_items(r, inner, n_inner, depth + 1);
    }
    return r->code == RK_OK;
}

static rk_doc value(reading *r, value_type type, unsigned depth);

static rk_doc list(reading *r, unsigned depth)
{
    rk_doc d = {.kind = RK_DOC_LIST};
    value_type type;
    uint64_t n;

    if (!list_head(r, depth, &type, &n))
        return d;
    if (n > (type == TYPE_TEXT ? RK_GGUF_TEXTS_KEPT : RK_GGUF_NUMBERS_KEPT) || n > RK_GGUF_ITEMS_KEPT - r->n_kept) {
        d.n_skipped = (size_t)n;
        skip_items(r, type, n, depth + 1);
        return d;
    }
    r->n_kept += (size_t)n;
    d.n = (size_t)n;
    d.item = RK_NEW_ARRAY(r->draft->arena, d.n, rk_doc);
    if (d.item == NULL)
        fail_code(r, rk_fail_memory(r->err));
    for (size_t i = 0; i < d.n && r->code == RK_OK; i++)
        d.item[i] = value(r, type, depth + 1);
    return d;
}

/* Recursion is bounded by list_head. */
static rk_doc value(reading *r, value_type type, unsigned depth)
{
    rk_doc d = {.kind = RK_DOC_TEXT};

    if (is_fixed(type))
        return fixed(r, type);
    if (type == TYPE_LIST)
        return list(r, depth);
    d.text = text(r, RK_GGUF_HEADER_MAX, &d.n, "a text");
    return d;
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

static bool read_key(reading *r, rk_draft_map *m)
{
    uint64_t at = r->at;
    const char *key = name_text(r, RK_GGUF_KEY_MAX, "a key");
    value_type type = type_of_value(r);
    rk_doc *item;

    if (r->code != RK_OK)
        return false;
    if (key[0] == '\0')
        return FAIL(r, RK_EINPUT, at, "an empty key");
    if (strcmp(key, "general.alignment") == 0 && type != TYPE_U32)
        return FAIL(r, RK_EINPUT, at, "general.alignment is a u32 (type %d), not of type %d", TYPE_U32, type);
    int rc = rk_draft_key(r->draft, m, r->in, key, at, &item, r->err);
    if (rc != RK_OK)
        return fail_code(r, rc);
    *item = value(r, type, 0);
    return r->code == RK_OK;
}

/* The keys as a map; that of the first part is the draft's. */
static bool read_keys(reading *r, rk_doc **out)
{
    rk_draft_map m = {0};
    const rk_doc *a;

    for (uint64_t i = 0; i < r->n_key && r->code == RK_OK; i++)
        read_key(r, &m);
    if (r->code != RK_OK)
        return false;
    int rc = rk_draft_map_end(r->draft, &m, r->in, out, r->err);
    if (rc != RK_OK)
        return fail_code(r, rc);
    if (r->draft->metadata == NULL)
        r->draft->metadata = *out;
    a = rk_doc_key(*out, "general.alignment", strlen("general.alignment"));
    r->alignment = a != NULL ? (uint64_t)a->number : ALIGNMENT_DEFAULT;
    if (r->alignment == 0 || (r->alignment & (r->alignment - 1)) != 0)
        return FAIL(r, RK_EINPUT, m.at.at[a - (*out)->item], "general.alignment is %" PRIu64 ", no power of two",
                    r->alignment);
    return true;
}

/* ---- tensors ---------------------------------------------------------------------------------------------------- */

/* Dimensions are written the fastest first. */
static bool read_shape(reading *r, rk_stored *t)
{
    uint64_t at = r->at, rank = number(r, 4, "a rank"), *shape;

    if (r->code == RK_OK && rank > RK_GGUF_RANK_MAX)
        return FAIL(r, RK_ELIMIT, at, "tensor '%s' has %" PRIu64 " dimensions, the limit is %u",
                    rk_safe_text(t->name, strlen(t->name)).text, rank, RK_GGUF_RANK_MAX);
    if (r->code != RK_OK)
        return false;
    shape = RK_NEW_ARRAY(r->draft->arena, (size_t)rank, uint64_t);
    if (shape == NULL)
        return fail_code(r, rk_fail_memory(r->err));
    for (size_t i = (size_t)rank; i-- > 0;)
        shape[i] = number(r, 8, "a dimension");
    t->shape = shape;
    t->rank = (uint8_t)rank;
    return r->code == RK_OK;
}

static bool read_tensor(reading *r)
{
    uint64_t at = r->at;
    const char *s = name_text(r, RK_GGUF_NAME_MAX, "a name");
    rk_stored *t;
    int rc = r->code != RK_OK ? r->code : rk_draft_tensor(r->draft, r->in, at, &t, r->err);

    if (rc != RK_OK)
        return fail_code(r, rc);
    t->name = s;
    if (!read_shape(r, t))
        return false;
    at = r->at;
    uint64_t format = number(r, 4, "a format");
    t->dtype = (uint16_t)rk_dtype_of_ggml((uint32_t)format);
    if (r->code == RK_OK && t->dtype == RK_DTYPE_UNKNOWN)
        return FAIL(r, RK_EINPUT, at, "tensor '%s': the format %" PRIu64 " is unknown", rk_safe_text(s, strlen(s)).text,
                    format);
    if (r->code != RK_OK)
        return false;
    rc = rk_draft_size(r->in, t, RK_PACKED_ROWS, r->err);
    at = r->at;
    t->offset = rc == RK_OK ? number(r, 8, "an offset") : fail_code(r, rc);
    if (r->code == RK_OK && t->offset % r->alignment != 0)
        return FAIL(r, RK_EINPUT, at, "tensor '%s': the offset %" PRIu64 " is no multiple of the alignment, %" PRIu64,
                    rk_safe_text(s, strlen(s)).text, t->offset, r->alignment);
    return r->code == RK_OK;
}

/* Offsets become positions in the file. */
static void place_tensors(reading *r, size_t first)
{
    uint64_t begin = (r->at + r->alignment - 1) / r->alignment * r->alignment, size = r->in->size;

    if (begin > size)
        begin = size; /* a file without tensors need not be padded; with some, the check that follows fails */
    for (size_t i = first; i < r->draft->tensor.n; i++) {
        rk_stored *t = &r->draft->tensor.at[i];

        if (__builtin_add_overflow(t->offset, begin, &t->offset))
            t->offset = UINT64_MAX; /* beyond any file: the check that follows says so */
    }
    r->code = rk_draft_check(r->draft, r->in, first, begin, size, r->alignment, r->err);
}

/* ---- the header ------------------------------------------------------------------------------------------------- */

static bool check_version(reading *r, uint64_t version)
{
    if (r->code != RK_OK)
        return false;
    if (version >= VERSION_MIN && version <= VERSION_MAX)
        return true;
    if (version != 0 && (version & 0xffff) == 0)
        return FAIL(r, RK_EINPUT, 4, "big endian, which is not read: convert it to little endian first");
    if (version == 1)
        return FAIL(r, RK_EINPUT, 4, "version 1, which is not read (versions %u and %u are): convert it first",
                    VERSION_MIN, VERSION_MAX);
    return FAIL(r, RK_EINPUT, 4, "version %" PRIu64 " is unknown (versions %u and %u are read)", version, VERSION_MIN,
                VERSION_MAX);
}

/* A count of things that take at least so many bytes each. */
static uint64_t count(reading *r, uint64_t least, uint64_t most, const char *what)
{
    uint64_t at = r->at, n = number(r, 8, what);

    if (r->code == RK_OK && n > most)
        FAIL(r, RK_ELIMIT, at, "%" PRIu64 " %s, the limit is %" PRIu64, n, what, most);
    if (r->code == RK_OK && n > (r->end - r->at) / least)
        FAIL(r, RK_EINPUT, at, "%" PRIu64 " %s, and %" PRIu64 " bytes are left for them", n, what, r->end - r->at);
    return r->code == RK_OK ? n : 0;
}

static bool read_head(reading *r)
{
    char magic[4];

    if (!need(r, sizeof magic, "the word " MAGIC) || !take(r, magic, sizeof magic))
        return false;
    if (memcmp(magic, MAGIC, sizeof magic) != 0)
        return FAIL(r, RK_EINPUT, 0, "begins with '%s', not with " MAGIC, rk_safe_text(magic, sizeof magic).text);
    if (!check_version(r, number(r, 4, "a version")))
        return false;
    r->n_tensor = count(r, TENSOR_LEAST, RK_STORE_TENSORS_MAX, "tensors");
    r->n_key = count(r, KEY_LEAST, RK_STORE_KEYS_MAX, "keys");
    return r->code == RK_OK;
}

/* Reads a file into the draft; `keys` are its own metadata. */
static int read_header(rk_draft *d, const rk_input *in, rk_doc **keys, rk_err *err)
{
    reading r = {.draft = d, .in = in, .err = err, .window = rk_heap_alloc(WINDOW)};
    size_t first = d->tensor.n;
    uint32_t file;

    if (r.window == NULL)
        return rk_fail_memory(err);
    r.end = in->size < RK_GGUF_HEADER_MAX ? in->size : RK_GGUF_HEADER_MAX;
    r.code = rk_draft_file(d, in->name, in->size, &file, err);
    if (r.code == RK_OK && read_head(&r) && read_keys(&r, keys)) {
        for (uint64_t i = 0; i < r.n_tensor && r.code == RK_OK; i++)
            read_tensor(&r);
        if (r.code == RK_OK)
            place_tensors(&r, first);
    }
    rk_heap_free(r.window);
    return r.code;
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

/* A whole number of the metadata, or `otherwise`. */
static rk_i128 whole_key(const rk_doc *keys, const char *key, rk_i128 otherwise)
{
    const rk_doc *d = rk_doc_key(keys, key, strlen(key));

    return d != NULL && d->kind == RK_DOC_INT ? d->number : otherwise;
}

/* What a file says of the set that it belongs to must agree with its name. */
static int read_part(rk_draft *d, const rk_files *files, const char *path, unsigned number, unsigned of, rk_err *err)
{
    char buf[RK_NUM_TEXT_MAX], buf_of[RK_NUM_TEXT_MAX];
    rk_doc *keys = NULL;
    rk_input in;
    int rc = rk_files_open(files, &in, path, NULL, err);

    if (rc != RK_OK)
        return rc;
    rc = read_header(d, &in, &keys, err);
    rk_input_close(&in);
    if (rc != RK_OK)
        return rc;
    rk_i128 said_of = whole_key(keys, "split.count", of), said = whole_key(keys, "split.no", (rk_i128)number - 1) + 1;
    if (said_of == 0)
        said_of = 1; /* so do some writers say that there is one part */
    if (said_of == of && said == number)
        return RK_OK;
    return rk_fail(err, RK_EINPUT, "%s: says it is part %s of %s, its name %u of %u", path, rk_num_text(buf, said),
                   rk_num_text(buf_of, said_of), number, of);
}

/* All parts of a set, in their order. */
static int read_parts(rk_draft *d, const rk_files *files, const char *path, const rk_shard *s, rk_err *err)
{
    char buf[RK_NUM_TEXT_MAX];
    int rc = RK_OK;

    for (unsigned i = 1; i <= s->of && rc == RK_OK; i++) {
        const char *part = rk_shard_path(d->arena, path, s, i, SUFFIX);

        rc = part != NULL ? read_part(d, files, part, i, s->of, err) : rk_fail_memory(err);
    }
    if (rc != RK_OK)
        return rc;
    rk_i128 n = whole_key(d->metadata, "split.tensors.count", (rk_i128)d->tensor.n);
    if (n != (rk_i128)d->tensor.n)
        return rk_fail(err, RK_EINPUT, "%s: the parts have %zu tensors together, the first says %s", path, d->tensor.n,
                       rk_num_text(buf, n));
    return RK_OK;
}

int rk_gguf_read(const rk_files *files, rk_arena *a, const char *path, rk_store **out, rk_err *err)
{
    rk_draft d = rk_draft_begin(a);
    rk_shard s;
    int rc =
        rk_shard_parse(path, SUFFIX, &s) ? read_parts(&d, files, path, &s, err) : read_part(&d, files, path, 1, 1, err);

    return rk_draft_finish(&d, rc, out, err);
}

int rk_gguf_parse(rk_arena *a, const char *name, const void *bytes, size_t n, uint64_t size, rk_store **out,
                  rk_err *err)
{
    rk_input in = rk_input_memory(name, bytes, n, size);
    rk_draft d = rk_draft_begin(a);
    rk_doc *keys = NULL;

    return rk_draft_finish(&d, read_header(&d, &in, &keys, err), out, err);
}

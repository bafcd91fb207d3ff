/* SPDX-License-Identifier: MIT */
#include "plan/device.h"

#include "base/str.h"
#include "base/vec.h"
#include "plan/lookup.h"
#include "plan/setting.h"

#include <stdio.h>
#include <string.h>

#define PATH "data/devices.tsv"
#define CELLS_MAX 26
#define DEVICE_CELLS 24
#define SOURCE_CELLS 3
#define VENDOR_CELLS 5
#define LIMIT_CELLS 5
#define SIZES_MAX 8 /* with which a device is sold */
#define GIGA ((rk_i128)1000000000)
#define GIBI ((rk_i128)1 << 30)
#define WORD_MAX 64  /* of a key or a name */
#define LISTED_MAX 8 /* devices that a message names */

const char *const rk_rate_word[RK_N_RATE] = {
#define RK_RATE_WORD(ID, word) [RK_RATE_##ID] = word,
    RK_RATES(RK_RATE_WORD)
#undef RK_RATE_WORD
};

/* Of all devices of a vendor: what a context takes; or, of those that share a machine's memory, what they may use. */
typedef struct of_vendor {
    const char *vendor;
    rk_i128 memory; /* of the machine; 0: this is of a context */
    rk_i128 bytes;
    const char *text, *sources, *note;
} of_vendor;

/* What a device that was read is called. */
typedef struct taken {
    uint64_t hash; /* of its letters */
    const char *word;
    size_t n;
} taken;

typedef struct reading {
    rk_arena *a;
    const char *file;
    const char *only; /* the key of the one device that is read, of a table that is known to be right; NULL: all */
    size_t line;
    char *cell[CELLS_MAX]; /* of the line */
    size_t n_cell, at;     /* how many there are, and the next one to read */
    RK_VEC(rk_device) device;
    RK_VEC(taken) taken;
    RK_VEC(rk_device_source) source;
    RK_VEC(of_vendor) of_vendor;
    rk_err *err;
    int code; /* sticky */
} reading;

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* Everything that a device is called. */
static void try_device(rk_lookup *l, const rk_device *d)
{
    rk_lookup_try(l, d->key, strlen(d->key), d->key, d);
    rk_lookup_try(l, d->name, strlen(d->name), d->key, d);
    for (const char *list = d->aliases; list; list = *list ? list + 1 : NULL) {
        size_t n = strcspn(list, ",");

        rk_lookup_try(l, list, n, d->key, d);
        list += n;
    }
}

static bool is_alias(const rk_device *d, const char *word)
{
    size_t n = strlen(word);

    for (const char *list = d->aliases; list && n > 0; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
        if (strncmp(list, word, n) == 0 && (list[n] == ',' || list[n] == '\0'))
            return true;
    return false;
}

/* A beginning is not enough: an rtx-2080 is no rtx-2080-ti. */
static const rk_device *one_of(const rk_lookup *l)
{
    const rk_candidate *one = l->best >= RK_ALIKE_TAILS ? rk_lookup_one(l) : NULL;

    return one ? one->what : NULL;
}

const rk_device *rk_device_find(const rk_devices *d, const char *word, rk_err *err)
{
    rk_lookup l = {.word = word};
    char hint[RK_NEAREST_HINT_MAX];
    const rk_device *found;
    rk_str like = {0};

    for (size_t i = 0; i < d->n; i++)
        if (strcmp(d->at[i].key, word) == 0 || is_alias(&d->at[i], word)) /* nobody else is called so: check_words */
            return &d->at[i];
    for (size_t i = 0; i < d->n; i++)
        try_device(&l, &d->at[i]);
    found = one_of(&l);
    for (size_t i = 0; !found && err && i < l.n && i < LISTED_MAX; i++)
        rk_str_format(&like, "%s%s", i ? ", " : "; those that are called alike: ", l.at[i].name);
    if (!found)
        rk_fail(err, RK_EINPUT, "no device is called '%s'%s%s ('reckon devices' lists them)", word,
                l.n ? rk_str_text(&like) : rk_nearest_hint(&l.near, hint), l.n > LISTED_MAX ? ", …" : "");
    rk_str_free(&like);
    return found;
}

rk_i128 rk_device_room(const rk_device *d)
{
    return d->usable > d->reserve ? d->usable - d->reserve : 0;
}

const char *rk_device_source_text(const rk_devices *d, const char *key, size_t n)
{
    for (size_t i = 0; i < d->n_source; i++)
        if (strlen(d->source[i].key) == n && memcmp(d->source[i].key, key, n) == 0)
            return d->source[i].text;
    return NULL;
}

/* ---- cells ------------------------------------------------------------------------------------------------------ */

static void wrong(reading *r, const char *what, const char *cell)
{
    if (r->code == RK_OK)
        r->code = rk_fail(r->err, RK_EINPUT, "%s:%zu: %s: '%s'", r->file, r->line, what, cell ? cell : "");
}

/* NULL: "-", not known. */
static const char *read_text(reading *r)
{
    const char *cell = r->cell[r->at++];

    if (cell[0] == '\0')
        wrong(r, "a cell is empty, where - would say that no one knows", cell);
    return strcmp(cell, "-") == 0 ? NULL : cell;
}

static const char *need_text(reading *r, const char *what)
{
    const char *cell = read_text(r);

    if (!cell || strlen(cell) >= WORD_MAX)
        wrong(r, what, cell);
    return cell ? cell : "";
}

/* A number with the suffix that stands for its unit: "" or 'g' (10^9) or 't' (10^12). */
static rk_i128 read_number(reading *r, const char *suffix)
{
    const char *cell = read_text(r);
    char with[WORD_MAX + 2];
    size_t length = cell ? strlen(cell) : 0;
    rk_i128 n = 0;

    if (!cell)
        return 0;
    if (length < WORD_MAX) {
        snprintf(with, sizeof with, "%s%s", cell, suffix);
    }
    if (length >= WORD_MAX || strspn(cell, "0123456789.") != length || rk_count_parse(with, &n, NULL) != RK_OK)
        wrong(r, "this is no number above 0", cell);
    return n;
}

/* The bytes of "811532288", "81089MiB" or "95.74GiB", after which *text is then; 0: there are none. */
static rk_i128 amount_of(const char **text)
{
    static const struct {
        const char *word;
        rk_i128 bytes;
    } unit[] = {{"MB", GIGA / 1000}, {"GB", GIGA}, {"MiB", GIBI >> 10}, {"GiB", GIBI}, {"", 1}};
    size_t whole = strspn(*text, "0123456789"), part, k = 0;
    rk_i128 n = 0, fraction = 0, ten = 1;
    rk_acc acc = {0};

    part = (*text)[whole] == '.' ? strspn(*text + whole + 1, "0123456789") : 0;
    if (!rk_num_parse(*text, whole, &n) || part > 2 || (part && !rk_num_parse(*text + whole + 1, part, &fraction)))
        return 0;
    *text += whole + (part ? part + 1 : 0);
    for (size_t i = 0; i < part; i++)
        ten *= 10;
    while (strncmp(*text, unit[k].word, strlen(unit[k].word)) != 0)
        k++;
    *text += strlen(unit[k].word);
    n = rk_mul(&acc, rk_add(&acc, rk_mul(&acc, n, ten), fraction), unit[k].bytes) / ten;
    return acc.overflow ? 0 : n;
}

/* And of "2x94.75GiB", two parts of a module, and "143771MiB-616MiB"; 0: it is no such thing. */
static rk_i128 bytes_of(const char *text)
{
    rk_i128 times = text[0] > '0' && text[0] <= '9' && text[1] == 'x' ? text[0] - '0' : 0, n, less = 0;

    text += times ? 2 : 0;
    n = amount_of(&text);
    if (n > 0 && *text == '-') {
        text++;
        less = amount_of(&text);
    }
    return *text || less > n ? 0 : (n - less) * (times ? times : 1);
}

static rk_i128 read_bytes(reading *r, const char **text)
{
    rk_i128 n;

    *text = read_text(r);
    n = *text ? bytes_of(*text) : 0;
    if (*text && n == 0 && strcmp(*text, "0") != 0)
        wrong(r, "these are no bytes, such as 811532288, 81089MiB or 95.74GiB", *text);
    return n;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* Each source is explained before. */
static void check_sources(reading *r, const char *list)
{
    rk_devices known = {.source = r->source.at, .n_source = r->source.n};

    while (list && !r->only) {
        size_t n = strcspn(list, ",");

        if (!rk_device_source_text(&known, list, n))
            wrong(r, "a source that no line before explains", list);
        list = list[n] ? list + n + 1 : NULL;
    }
}

/* Nobody else is called so; an alias may say what the device itself is called otherwise. */
static void check_word(reading *r, const char *word, size_t n, size_t n_before)
{
    uint64_t hash = rk_alike_hash(word, n);
    taken *slot;

    for (size_t i = 0; i < n_before; i++)
        if (r->taken.at[i].hash == hash && rk_alike_letters(r->taken.at[i].word, r->taken.at[i].n, word, n))
            wrong(r, "another device is called so already", word);
    slot = r->code == RK_OK ? RK_PUSH(r->a, &r->taken) : NULL;
    if (slot)
        *slot = (taken){hash, word, n};
    else if (r->code == RK_OK)
        r->code = rk_fail_memory(r->err);
}

static void check_words(reading *r, const rk_device *d)
{
    size_t before = r->taken.n;

    check_word(r, d->key, strlen(d->key), before);
    for (const char *at = d->aliases; at;) {
        size_t n = strcspn(at, ",");

        if (n == 0)
            wrong(r, "an alias is empty", d->aliases);
        check_word(r, at, n, before);
        at = at[n] ? at + n + 1 : NULL;
    }
    check_word(r, d->name, strlen(d->name), 0); /* two may share a name, but no word of another is it */
}

static const of_vendor *find_of(const reading *r, const char *vendor, rk_i128 memory)
{
    for (size_t i = 0; i < r->of_vendor.n; i++)
        if (strcmp(r->of_vendor.at[i].vendor, vendor) == 0 && r->of_vendor.at[i].memory == memory)
            return &r->of_vendor.at[i];
    return NULL;
}

static bool has_limits(const reading *r, const char *vendor)
{
    for (size_t i = 0; i < r->of_vendor.n; i++)
        if (strcmp(r->of_vendor.at[i].vendor, vendor) == 0 && r->of_vendor.at[i].memory > 0)
            return true;
    return false;
}

/*
 * What programs see, and what a context takes of it.  Where no source has seen it, the size in GB is taken as so many
 * GiB, which is what the chips hold; but not where a system is known to keep a share of the memory.
 */
static void settle_memory(const reading *r, rk_device *d)
{
    const of_vendor *limit = find_of(r, d->vendor, d->memory), *context = find_of(r, d->vendor, 0);

    if (!d->seen && limit && d->memory > 0) {
        d->usable = limit->bytes;
        d->seen = limit->text;
        d->seen_sources = limit->sources;
    } else if (!d->seen && !has_limits(r, d->vendor)) {
        d->usable = d->memory % GIGA == 0 ? d->memory / GIGA * GIBI : d->memory;
    }
    if (context) {
        d->reserve = context->bytes;
        d->reserve_sources = context->sources;
        d->reserve_note = context->note;
    }
}

static void add_device(reading *r, rk_device *d)
{
    rk_device *slot;

    settle_memory(r, d);
    check_words(r, d);
    slot = r->code == RK_OK ? RK_PUSH(r->a, &r->device) : NULL;
    if (slot)
        *slot = *d;
    else if (r->code == RK_OK)
        r->code = rk_fail_memory(r->err);
}

/* "m4-max,apple-m4-max" is "m4-max-64gb,apple-m4-max-64gb"; the first word is the key. */
static char *sized_words(reading *r, const rk_device *d, rk_i128 memory)
{
    char gb[RK_NUM_TEXT_MAX];
    rk_str s = {0};
    char *out;

    rk_num_text(gb, memory / GIGA);
    rk_str_format(&s, "%s-%sgb", d->key, gb);
    for (const char *at = d->aliases; at; at = at[strcspn(at, ",")] ? at + strcspn(at, ",") + 1 : NULL)
        rk_str_format(&s, ",%.*s-%sgb", (int)strcspn(at, ","), at, gb);
    out = s.failed ? NULL : rk_arena_text(r->a, s.text);
    rk_str_free(&s);
    if (!out && r->code == RK_OK)
        r->code = rk_fail_memory(r->err);
    return out;
}

/* A chip that is sold with several sizes of memory is as many devices; its own name is that of the largest. */
static void add_sizes(reading *r, const rk_device *d, const rk_i128 *size, size_t n)
{
    for (size_t i = 0; i < n && r->code == RK_OK; i++) {
        rk_device one = *d;
        char *words = sized_words(r, d, size[i]), gb[RK_NUM_TEXT_MAX];

        one.memory = size[i];
        if (words && i + 1 < n) {
            one.aliases = strchr(words, ',') ? strchr(words, ',') + 1 : NULL;
            one.key = rk_arena_format(r->a, "%.*s", (int)strcspn(words, ","), words);
            one.name = rk_arena_format(r->a, "%s %sGB", d->name, rk_num_text(gb, size[i] / GIGA));
        } else if (words) {
            one.aliases = rk_arena_format(r->a, "%s%s%s", d->aliases ? d->aliases : "", d->aliases ? "," : "", words);
        }
        if (one.key && one.name && (one.aliases || !d->aliases))
            add_device(r, &one);
        else if (r->code == RK_OK)
            r->code = rk_fail_memory(r->err);
    }
}

/* The sizes between commas, the smallest first; how many there are. */
static size_t read_sizes(reading *r, rk_i128 size[SIZES_MAX])
{
    const char *list = read_text(r), *cell = list;
    size_t n = 0;

    for (; list && n < SIZES_MAX; n++) {
        size_t end = strcspn(list, ",");

        if (!rk_num_parse(list, end, &size[n]) || size[n] <= (n > 0 ? size[n - 1] : 0)) {
            wrong(r, "these are no bytes, each more than those before", cell);
            return 0;
        }
        list = list[end] ? list + end + 1 : NULL;
    }
    if (list)
        wrong(r, "a device is sold with more sizes than are read", cell);
    return n;
}

static void read_device(reading *r)
{
    rk_device d = {.key = need_text(r, "a device has no key"), .aliases = read_text(r)};
    rk_i128 size[SIZES_MAX] = {0};
    size_t n;

    d.name = need_text(r, "a device has no name");
    d.vendor = need_text(r, "a device has no vendor");
    d.year = read_number(r, "");
    n = read_sizes(r, size);
    d.usable = read_bytes(r, &d.seen);
    d.seen_sources = read_text(r);
    d.bandwidth = read_number(r, "g");
    for (int i = 0; i < RK_N_RATE; i++)
        d.rate[i] = read_number(r, "t");
    d.link = read_number(r, "g");
    d.link_name = read_text(r);
    d.pcie = read_number(r, "g");
    d.power = read_number(r, "");
    d.units = read_number(r, "");
    d.sources = need_text(r, "a device has no source");
    d.note = read_text(r);
    if ((d.seen != NULL) != (d.seen_sources != NULL) || (d.seen && (d.usable == 0 || n > 1)))
        wrong(r, "what programs see has a source, and is of one size of memory", d.seen);
    check_sources(r, d.seen_sources);
    check_sources(r, d.sources);
    d.memory = size[0];
    if (n > 1)
        add_sizes(r, &d, size, n);
    else
        add_device(r, &d);
}

static void read_vendor(reading *r, bool limit)
{
    of_vendor o = {.vendor = need_text(r, "a vendor has no name")}, *slot;

    o.memory = limit ? read_number(r, "g") : 0;
    o.bytes = read_bytes(r, &o.text);
    o.sources = need_text(r, "what is said of a vendor has no source");
    o.note = limit ? NULL : read_text(r);
    check_sources(r, o.sources);
    if (!o.text || (limit && (o.memory == 0 || o.bytes == 0)))
        wrong(r, "bytes are missing", o.vendor);
    if (find_of(r, o.vendor, o.memory))
        wrong(r, "this was said before", o.vendor);
    if (r->code == RK_OK && !(slot = RK_PUSH(r->a, &r->of_vendor)))
        r->code = rk_fail_memory(r->err);
    else if (r->code == RK_OK)
        *slot = o;
}

static void read_source(reading *r)
{
    rk_device_source *slot = RK_PUSH(r->a, &r->source);

    if (slot)
        *slot = (rk_device_source){.key = r->cell[1], .text = r->cell[2]};
    else
        r->code = rk_fail_memory(r->err);
}

static void read_line(reading *r, char *text)
{
    static const struct {
        const char *word;
        size_t n_cell;
    } kind[] = {{"device", DEVICE_CELLS}, {"source", SOURCE_CELLS}, {"vendor", VENDOR_CELLS}, {"limit", LIMIT_CELLS}};
    const size_t n = sizeof kind / sizeof *kind;
    size_t k = 0;

    if (text[0] == '\0' || text[0] == '#')
        return;
    r->n_cell = 0;
    r->at = 1;
    while (text && r->n_cell < CELLS_MAX) { /* cut at its tabs */
        r->cell[r->n_cell++] = text;
        if ((text = strchr(text, '\t')))
            *text++ = '\0';
    }
    while (k < n && strcmp(r->cell[0], kind[k].word) != 0)
        k++;
    if (text)
        wrong(r, "there are more cells than a line can have", r->cell[0]);
    else if (k == n)
        wrong(r, "a line says none of device, source, vendor and limit", r->cell[0]);
    else if (r->n_cell != kind[k].n_cell)
        wrong(r, "a line has too many or too few cells", r->cell[0]);
    else if (k == 0)
        read_device(r);
    else if (k == 1)
        read_source(r);
    else
        read_vendor(r, k == 3);
}

/* Whether a line is of the one device that is read, or of all devices of a vendor. */
static bool is_wanted(const reading *r, const char *line)
{
    static const char device[] = "device\t", source[] = "source\t";
    size_t n = sizeof device - 1;

    if (!r->only)
        return true;
    if (strncmp(line, device, n) == 0)
        return strncmp(line + n, r->only, strlen(r->only)) == 0 && line[n + strlen(r->only)] == '\t';
    return strncmp(line, source, sizeof source - 1) != 0;
}

static int parse(rk_arena *a, const rk_text *text, const char *only, rk_devices *out, rk_err *err)
{
    reading r = {.a = a, .file = text->name, .only = only, .err = err};
    char *line = rk_arena_text(a, text->text);

    if (!line)
        return rk_fail_memory(err);
    while (line && r.code == RK_OK) {
        char *end = strchr(line, '\n');

        if (end)
            *end = '\0';
        r.line++;
        if (is_wanted(&r, line))
            read_line(&r, line);
        line = end ? end + 1 : NULL;
    }
    if (r.code == RK_OK)
        *out = (rk_devices){r.device.at, r.device.n, r.source.at, r.source.n};
    return r.code;
}

int rk_devices_parse(rk_arena *a, const rk_text *text, rk_devices *out, rk_err *err)
{
    return parse(a, text, NULL, out, err);
}

int rk_device_read(const rk_library *l, rk_arena *a, const char *word, const rk_device **out, rk_err *err)
{
    rk_text text = {0};
    rk_devices found = {0};
    int code = rk_library_get(l, a, PATH, &text, err);

    *out = NULL;
    if (code == RK_OK && text.text && rk_library_is_own(PATH, &text))
        code = parse(a, &text, word, &found, err);
    for (size_t i = 0; i < found.n && code == RK_OK && !*out; i++)
        if (strcmp(found.at[i].key, word) == 0)
            *out = &found.at[i];
    if (code != RK_OK || *out)
        return code;
    code = rk_devices_read(l, a, &found, err); /* another word for one, or none */
    if (code == RK_OK)
        *out = rk_device_find(&found, word, err);
    return code == RK_OK && !*out ? RK_EINPUT : code;
}

int rk_devices_read(const rk_library *l, rk_arena *a, rk_devices *out, rk_err *err)
{
    rk_text text = {0};
    int code = rk_library_get(l, a, PATH, &text, err);

    if (code != RK_OK)
        return code;
    return text.text ? rk_devices_parse(a, &text, out, err) : rk_fail(err, RK_EINPUT, "%s is missing", PATH);
}

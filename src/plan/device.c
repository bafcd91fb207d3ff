/* SPDX-License-Identifier: MIT */
#include "plan/device.h"

#include "base/vec.h"
#include "plan/nearest.h"
#include "plan/setting.h"

#include <ctype.h>
#include <string.h>

#define PATH "data/devices.tsv"
#define CELLS_MAX 24
#define DEVICE_CELLS 22
#define SOURCE_CELLS 3
#define WORD_MAX 64 /* of a key, a name, or what a user calls a device */

const char *const rk_rate_word[RK_N_RATE] = {
#define RK_RATE_WORD(ID, word) [RK_RATE_##ID] = word,
    RK_RATES(RK_RATE_WORD)
#undef RK_RATE_WORD
};

typedef struct reading {
    rk_arena *a;
    const char *file;
    size_t line;
    char *cell[CELLS_MAX]; /* of the line */
    size_t n_cell, at;     /* how many there are, and the next one to read */
    RK_VEC(rk_device) device;
    RK_VEC(rk_device_source) source;
    rk_err *err;
    int code; /* sticky */
} reading;

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* "H100 SXM5 80GB" is "h100-sxm5-80gb"; too long a word is like no other. */
static void plain_word(const char *text, size_t n, char out[WORD_MAX])
{
    out[0] = '\0';
    if (n >= WORD_MAX)
        return;
    for (size_t i = 0; i < n; i++)
        out[i] = text[i] == ' ' || text[i] == '_' ? '-' : (char)tolower((unsigned char)text[i]);
    out[n] = '\0';
}

/* The next word of a list between commas, in plain letters; false: there is none. */
static bool next_word(const char **list, char out[WORD_MAX])
{
    size_t n;

    if (!*list)
        return false;
    n = strcspn(*list, ",");
    plain_word(*list, n, out);
    *list = (*list)[n] ? *list + n + 1 : NULL;
    return true;
}

static bool is_called(const rk_device *d, const char *word)
{
    const char *list = d->aliases;
    char known[WORD_MAX];
    bool is = false;

    plain_word(d->key, strlen(d->key), known);
    is = strcmp(known, word) == 0;
    plain_word(d->name, strlen(d->name), known);
    is |= strcmp(known, word) == 0;
    while (!is && next_word(&list, known))
        is = strcmp(known, word) == 0;
    return is && word[0];
}

static const rk_device *find(const rk_device *d, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (is_called(&d[i], word))
            return &d[i];
    return NULL;
}

const rk_device *rk_device_find(const rk_devices *d, const char *word, rk_err *err)
{
    char plain[WORD_MAX], known[WORD_MAX], kept[WORD_MAX], hint[RK_NEAREST_HINT_MAX];
    const rk_device *found;
    rk_nearest near = {.word = plain};

    plain_word(word, strlen(word), plain);
    if ((found = find(d->at, d->n, plain)))
        return found;
    for (size_t i = 0; i < d->n; i++) {
        const char *list = d->at[i].aliases;

        rk_nearest_try(&near, d->at[i].key);
        while (next_word(&list, known)) {
            rk_nearest_try(&near, known);
            if (near.best == known)
                near.best = memcpy(kept, known, sizeof known);
        }
    }
    rk_fail(err, RK_EINPUT, "no device is called '%s'%s ('reckon devices' lists them)", word,
            rk_nearest_hint(&near, hint));
    return NULL;
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
    char *with = cell ? rk_arena_format(r->a, "%s%s", cell, suffix) : NULL;
    rk_i128 n = 0;

    if (cell && !with)
        r->code = r->code == RK_OK ? rk_fail_memory(r->err) : r->code;
    if (with && (strspn(cell, "0123456789.") != strlen(cell) || rk_count_parse(with, &n, NULL) != RK_OK))
        wrong(r, "this is no number above 0", cell);
    return n;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* Nobody else is called so, and each source is explained before. */
static void check_device(reading *r, const rk_device *d)
{
    rk_devices known = {.source = r->source.at, .n_source = r->source.n};
    const char *list = d->aliases, *at;
    char plain[WORD_MAX];

    plain_word(d->key, strlen(d->key), plain);
    if (find(r->device.at, r->device.n, plain))
        wrong(r, "another device is called so already", d->key);
    for (at = list; next_word(&list, plain); at = list)
        if (at[0] == ',' || at[0] == '\0' || find(r->device.at, r->device.n, plain))
            wrong(r, "another device is called so already", at);
    for (list = d->sources; (at = list);) {
        size_t n = strcspn(at, ",");

        if (!rk_device_source_text(&known, at, n))
            wrong(r, "a source that no line before explains", at);
        list = at[n] ? at + n + 1 : NULL;
    }
}

static void read_device(reading *r)
{
    rk_device d = {.key = need_text(r, "a device has no key"), .aliases = read_text(r)};
    rk_device *slot;

    d.name = need_text(r, "a device has no name");
    d.vendor = need_text(r, "a device has no vendor");
    d.year = read_number(r, "");
    d.memory = read_number(r, "");
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
    check_device(r, &d);
    slot = r->code == RK_OK ? RK_PUSH(r->a, &r->device) : NULL;
    if (slot)
        *slot = d;
    else if (r->code == RK_OK)
        r->code = rk_fail_memory(r->err);
}

static void read_line(reading *r, char *text)
{
    static const struct {
        const char *word;
        size_t n_cell;
    } kind[] = {{"device", DEVICE_CELLS}, {"source", SOURCE_CELLS}};
    rk_device_source *slot;
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
    while (k < 2 && strcmp(r->cell[0], kind[k].word) != 0)
        k++;
    if (text)
        wrong(r, "there are more cells than a line can have", r->cell[0]);
    else if (k == 2)
        wrong(r, "a line says neither device nor source", r->cell[0]);
    else if (r->n_cell != kind[k].n_cell)
        wrong(r, "a line has too many or too few cells", r->cell[0]);
    else if (k == 0)
        read_device(r);
    else if ((slot = RK_PUSH(r->a, &r->source)))
        *slot = (rk_device_source){.key = r->cell[1], .text = r->cell[2]};
    else
        r->code = rk_fail_memory(r->err);
}

int rk_devices_parse(rk_arena *a, const rk_text *text, rk_devices *out, rk_err *err)
{
    reading r = {.a = a, .file = text->name, .err = err};
    char *line = rk_arena_text(a, text->text);

    if (!line)
        return rk_fail_memory(err);
    while (line && r.code == RK_OK) {
        char *end = strchr(line, '\n');

        if (end)
            *end = '\0';
        r.line++;
        read_line(&r, line);
        line = end ? end + 1 : NULL;
    }
    if (r.code == RK_OK)
        *out = (rk_devices){r.device.at, r.device.n, r.source.at, r.source.n};
    return r.code;
}

int rk_devices_read(const rk_library *l, rk_arena *a, rk_devices *out, rk_err *err)
{
    rk_text text = {0};
    int code = rk_library_get(l, a, PATH, &text, err);

    if (code != RK_OK)
        return code;
    return text.text ? rk_devices_parse(a, &text, out, err) : rk_fail(err, RK_EINPUT, "%s is missing", PATH);
}

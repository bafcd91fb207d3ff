/* SPDX-License-Identifier: MIT */
#include "ask/convention_file.h"

#include <string.h>

const rk_row_class_text rk_row_class_table[RK_N_ROW_CLASS] = {
#define RK_ROWS_ROW(ID, word, noun) {word, noun},
    RK_ROW_CLASSES(RK_ROWS_ROW)
#undef RK_ROWS_ROW
};

const char *const rk_convention_of_word[RK_N_OF] = {"forward", "training", "state", "layer", "cache"};

enum { /* cells of a line */
    NAME,
    SIGN,
    OF,
    UNIT,
    PER,
    SOURCE,
    FORMULA,
    TEXT,
    N_CELL
};
enum { /* … that is a rule */
    CLASSES = SIGN,
    RULE,
    REASON
};

#define CONVENTIONS_MAX 256 /* a file of more is no list of what people say */

typedef struct reader {
    rk_arena *a;
    rk_convention_texts *out;
    size_t at; /* the number of the line */
    char *cell[N_CELL];
    size_t n_cell;
    rk_err *err;
} reader;

static int refuse(const reader *r, const char *what, const char *word)
{
    rk_str safe = {0};
    int code;

    rk_str_put_safe(&safe, word, strlen(word));
    code = rk_fail(r->err, RK_EINPUT, "%s: line %zu: %s '%s'", RK_CONVENTIONS_FILE, r->at, what, rk_str_text(&safe));
    rk_str_free(&safe);
    return code;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static void cut(reader *r, char *line)
{
    for (r->n_cell = 0; r->n_cell < N_CELL && line; r->n_cell++) {
        char *tab = r->n_cell + 1 < N_CELL ? strchr(line, '\t') : NULL;

        r->cell[r->n_cell] = line;
        if (tab)
            *tab++ = '\0';
        line = tab;
    }
}

static rk_convention_text *find(const reader *r, const char *name)
{
    for (size_t i = 0; i < r->out->n; i++)
        if (strcmp(r->out->at[i].head.name, name) == 0)
            return &r->out->at[i];
    return NULL;
}

static int read_head(reader *r)
{
    int of = 0;
    rk_convention_text *t;

    if (r->n_cell < N_CELL)
        return refuse(r, "a convention has eight columns, not those of", r->cell[NAME]);
    if (find(r, r->cell[NAME]))
        return refuse(r, "there already is a convention", r->cell[NAME]);
    while (of < RK_N_OF && strcmp(rk_convention_of_word[of], r->cell[OF]) != 0)
        of++;
    if (of == RK_N_OF)
        return refuse(r, "a convention is of operations or bytes of a kind that is known, not of", r->cell[OF]);
    if (r->out->n >= CONVENTIONS_MAX)
        return rk_fail(r->err, RK_ELIMIT, "%s: more than %d conventions", RK_CONVENTIONS_FILE, CONVENTIONS_MAX);
    if (!(t = RK_PUSH(r->a, r->out)))
        return rk_fail_memory(r->err);
    *t = (rk_convention_text){.head = {.name = r->cell[NAME],
                                       .of = (rk_convention_of)of,
                                       .mac = strcmp(r->cell[UNIT], "MAC") == 0,
                                       .per = r->cell[PER],
                                       .source = r->cell[SOURCE],
                                       .formula = r->cell[FORMULA],
                                       .text = r->cell[TEXT]}};
    return RK_OK;
}

static int read_rule(reader *r)
{
    rk_convention_text *t = find(r, r->cell[NAME]);

    if (!t)
        return refuse(r, "no line with = comes before that of", r->cell[NAME]);
    if (r->n_cell <= RULE)
        return refuse(r, "a rule has classes and a formula, which is missing for", r->cell[NAME]);
    for (char *word = r->cell[CLASSES], *comma; word; word = comma) {
        int c = 0;

        if ((comma = strchr(word, ',')))
            *comma++ = '\0';
        while (c < RK_N_ROW_CLASS && strcmp(rk_row_class_table[c].word, word) != 0)
            c++;
        if (c == RK_N_ROW_CLASS)
            return refuse(r, "there is no class", word);
        if (t->rule[c].formula)
            return refuse(r, "a second rule for", word);
        t->rule[c] = (rk_convention_rule){
            .formula = r->cell[RULE], .reason = r->n_cell > REASON ? r->cell[REASON] : "", .at = r->at};
    }
    return RK_OK;
}

static int read_line(reader *r, char *line)
{
    if (line[0] == '#' || line[0] == '\0')
        return RK_OK;
    /* Texts of the file go to terminals and into messages as they are: tabs alone may move anything there. */
    for (const unsigned char *c = (const unsigned char *)line; *c; c++)
        if ((*c < ' ' && *c != '\t') || *c == 0x7f)
            return refuse(r, "a control character stands in", line);
    cut(r, line);
    if (r->n_cell <= SIGN)
        return refuse(r, "columns are separated by tabs, which are missing in", line);
    return strcmp(r->cell[SIGN], "=") == 0 ? read_head(r) : read_rule(r);
}

int rk_convention_file_read(rk_arena *a, const rk_library *l, rk_convention_texts *out, rk_err *err)
{
    rk_convention_texts found = {0};
    reader r = {.a = a, .out = &found, .err = err};
    rk_text file;
    char *text;
    int code = rk_library_get(l, a, RK_CONVENTIONS_FILE, &file, err);

    if (code != RK_OK)
        return code;
    if (!file.text)
        return rk_fail(err, RK_EINPUT, "%s is not in the library", RK_CONVENTIONS_FILE);
    if (!(text = rk_arena_copy(a, file.text, file.n)))
        return rk_fail_memory(err);
    for (char *line = text; line && code == RK_OK;) {
        char *end = strchr(line, '\n');

        if (end)
            *end++ = '\0';
        r.at++;
        code = read_line(&r, line);
        line = end;
    }
    if (code == RK_OK)
        *out = found;
    return code;
}

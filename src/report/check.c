/* SPDX-License-Identifier: MIT */
/* What `reckon check` prints: a reviewer's notes on written accounts. */
#include "report/answers.h"
#include "report/check.h"

#include "report/check_parts.h"

#include <string.h>

enum {
    LIST_MOST = 12,  /* doubtful claims, and those that are not understood, that people see without asking */
    PLACES_MOST = 12 /* that a remark names */
};

static const char *const status_word[] = RK_CLAIM_STATUS_WORDS;
static const char *const kind_word[] = {
    [RK_CLAIM_EQUATION] = "equation", [RK_CLAIM_SUM] = "sum", [RK_CLAIM_SHARE] = "share", [RK_CLAIM_MODEL] = "model"};

/* ---- keys ------------------------------------------------------------------------------------------------------- */

#define CLAIM_FIELDS(X)                                                                                                \
    X(OF_FILE, {.key = "file", .kind = RK_CELL_TEXT, .text = "the account", .csv = true})                              \
    X(LINE,                                                                                                            \
      RK_COLUMN("line", "line", COUNT, "where it stands, from 1 on; in its cell, where it has one", .right = true))    \
    X(COLUMN, RK_KEY("column", COUNT, "where in the line, from 1 on"))                                                 \
    X(KIND, RK_KEY("kind", TEXT, "equation, sum, share or model"))                                                     \
    X(STATUS,                                                                                                          \
      RK_COLUMN("", "status", TEXT, "right, wrong, slip (less than one of its last digit off), doubtful or unknown"))  \
    X(TEXT, RK_COLUMN("", "text", TEXT, "the claim as it stands there", .wraps = true))                                \
    X(STATED, RK_KEY("stated", NOTHING, "what it says; a whole number is a count"))                                    \
    X(FOUND, RK_KEY("found", NOTHING, "what holds; a whole number is a count"))                                        \
    X(NOTE, RK_COLUMN("", "note", TEXT, "why", .wraps = true, .drop = 1))                                              \
    X(QUANTITY, RK_KEY("quantity", TEXT, "of the model that it is about"))                                             \
    X(FORMULA, RK_KEY("formula", TEXT, "closed form of that quantity"))                                                \
    X(CELL, RK_KEY("cell", COUNT, "of a notebook, in which it stands, from 1 on"))                                     \
    X(OUTPUT, RK_KEY("output", TRUTH, "of that cell: in what it printed, not in its source"))                          \
    X(CAUSE, RK_KEY("cause", COUNT, "the claim, from 0 on, whose wrong figure it states again, or was computed from",  \
                    .json = true))
RK_FIELD_TABLE(claim_field, N_CLAIM, CLAIM_FIELDS);
static const rk_fields claim_fields = {claim_field, N_CLAIM};

#define OPEN_FIELDS(X)                                                                                                 \
    X(OPEN_LINE, RK_KEY("line", COUNT, "where it stands, from 1 on; in its cell, where it has one"))                   \
    X(OPEN_COLUMN, RK_KEY("column", COUNT, "where in the line, from 1 on"))                                            \
    X(OPEN_TEXT, RK_KEY("text", TEXT, "the figure as it stands there"))                                                \
    X(OPEN_NEAREST, RK_KEY("nearest", TEXT, "the quantity of the model that it may be, by its words or its value"))    \
    X(OPEN_VALUE, RK_KEY("value", NOTHING, "of that quantity; a whole number is a count"))                             \
    X(OPEN_CELL, RK_KEY("cell", COUNT, "of a notebook, in which it stands, from 1 on"))                                \
    X(OPEN_OUTPUT, RK_KEY("output", TRUTH, "of that cell: in what it printed, not in its source"))
RK_FIELD_TABLE(open_field, N_OPEN, OPEN_FIELDS);
static const rk_fields open_fields = {open_field, N_OPEN};

#define TAKEN_FIELDS(X)                                                                                                \
    X(TAKEN_NAME, RK_KEY("model", TEXT, "its name"))                                                                   \
    X(TAKEN_LINE, RK_KEY("line", COUNT, "that says so first"))                                                         \
    X(TAKEN_SIZES, RK_KEY("sizes", TEXT, "of the run, where the text gives no others"))                                \
    X(TAKEN_HOLDS, RK_KEY("compared", TRUTH, "enough figures of the text are the model's"))                            \
    X(TAKEN_RIGHT, RK_KEY("right", COUNT, "figures that are, with three digits or more"))                              \
    X(TAKEN_WRONG, RK_KEY("doubtful", COUNT, "figures that are not"))
RK_FIELD_TABLE(taken_field, N_TAKEN, TAKEN_FIELDS);
static const rk_fields taken_fields = {taken_field, N_TAKEN};

#define COUNT_FIELDS(X)                                                                                                \
    X(WRONG, RK_KEY("wrong", COUNT, "claims that do not hold"))                                                        \
    X(SLIP, RK_KEY("slip", COUNT, "claims that are off by less than one of their last digit"))                         \
    X(DOUBTFUL, RK_KEY("doubtful", COUNT, "claims that do not hold as they were read, and may be meant otherwise"))    \
    X(RIGHT, RK_KEY("right", COUNT, "claims that hold"))                                                               \
    X(UNKNOWN, RK_KEY("unknown", COUNT, "claims that are not understood"))                                             \
    X(UNBOUND, RK_KEY("unbound", COUNT, "figures that could be any quantity of the model"))                            \
    X(IGNORED, RK_KEY("ignored", COUNT, "claims that a mark in the text says to ignore"))

#define ANSWER_FIELDS(X)                                                                                               \
    X(FILE_NAME, RK_KEY("file", TEXT, "the account"))                                                                  \
    X(CLAIMS, RK_LIST("claims", claim_fields, "in their order"))                                                       \
    COUNT_FIELDS(X)                                                                                                    \
    X(SKIPPED, RK_KEY("skipped", TEXTS, "what was not read"))                                                          \
    X(OPEN, RK_LIST("open", open_fields, "figures that could be any quantity of the model"))                           \
    X(TAKEN, RK_LIST("models", taken_fields, "models that it speaks of, where none was given"))
RK_FIELD_TABLE(answer_field, N_ANSWER, ANSWER_FIELDS);
const rk_fields rk_answer_check = {answer_field, N_ANSWER};

/* Of several: one such object for each, and the counts of all. */
#define ALL_ID(ID, ...) ALL_##ID,
enum {
    ALL_FILES,
    COUNT_FIELDS(ALL_ID) N_ALL
};
#define ALL_AT(ID, ...) [ALL_##ID] = __VA_ARGS__,
static const rk_field all_field[N_ALL] = {
    [ALL_FILES] = RK_LIST("files", rk_answer_check, "each as if it were alone, in the order in which they were named"),
    COUNT_FIELDS(ALL_AT)};
const rk_fields rk_answer_check_files = {all_field, N_ALL};

/* What people see of claims that are neither right nor wrong. */
#define LIST_FIELDS(X)                                                                                                 \
    X(LIST_LINE, {.head = "line", .kind = RK_CELL_TEXT, .right = true})                                                \
    X(LIST_STATUS, {.head = "", .kind = RK_CELL_TEXT})                                                                 \
    X(LIST_TEXT, {.head = "", .kind = RK_CELL_TEXT, .wraps = true})                                                    \
    X(LIST_NOTE, {.head = "", .kind = RK_CELL_TEXT, .wraps = true, .drop = 1})
RK_FIELD_TABLE(list_field, N_LIST, LIST_FIELDS);

/* Without the name of the file, which is the only one. */
static const size_t alone[] = {LINE, COLUMN, KIND, STATUS, TEXT, STATED, FOUND, NOTE, QUANTITY, FORMULA, CELL, OUTPUT};

/* What is said of one text, or of all. */
typedef struct counts {
    size_t n[RK_N_CLAIM_STATUS], unbound, ignored;
} counts;

typedef struct writing {
    rk_view *v;
    const rk_check_options *o;
    const rk_check_text *text; /* the one that is written … */
    const char *file;          /* … its name, safe to print, */
    const rk_cause *cause;     /* and of each claim */
    size_t *next;              /* the next claim with the same cause, 0: none; of a cause: the first */
} writing;

/* ---- claims ----------------------------------------------------------------------------------------------------- */

static rk_cell kept(rk_view *v, const char *text)
{
    const char *copy = text ? rk_arena_text(&v->arena, text) : NULL;

    return copy ? rk_view_text(copy) : rk_cell_null();
}

/* A whole number as one, anything else as it is written. */
static rk_cell value_cell(rk_view *v, const rk_audit *a, rk_ex value, const char *text)
{
    rk_i128 n;

    if (text && value != RK_EX_FAILED && rk_ex_is_int(a->pool, value, &n))
        return rk_cell_count(n);
    return kept(v, text);
}

static const char *place_of(rk_view *v, const rk_claim *c)
{
    rk_str s = {0};

    rk_prose_put_place(&s, c->cell, c->output, c->line);
    return rk_view_keep(v, &s);
}

static const char *status_for_people(const rk_claim *c)
{
    return c->status == RK_CLAIM_UNKNOWN ? "not understood" : status_word[c->status];
}

static void put_claim(const writing *w, rk_table *t, size_t i)
{
    const rk_audit *a = w->text->audit;
    const rk_claim *c = &a->claim.at[i];
    rk_view *v = w->v;
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[OF_FILE] = rk_view_text(w->file);
    cell[LINE] = rk_cell_count((rk_i128)c->line);
    cell[COLUMN] = rk_cell_count((rk_i128)c->column);
    cell[KIND] = rk_view_text(kind_word[c->kind]);
    cell[STATUS] = rk_cell_for_people(&v->page, rk_view_text(status_word[c->status]), status_for_people(c));
    cell[TEXT] = kept(v, c->text);
    cell[STATED] = value_cell(v, a, c->stated_value, c->stated);
    cell[FOUND] = value_cell(v, a, c->found_value, c->found);
    cell[NOTE] = kept(v, c->note);
    if (c->note)
        cell[NOTE] = rk_cell_for_people(&v->page, cell[NOTE], rk_check_plain(v, rk_view_safe(v, c->note)));
    if (c->quantity) {
        cell[QUANTITY] = kept(v, c->quantity);
        cell[FORMULA] = kept(v, c->formula);
    }
    if (c->cell) {
        cell[LINE] = rk_cell_for_people(&v->page, cell[LINE], place_of(v, c));
        cell[CELL] = rk_cell_count((rk_i128)c->cell);
        cell[OUTPUT] = rk_cell_truth(c->output);
    }
    if (w->cause && w->cause[i].kind != RK_CAUSE_NONE)
        cell[CAUSE] = rk_cell_count((rk_i128)w->cause[i].of);
}

/* ---- remarks ---------------------------------------------------------------------------------------------------- */

/* "lines 14, 20 and 3 more", of the claims with a cause of one kind; NULL: there are none. */
static const char *places(const writing *w, size_t of, rk_cause_kind kind)
{
    const rk_audit *a = w->text->audit;
    const rk_claim *before = &a->claim.at[of];
    bool cells = w->text->source->cell.n > 0;
    rk_str s = {0};
    size_t n = 0;

    for (size_t i = w->next[of]; i != 0; i = w->next[i]) {
        const rk_claim *c = &a->claim.at[i];

        if (w->cause[i].kind != kind ||
            (c->line == before->line && c->cell == before->cell && c->output == before->output))
            continue;
        before = c;
        if (n++ >= PLACES_MOST)
            continue;
        rk_str_put(&s, n == 1 ? "" : cells ? "; " : ", ");
        if (cells)
            rk_prose_put_place(&s, c->cell, c->output, c->line);
        else
            rk_str_format(&s, "%zu", c->line);
    }
    if (n > PLACES_MOST)
        rk_str_format(&s, " and %zu more", n - PLACES_MOST);
    if (n == 0)
        return NULL;
    return rk_view_format(w->v, "%s%s", cells ? "" : n == 1 ? "line " : "lines ", rk_view_keep(w->v, &s));
}

/* What a wrong claim, or one that is off a little, says and what holds; a sum's note has both. */
static void put_remark(const writing *w, size_t i)
{
    const rk_claim *c = &w->text->audit->claim.at[i];
    const char *also = places(w, i, RK_CAUSE_SAME), *follows = places(w, i, RK_CAUSE_FOLLOWS);
    rk_page *p = &w->v->page;

    rk_page_gap(p);
    rk_page_put(p, RK_ITEM_HEADING, 0, "%s%s%s, column %zu%s", w->o->n > 1 ? w->file : "", w->o->n > 1 ? ", " : "",
                place_of(w->v, c), c->column, c->status == RK_CLAIM_SLIP ? ": off in the last digit" : "");
    rk_check_quote(w->v, w->text, c);
    rk_page_put(p, RK_ITEM_LINE, 1, "%s", rk_check_remark(w->v, c));
    if (also)
        rk_page_put(p, RK_ITEM_LINE, 1, "also %s", also);
    if (follows)
        rk_page_put(p, RK_ITEM_LINE, 1, "what follows from it: %s", follows);
}

/* A remark for each cause.  Claims that another explains are named there. */
static void put_remarks(const writing *w)
{
    const rk_audit *a = w->text->audit;

    for (size_t i = 0; i < a->claim.n; i++) {
        bool bad = a->claim.at[i].status == RK_CLAIM_WRONG || a->claim.at[i].status == RK_CLAIM_SLIP;

        if (bad && w->cause[i].kind == RK_CAUSE_NONE)
            put_remark(w, i);
    }
}

/* Claims of which nothing is said for certain: the first ones, and how to see the others. */
static void put_open(const writing *w)
{
    const rk_audit *a = w->text->audit;
    size_t most = a->n_status[RK_CLAIM_DOUBTFUL] + a->n_status[RK_CLAIM_UNKNOWN], n = 0;
    rk_view *v = w->v;
    rk_table *t;

    if (most == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s:",
                a->n_status[RK_CLAIM_UNKNOWN] == 0    ? "Doubtful"
                : a->n_status[RK_CLAIM_DOUBTFUL] == 0 ? "Not understood"
                                                      : "Doubtful, or not understood");
    t = rk_page_table(&v->page, list_field, N_LIST);
    for (size_t i = 0; i < a->claim.n && n < LIST_MOST; i++) {
        const rk_claim *c = &a->claim.at[i];
        rk_cell *cell;

        if (c->status != RK_CLAIM_DOUBTFUL && c->status != RK_CLAIM_UNKNOWN)
            continue;
        n++;
        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[LIST_LINE] = c->cell ? rk_view_text(place_of(v, c)) : rk_cell_count((rk_i128)c->line);
        if (a->n_status[RK_CLAIM_UNKNOWN] && a->n_status[RK_CLAIM_DOUBTFUL])
            cell[LIST_STATUS] = rk_view_text(status_for_people(c));
        cell[LIST_TEXT] = kept(v, c->text);
        if (c->note)
            cell[LIST_NOTE] = rk_view_text(rk_check_plain(v, rk_view_safe(v, c->note)));
    }
    if (n < most)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "… and %zu more: --all lists every claim.", most - n);
}

/* ---- counts ----------------------------------------------------------------------------------------------------- */

static void count(const rk_audit *a, counts *to)
{
    for (int i = 0; i < RK_N_CLAIM_STATUS; i++)
        to->n[i] += a->n_status[i];
    to->unbound += a->open.n;
    to->ignored += a->n_ignored;
}

static void put_counts(const counts *c, rk_cell *wrong)
{
    rk_cell *cell = wrong - WRONG; /* these keys stand in one order in both answers */

    cell[WRONG] = rk_cell_count((rk_i128)c->n[RK_CLAIM_WRONG]);
    cell[SLIP] = rk_cell_count((rk_i128)c->n[RK_CLAIM_SLIP]);
    cell[DOUBTFUL] = rk_cell_count((rk_i128)c->n[RK_CLAIM_DOUBTFUL]);
    cell[RIGHT] = rk_cell_count((rk_i128)c->n[RK_CLAIM_RIGHT]);
    cell[UNKNOWN] = rk_cell_count((rk_i128)c->n[RK_CLAIM_UNKNOWN]);
    cell[UNBOUND] = rk_cell_count((rk_i128)c->unbound);
    cell[IGNORED] = rk_cell_count((rk_i128)c->ignored);
}

/* "2 wrong, 8 right, 1 not understood": what there is none of is not named, but for the first two. */
static const char *said(rk_view *v, const counts *c)
{
    static const struct {
        rk_claim_status status;
        const char *words;
    } class[] = {{RK_CLAIM_WRONG, "wrong"},
                 {RK_CLAIM_SLIP, "off in the last digit"},
                 {RK_CLAIM_DOUBTFUL, "doubtful"},
                 {RK_CLAIM_RIGHT, "right"},
                 {RK_CLAIM_UNKNOWN, "not understood"}};
    size_t claims = 0;
    rk_str s = {0};

    for (int i = 0; i < RK_N_CLAIM_STATUS; i++)
        claims += c->n[i];
    for (size_t i = 0; claims > 0 && i < sizeof class / sizeof *class; i++)
        if (c->n[class[i].status] || class[i].status <= RK_CLAIM_WRONG)
            rk_str_format(&s, "%s%zu %s", s.n ? ", " : "", c->n[class[i].status], class[i].words);
    rk_str_put(&s, claims == 0 ? "nothing in it that could be checked" : "");
    if (c->unbound)
        rk_str_format(&s, "; %zu figure%s left open", c->unbound, c->unbound > 1 ? "s" : "");
    if (c->ignored)
        rk_str_format(&s, "; %zu ignored", c->ignored);
    return rk_view_keep(v, &s);
}

/* ---- the document ----------------------------------------------------------------------------------------------- */

static const char *place_at(const writing *w, uint32_t at)
{
    rk_prose_walk walk = {0};
    rk_prose_place p = rk_prose_find(w->text->source, at, &walk);
    rk_str s = {0};

    rk_prose_put_place(&s, p.cell, p.output, p.line);
    return rk_view_keep(w->v, &s);
}

/* Which models the text was taken to speak of, and which it only names. */
static void put_taken(const writing *w)
{
    const rk_takens *t = w->text->taken;
    rk_page *p = &w->v->page;
    const char *first = NULL;
    rk_str named = {0};

    if (t->n > 0 || t->unknown)
        rk_page_gap(p);
    for (size_t i = 0; i < t->n; i++) {
        const rk_taken *x = &t->at[i];

        if (x->holds) {
            rk_page_put(p, RK_ITEM_LINE, 0, "Taken as %s%s%s, from %s%s: %zu figure%s its own, %zu not.", x->name,
                        x->sizes[0] ? ", " : "", x->sizes, place_at(w, x->at), x->said ? ", by its sizes" : "",
                        x->result.n_right, x->result.n_right == 1 ? " is" : "s are", x->result.n_wrong);
        } else {
            rk_str_format(&named, "%s%s (%s)", named.n ? ", " : "", x->name, place_at(w, x->at));
            first = first ? first : x->name;
        }
    }
    if (first)
        rk_page_put(p, RK_ITEM_LINE, 0,
                    "It speaks of %s; too few figures there are such a model's to say more.  --model %s compares all.",
                    rk_view_keep(w->v, &named), first);
    if (t->unknown)
        rk_page_put(p, RK_ITEM_LINE, 0, "Its sizes (%s, %s) are those of no model that is known by name.", t->unknown,
                    place_at(w, t->unknown_at));
}

/* Figures of which it is not clear what of the model they are, each with what is nearest. */
static void put_left_open(const writing *w)
{
    const rk_audit *a = w->text->audit;
    size_t most = w->o->all ? a->open.n : LIST_MOST;
    rk_view *v = w->v;
    rk_table *t;

    if (a->open.n == 0 || w->o->annotate) /* in place, each has its note */
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "Left open, as it is not clear which quantity of %s is meant; the nearest:",
                w->o->model ? rk_view_safe(v, w->o->model) : "the model");
    t = rk_page_table(&v->page, list_field, N_LIST);
    for (size_t i = 0; i < a->open.n && i < most; i++) {
        const rk_claim *c = &a->open.at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[LIST_LINE] = c->cell ? rk_view_text(place_of(v, c)) : rk_cell_count((rk_i128)c->line);
        cell[LIST_TEXT] = kept(v, c->text);
        if (c->quantity)
            cell[LIST_NOTE] = rk_view_text(rk_check_nearest(v, c));
    }
    if (a->open.n > most)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "… and %zu more: --all lists all.", a->open.n - most);
}

/* With a model: what was read, and is not said to be right or wrong; and what was not read. */
static void put_rest(const writing *w)
{
    const rk_audit *a = w->text->audit;
    rk_page *p = &w->v->page;

    put_left_open(w);
    put_taken(w);
    if (a->skipped.n > 0)
        rk_page_gap(p);
    for (size_t i = 0; i < a->skipped.n; i++)
        rk_page_put(p, RK_ITEM_LINE, 0, "Not read: %s.", a->skipped.at[i]);
}

/* Lists of the claims that have a cause, by it, in their order. */
static void chain_causes(writing *w)
{
    size_t n = w->text->audit->claim.n;
    size_t *last = RK_NEW_ARRAY(&w->v->arena, n + 1, size_t);

    w->next = RK_NEW_ARRAY(&w->v->arena, n + 1, size_t);
    for (size_t i = 0; last && w->next && i < n; i++)
        if (w->cause[i].kind != RK_CAUSE_NONE) {
            size_t of = w->cause[i].of;

            w->next[last[of] ? last[of] : of] = i;
            last[of] = i;
        }
}

static void put_open_row(const writing *w, rk_table *t, const rk_claim *c)
{
    rk_cell *cell = rk_page_row(&w->v->page, t, RK_ROW_PLAIN, 0);

    cell[OPEN_LINE] = rk_cell_count((rk_i128)c->line);
    cell[OPEN_COLUMN] = rk_cell_count((rk_i128)c->column);
    cell[OPEN_TEXT] = kept(w->v, c->text);
    cell[OPEN_NEAREST] = kept(w->v, c->quantity);
    cell[OPEN_VALUE] = value_cell(w->v, w->text->audit, c->found_value, c->found);
    if (c->cell) {
        cell[OPEN_CELL] = rk_cell_count((rk_i128)c->cell);
        cell[OPEN_OUTPUT] = rk_cell_truth(c->output);
    }
}

static void put_taken_row(const writing *w, rk_table *t, const rk_taken *x)
{
    rk_view *v = w->v;
    rk_prose_walk walk = {0};
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[TAKEN_NAME] = rk_view_text(rk_arena_text(&v->arena, x->name));
    cell[TAKEN_LINE] = rk_cell_count((rk_i128)rk_prose_find(w->text->source, x->at, &walk).line);
    cell[TAKEN_SIZES] = rk_view_text(rk_arena_text(&v->arena, x->sizes ? x->sizes : ""));
    cell[TAKEN_HOLDS] = rk_cell_truth(x->holds);
    cell[TAKEN_RIGHT] = rk_cell_count((rk_i128)x->result.n_right);
    cell[TAKEN_WRONG] = rk_cell_count((rk_i128)x->result.n_wrong);
}

static void put_answer(const writing *w, rk_cell *answer, rk_table **list)
{
    const rk_audit *a = w->text->audit;
    counts c = {.n = {0}};
    const char **skipped = RK_NEW_ARRAY(&w->v->arena, a->skipped.n + 1, const char *);

    rk_table *open = rk_cell_list(&w->v->page, &answer[OPEN], &open_fields);
    rk_table *taken = rk_cell_list(&w->v->page, &answer[TAKEN], &taken_fields);

    for (size_t i = 0; i < a->open.n; i++)
        put_open_row(w, open, &a->open.at[i]);
    for (size_t i = 0; i < w->text->taken->n; i++)
        put_taken_row(w, taken, &w->text->taken->at[i]);
    *list = rk_cell_list(&w->v->page, &answer[CLAIMS], &claim_fields);
    if (w->o->n == 1) {
        (*list)->pick = alone;
        (*list)->n_pick = sizeof alone / sizeof *alone;
    }
    for (size_t i = 0; skipped && i < a->skipped.n; i++)
        skipped[i] = rk_arena_text(&w->v->arena, a->skipped.at[i]);
    count(a, &c);
    answer[FILE_NAME] = rk_view_text(w->file);
    put_counts(&c, &answer[WRONG]);
    if (skipped)
        answer[SKIPPED] = rk_cell_texts(skipped, a->skipped.n);
    for (size_t i = 0; i < a->claim.n; i++)
        put_claim(w, *list, i);
}

static void put_text(writing *w, rk_cell *answer)
{
    const rk_audit *a = w->text->audit;
    rk_view *v = w->v;
    rk_cause *cause = NULL;
    rk_table *list;
    counts c = {.n = {0}};

    v->code = rk_causes_find(&v->arena, a, &cause, v->err);
    w->cause = cause;
    chain_causes(w);
    if (v->code != RK_OK || !w->next)
        return;
    put_answer(w, answer, &list);
    count(a, &c);
    if (w->o->n > 1) {
        rk_page_gap(&v->page);
        rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s: %s", w->file, said(v, &c));
    }
    if (w->o->annotate) {
        rk_page_gap(&v->page);
        rk_check_annotate(v, w->text);
    } else {
        put_remarks(w);
    }
    if (!w->o->all && !w->o->annotate)
        put_open(w);
    if (w->o->all && a->claim.n > 0)
        rk_page_gap(&v->page);
    rk_page_show(&v->page, list);
    if (!w->o->all)
        rk_page_only(&v->page, RK_FOR_PROGRAMS);
    put_rest(w);
}

int rk_report_check(const rk_report *r, const rk_check_options *o, size_t total[RK_N_CLAIM_STATUS], rk_err *err)
{
    rk_view v;
    rk_check_text text = {0};
    writing w = {.v = &v, .o = o, .text = &text};
    rk_cell *answer;
    rk_table *files = NULL;
    counts all = {.n = {0}};

    rk_view_begin(&v, r, NULL, err);
    v.page.whole = true;
    answer = rk_page_answer(&v.page, o->n > 1 ? &rk_answer_check_files : &rk_answer_check);
    if (o->n > 1)
        files = rk_cell_list(&v.page, &answer[ALL_FILES], &rk_answer_check);
    rk_page_put(&v.page, RK_ITEM_TITLE, 0, "check"); /* what is in it is known in the end */
    for (size_t i = 0; i < o->n && v.code == RK_OK; i++) {
        v.code = o->next(o->self, i, &text, err);
        if (v.code != RK_OK)
            break;
        w.file = rk_view_safe(&v, text.file);
        count(text.audit, &all);
        put_text(&w, files ? rk_page_row(&v.page, files, RK_ROW_PLAIN, 0) : answer);
    }
    if (files)
        put_counts(&all, &answer[ALL_WRONG]);
    if (v.code == RK_OK && v.page.item.n > 0)
        v.page.item.at[0].text = o->n > 1 ? rk_view_format(&v, "%zu texts: %s", o->n, said(&v, &all))
                                          : rk_view_format(&v, "%s: %s", w.file, said(&v, &all));
    memcpy(total, all.n, sizeof all.n);
    return rk_view_end(&v);
}

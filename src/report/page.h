/* SPDX-License-Identifier: MIT */
/*
 * report/page.h - a document before it has a format: the answer, key by key, and the page that shows it to people.
 *
 * Stage   ledger -> [report] -> document -> [a writer] -> bytes.
 * Uses    base/, expr/, read/doc.h, report/svg.h (themes).
 * Memory  everything in a document lives in its arena; formulas in the pool of the view.
 * Threads one document, one thread.
 *
 * The answer is an object of typed cells.  Which keys it has, of which kind, and what they mean is declared once, in a
 * table of fields: the JSON writer walks it, and a schema is made of it.  The page is a list of items in the order in
 * which people read them: sentences, equations, pictures, and tables, whose columns are fields, too; a table may be a
 * list of the answer, only be shown, or both.  Writers for people draw the page; CSV takes the tables out of it.
 * Nothing else knows a format: a new one is one file and a row of RK_FORMATS.  Failure is sticky: put freely, ask once.
 */
#ifndef RK_REPORT_PAGE_H
#define RK_REPORT_PAGE_H

#include "base/arena.h"
#include "base/vec.h"
#include "expr/expr.h"
#include "read/doc.h"
#include "report/svg.h"

typedef enum rk_cell_kind {
    RK_CELL_NOTHING, /* programs find no such key */
    RK_CELL_NULL,    /* programs: null; people: nothing */
    RK_CELL_TEXT,
    RK_CELL_CODE,   /* names and lines of a model file */
    RK_CELL_TRUTH,  /* number: 0 or 1 */
    RK_CELL_COUNT,  /* 1,024; programs: 1024 */
    RK_CELL_REAL,   /* an estimate, to people with three digits */
    RK_CELL_DIGITS, /* text: a number as it is written */
    RK_CELL_SHARE,  /* number of whole: 12.5%; programs: 0.125 */
    RK_CELL_BAR,    /* the same as a bar, as long as its column allows */
    RK_CELL_FORMULA,
    RK_CELL_SHAPE, /* 1,600 × 4,800; CSV: 1600x4800; JSON: a list */
    RK_CELL_TEXTS, /* several, with commas between; JSON: a list */
    RK_CELL_VALUE, /* of a config, whatever it is */
    RK_CELL_CELLS, /* one for each of several things, a model or a dimension; JSON: a list */
    RK_CELL_OBJECT,
    RK_CELL_LIST, /* a table: of objects */
    RK_N_CELL
} rk_cell_kind;

struct rk_table;
struct rk_fields;

#define RK_UNIT_SAID " " /* the unit of a number that stands beside it in words: a prefix alone, 70.3 T */

typedef struct rk_cell {
    rk_cell_kind kind;
    const char *text;
    const char *brief;            /* TEXT, CODE: a shorter text for narrow paper, or NULL */
    const struct rk_cell *people; /* what people see instead, or NULL */
    rk_i128 number, whole;
    double real;
    const char *unit; /* COUNT, TEXT: where numbers are rounded, `number` is, in this unit; NULL: see its column */
    rk_ex formula;
    bool simple; /* FORMULA: it is shown in its simplest form, found when it is shown */
    int style;   /* FORMULA: RK_PRINT_FACTORED or 0; REAL: digits for programs */
    size_t most; /* FORMULA: with more terms than these people see "(12 terms)"; 0: never */
    union {
        const rk_binding *at; /* FORMULA: numbers in place of its symbols, or NULL */
        const rk_i128 *size;  /* SHAPE */
        const char *const *texts;
        const rk_doc *value;
        struct rk_cell *cell; /* OBJECT: one for each of its fields; CELLS */
        struct rk_table *table;
    };
    union {
        size_t n;                   /* SHAPE, TEXTS, CELLS */
        const struct rk_fields *of; /* OBJECT */
    };
} rk_cell;

/* A key of an object, or a column of a table: the one place that names it. */
typedef struct rk_field {
    const char *head;           /* for people; NULL: the column is for programs alone */
    const char *key;            /* its name for programs; NULL: it is for people alone */
    const char *text;           /* what it is, for the schema */
    rk_cell_kind kind;          /* CELLS are of the kind of each, and `many` */
    const struct rk_fields *in; /* OBJECT, LIST: of its objects; else NULL */
    bool many;
    bool csv;         /* in CSV alone, not in JSON */
    bool json;        /* in JSON alone, not in CSV */
    bool right;       /* aligned to the right: numbers */
    bool wraps;       /* where it is too wide, a cell goes on in a next line */
    bool typed;       /* its cells can be typed: options, lines of a command */
    bool joins;       /* a text that would leave it out puts it into the column before it instead */
    const char *unit; /* of its counts where they are rounded: "B", "FLOP", "" for things; NULL: they are exact */
    int drop;         /* where the paper is too narrow, columns are left out in this order, 1 first; 0: never */
} rk_field;

typedef struct rk_fields {
    const rk_field *at;
    size_t n;
} rk_fields;

/*
 * The fields of most tables: a key for programs alone, a column that both see, an object or a list of the answer.  What
 * it is for the schema comes last, and after it whatever else is said of a column: .right = true, .drop = 1.
 */
/* clang-format off */
#define RK_KEY(name, KIND, ...) {.key = name, .kind = RK_CELL_##KIND, .text = __VA_ARGS__}
#define RK_COLUMN(title, name, KIND, ...) {.head = title, .key = name, .kind = RK_CELL_##KIND, .text = __VA_ARGS__}
#define RK_OBJECT(name, fields, ...) {.key = name, .kind = RK_CELL_OBJECT, .in = &fields, .text = __VA_ARGS__}
#define RK_LIST(name, fields, ...) {.key = name, .kind = RK_CELL_LIST, .in = &fields, .text = __VA_ARGS__}

/* A table whose cells have names: ROWS(X) is X(ID, a field) for each.  This makes the enum of the IDs, and the fields. */
#define RK_FIELD_ID(ID, ...) ID,
#define RK_FIELD_AT(ID, ...) [ID] = __VA_ARGS__,
#define RK_FIELD_TABLE(table, N, ROWS) \
    enum { ROWS(RK_FIELD_ID) N }; \
    static const rk_field table[N] = {ROWS(RK_FIELD_AT)}
/* clang-format on */

typedef enum rk_row_kind {
    RK_ROW_PLAIN,
    RK_ROW_PART,  /* the sum of the rows below it that are indented further; not for programs, which can add up */
    RK_ROW_TOTAL, /* ruled off from the rows before it, where those are no totals; not for programs either */
    RK_ROW_REST   /* for programs alone: people see the larger ones, and a PART that sums these up */
} rk_row_kind;

typedef struct rk_row {
    rk_row_kind kind;
    int indent; /* of its first cell */
    rk_cell *cell;
    bool ruled; /* a rule stands before it, whatever it is */
} rk_row;

/* Takes a row that is made now, and seen by nobody afterwards. */
typedef void rk_row_taker(void *self, const rk_cell *cell);

/*
 * Who takes the rows of a list that no memory holds.  `row` writes one as text, of counts and estimates alone, and may
 * be called by any thread; `put` takes such texts, in the order of the rows.
 */
typedef struct rk_stream {
    void (*row)(const struct rk_table *t, const rk_cell *cell, rk_str *out);
    int (*put)(void *self, const char *text, size_t n, rk_err *err);
    const struct rk_table *table;
    void *self;
} rk_stream;

typedef struct rk_table {
    const rk_field *column;
    size_t n_column;
    RK_VEC(rk_row) row;
    bool sums;          /* JSON has the rows of kind PART, too */
    bool main;          /* what the page is about: a paper takes it alone; where no table is, that is the first one */
    const size_t *pick; /* CSV: the columns that --columns names, in its order; NULL: all */
    size_t n_pick;
    /* For a list that is long: makes rows, which come before those that it has, one by one for who writes it.  What is
     * in the cells may be gone with the row: a page that shows the list keeps copies. */
    void (*make)(void *self, rk_cell *cell, rk_row_taker *take, void *taker);
    /* The same for one that is longer than memory, and has any number of columns. */
    int (*stream)(void *self, const rk_stream *to, rk_err *err);
    void *self;
} rk_table;

typedef enum rk_item_kind {
    RK_ITEM_TITLE, /* once, first */
    RK_ITEM_HEADING,
    RK_ITEM_LINE,     /* a sentence */
    RK_ITEM_LIST,     /* a sentence of things between commas, each of which is better not broken */
    RK_ITEM_WARNING,  /* a sentence about what may be meant otherwise */
    RK_ITEM_NOTE,     /* a sentence in small print */
    RK_ITEM_CODE,     /* a line of a model file, or of a text with marks */
    RK_ITEM_EQUATION, /* left = cell = value (note); without a left side it goes on from the one before */
    RK_ITEM_TABLE,
    RK_ITEM_PICTURE, /* what it shows stands in a table beside it, or in the words below it: not all writers draw */
    RK_ITEM_GAP
} rk_item_kind;

/* What a page is drawn on. */
typedef struct rk_paper {
    size_t columns;     /* TEXT: 0: unknown, which is 140; fewer than 20 are 20 */
    bool colour;        /* TEXT: with the escape sequences of a terminal */
    rk_svg_theme theme; /* SVG */
} rk_paper;

/* A picture before it is drawn. */
typedef struct rk_picture {
    const void *data;
    void (*svg)(const void *data, rk_svg_theme theme, rk_str *out);
    void (*text)(const void *data, const rk_paper *paper, rk_str *out); /* NULL: a terminal shows none */
} rk_picture;

/* Who sees an item, where not all do; each a bit. */
enum {
    RK_FOR_PROGRAMS = 1, /* writers that take tables apart */
    RK_FOR_PICTURES = 2  /* writers that draw all pictures */
};

/* What is said of a piece of a text that somebody wrote. */
typedef enum rk_mark {
    RK_MARK_NONE,
    RK_MARK_RIGHT,
    RK_MARK_WRONG,
    RK_MARK_SLIP,
    RK_MARK_DOUBTFUL,
    RK_MARK_UNKNOWN,
    RK_N_MARK
} rk_mark;

typedef struct rk_marked_span {
    const char *text; /* this and the note: safe to print */
    rk_mark mark;
    const char *note; /* or NULL */
} rk_marked_span;

typedef struct rk_item {
    rk_item_kind kind;
    int only;     /* RK_FOR_…; 0: all */
    bool assumes; /* what its numbers are of, which goes where its table goes */
    int indent;
    const char *text; /* EQUATION: the left side, or NULL; PICTURE: its caption; else the text, but for TABLE and GAP */
    const char *note; /* EQUATION, CODE: a remark after it, or NULL; this and the text: safe to print */
    const rk_marked_span
        *span; /* CODE: a line of somebody's text, of which this is said; its text is then that of all of them */
    size_t n_span;
    const char *label; /* CODE: what stands before such a line: its number, or NULL */
    rk_cell cell;      /* EQUATION */
    rk_cell value;     /* EQUATION: its number, or nothing */
    rk_table *table;
    rk_picture picture;
} rk_item;

#define RK_PAGE_COLUMNS_MAX 64 /* of a table, and keys of an object */
#define RK_PAGE_FORMS 32       /* the totals of a page, each of which several of its lines show */

/* Who takes what was written, and empties it, while more is written; nobody where `take` is NULL. */
typedef struct rk_drain {
    int (*take)(void *self, rk_str *out, rk_err *err);
    void *self;
} rk_drain;

typedef struct rk_page {
    rk_arena *arena;
    rk_pool *pool;
    rk_cell answer; /* an OBJECT, or nothing */
    RK_VEC(rk_item) item;
    const char *no_picture; /* why there is none, or NULL */
    const char *too_wide;   /* why people cannot be shown this page, or NULL: they can */
    rk_paper paper;
    bool whole;          /* its sentences and equations are what it is about: a paper takes all of it */
    const char *columns; /* --columns: those of tables that are shown, with commas between; NULL: all */
    bool csv_raw;        /* in CSV: what begins as a formula of a spreadsheet does is left so */
    rk_drain drain;
    bool failed; /* memory ran out */
    int code;    /* of a writer that failed otherwise; the first one stays */
    rk_err *err;
    struct {
        rk_ex of, is;
    } form[RK_PAGE_FORMS]; /* simplest forms already found, each in the slot of its number */
    rk_table no_table;     /* what is handed out where memory ran out */
    rk_cell no_cell[RK_PAGE_COLUMNS_MAX];
} rk_page;

void rk_page_put(rk_page *p, rk_item_kind kind, int indent, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void rk_page_gap(rk_page *p);
void rk_page_code(rk_page *p, int indent, const char *code, const char *note);
/* A line of somebody's text; its pieces are borrowed, and safe to print. */
void rk_page_marked(rk_page *p, int indent, const char *label, const rk_marked_span *span, size_t n);
void rk_page_equation(rk_page *p, int indent, const char *left, rk_cell cell, const char *note);
void rk_page_equation_value(rk_page *p, int indent, const char *left, rk_cell cell, rk_cell value);
void rk_page_picture(rk_page *p, rk_picture picture, const char *caption); /* its data must outlive the page */
void rk_page_only(rk_page *p, int who);                    /* the item put last: RK_FOR_… alone see it */
void rk_page_only_from(rk_page *p, size_t first, int who); /* the same of all items from one on */

void rk_page_assumes(rk_page *p); /* the item put last says what the numbers are of */

/* A table with these columns, which must outlive the page, shown here; never NULL. */
rk_table *rk_page_table(rk_page *p, const rk_field *column, size_t n_column);

/* The answer: the cells of an object with these fields, all nothing; never NULL. */
rk_cell *rk_page_answer(rk_page *p, const rk_fields *of);

/* Puts an object, or a list, into a cell; the cells of the object, never NULL; the list, not yet shown, never NULL. */
rk_cell *rk_cell_object(rk_page *p, rk_cell *in, const rk_fields *of);
rk_table *rk_cell_list(rk_page *p, rk_cell *in, const rk_fields *of);

/* Likewise several cells, at most RK_PAGE_COLUMNS_MAX. */
rk_cell *rk_cell_cells(rk_page *p, rk_cell *in, size_t n);

/* Puts an object whose keys are names of the model or of the line; its cells, and the keys, are borrowed. */
void rk_cell_names(rk_page *p, rk_cell *in, const char *const *key, rk_cell *cell, size_t n);

/* Shows a list at this place of the page. */
void rk_page_show(rk_page *p, rk_table *t);

/* The cells of a new row, all nothing; never NULL: cells that no one sees where memory ran out. */
rk_cell *rk_page_row(rk_page *p, rk_table *t, rk_row_kind kind, int indent);

rk_cell rk_cell_text(rk_page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
rk_cell rk_cell_code(const char *text); /* borrowed */
rk_cell rk_cell_count(rk_i128 n);
rk_cell rk_cell_amount(rk_i128 n, const char *unit); /* a count that may be rounded, in this unit */
rk_cell rk_cell_share(rk_i128 n, rk_i128 whole);
rk_cell rk_cell_bar(rk_i128 n, rk_i128 whole);
rk_cell rk_cell_formula(rk_ex e, int style);
rk_cell rk_cell_truth(bool truth);
rk_cell rk_cell_null(void);
rk_cell rk_cell_known(const char *text); /* as rk_cell_name; null where it is NULL */
rk_cell rk_cell_dash(void);              /* null, and people see that there is nothing: – */

/* One for programs, and another one for people: a count, and "tied" or +1,024. */
rk_cell rk_cell_both(rk_page *p, rk_cell programs, rk_cell people);
rk_cell rk_cell_for_people(rk_page *p, rk_cell cell,
                           const char *text);    /* people see that text, borrowed, if there is one */
rk_cell rk_cell_name(const char *text);          /* a text for programs, borrowed as it is; nothing where it is NULL */
#define RK_REAL_DIGITS 10                        /* of an estimate, for programs */
rk_cell rk_cell_real(double x, int digits);      /* null where it is no number */
rk_cell rk_cell_count_if(bool known, rk_i128 n); /* null where it is not known */
rk_cell rk_cell_digits(const char *digits);      /* borrowed */
rk_cell rk_cell_shape(const rk_i128 *size, size_t n); /* borrowed, as the next two */
rk_cell rk_cell_texts(const char *const *text, size_t n);
rk_cell rk_cell_value(const rk_doc *value);

/* The simplest form of an expression of the page's pool. */
rk_ex rk_page_form(rk_page *p, rk_ex e);

/* Makes the page what one writer shows: items that are for RK_FOR_… alone stay where it is one of those; formulas get
 * their form, and unless it is a writer for programs, cells become what people see of them. */
void rk_page_settle(rk_page *p, int writer);

/* Leaves the columns that --columns names; a part of the above. */
int rk_page_choose(rk_page *p, bool programs);

/* Hands on what was written, where somebody takes it piece by piece; the page's code. */
int rk_page_drain(rk_page *p, rk_str *out);

/* A text moved into an arena; never NULL: where memory ran out, the arena has failed. */
const char *rk_text_keep(rk_arena *a, rk_str *s);

/* The text of a cell, safe to print; a bar is nothing here. */
void rk_cell_put(const rk_page *p, const rk_cell *c, bool brief, rk_str *out);

/* The same as a text that lives as long as the page. */
const char *rk_cell_shown(const rk_page *p, const rk_cell *c, bool brief);

/* Whether a row is one for programs: no sum of others. */
bool rk_row_is_data(const rk_row *r);

/* Whether people see something in a column: it has a head, and a cell that is not empty. */
bool rk_column_is_seen(const rk_table *t, size_t column);

/* Whether item i is an equation that goes on from the one before: its sign stands below that one's. */
bool rk_page_goes_on(const rk_page *p, size_t i);

/* Whether a rule stands before a row: the first of some totals after other rows. */
bool rk_row_is_ruled(const rk_table *t, size_t row);

/* The least indent of all rows: where nothing else is to the left of it, it says nothing. */
int rk_table_indent(const rk_table *t);

/* ---- writers ------------------------------------------------------------------------------------------------- */

/*
 * X(ID, word, endings, writer, row, TAKES)    word: of --format; endings: of names of files; row: writes one row of a
 *     list, with which a list may be streamed, NULL: this writer needs all rows; TAKES: the PAGE, its TABLES, or
 *     the ANSWER
 */
/* clang-format off */
#define RK_FORMATS(X)                                                           \
    X(TEXT,  "text",  ".txt",          rk_page_text,  NULL,             PAGE)   \
    X(JSON,  "json",  ".json",         rk_page_json,  rk_page_json_row, ANSWER) \
    X(CSV,   "csv",   ".csv",          rk_page_csv,   rk_page_csv_row,  TABLES) \
    X(MD,    "md",    ".md|.markdown", rk_page_md,    NULL,             PAGE)   \
    X(LATEX, "latex", ".tex",          rk_page_latex, NULL,             PAGE)   \
    X(HTML,  "html",  ".html|.htm",    rk_page_html,  NULL,             PAGE)

/* Of documents with one picture. */
#define RK_PICTURE_FORMATS(X) \
    X(SVG,   "svg",   ".svg",          rk_page_svg,   NULL,             PAGE)
/* clang-format on */

typedef enum rk_format {
#define RK_FORMAT_ID(ID, ...) RK_FORMAT_##ID,
    RK_FORMATS(RK_FORMAT_ID)
    RK_PICTURE_FORMATS(RK_FORMAT_ID)
#undef RK_FORMAT_ID
        RK_N_FORMAT
} rk_format;

typedef enum rk_writer_takes {
    RK_WRITER_TAKES_PAGE,
    RK_WRITER_TAKES_TABLES,
    RK_WRITER_TAKES_ANSWER
} rk_writer_takes;

typedef struct rk_writer {
    const char *word, *endings;
    void (*write)(rk_page *p, rk_str *out);
    void (*row)(const rk_table *t, const rk_cell *cell, rk_str *out);
    rk_writer_takes takes;
    bool themed; /* it draws in the theme of the paper; other pictures are as their reader's paper is */
} rk_writer;

extern const rk_writer rk_writers[RK_N_FORMAT];

/* "text|json|…", in the order of rk_format; with formats of pictures, too. */
#define RK_FORMAT_WORD(ID, word, ...) "|" word
#define RK_FORMAT_WORDS (&RK_FORMATS(RK_FORMAT_WORD)[1])
#define RK_PICTURE_FORMAT_WORDS (&RK_FORMATS(RK_FORMAT_WORD) RK_PICTURE_FORMATS(RK_FORMAT_WORD)[1])

/* The format that the name of a file ends in; RK_N_FORMAT: none. */
rk_format rk_format_of_file(const char *name);

void rk_page_text(rk_page *p, rk_str *out);
void rk_page_csv(rk_page *p, rk_str *out);
void rk_page_json(rk_page *p, rk_str *out); /* the answer */
void rk_page_md(rk_page *p, rk_str *out);
void rk_page_latex(rk_page *p, rk_str *out);
void rk_page_html(rk_page *p, rk_str *out); /* a page that stands alone: styles and pictures are in it */
void rk_page_svg(rk_page *p, rk_str *out);  /* the one picture that it has */
void rk_page_csv_row(const rk_table *t, const rk_cell *cell, rk_str *out);
void rk_page_json_row(const rk_table *t, const rk_cell *cell, rk_str *out);

#endif

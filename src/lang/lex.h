/* SPDX-License-Identifier: MIT */
/*
 * lang/lex.h - from the bytes of a model file to tokens, one at a time.
 *
 * Stage   bytes -> [lex] -> parse; used inside of lang/ only.
 * Uses    base/, lang/source.h.
 * Memory  a lexer is a small value: a copy of it looks ahead and is thrown away.  Tokens point into the source.
 * Threads one lexer, one thread.
 *
 * Lines are the parser's business: rk_lex_line goes to the next line that holds a statement and tells how deep it
 * stands; rk_lex then gives its tokens, up to NEWLINE.  Inside (…) and […] line ends are blanks.
 */
#ifndef RK_LANG_LEX_H
#define RK_LANG_LEX_H

#include "lang/ast.h"

/* Words that begin a statement, or a branch of one. */
#define RK_STATEMENT_WORDS(X)                                                                                          \
    X(MODEL, "model")                                                                                                  \
    X(USE, "use")                                                                                                      \
    X(FAMILY, "family")                                                                                                \
    X(CLASSES, "classes")                                                                                              \
    X(LOWER, "lower")                                                                                                  \
    X(LET, "let")                                                                                                      \
    X(RUN, "run")                                                                                                      \
    X(CHOOSE, "choose")                                                                                                \
    X(CHECK, "check")                                                                                                  \
    X(NOTE, "note")                                                                                                    \
    X(INPUT, "input")                                                                                                  \
    X(INCOMING, "incoming")                                                                                            \
    X(TIE, "tie")                                                                                                      \
    X(FROZEN, "frozen")                                                                                                \
    X(BUFFER, "buffer")                                                                                                \
    X(UNUSED, "unused")                                                                                                \
    X(STORED, "stored")                                                                                                \
    X(PART, "part")                                                                                                    \
    X(AT, "at")                                                                                                        \
    X(BLOCK, "block")                                                                                                  \
    X(KEEP, "keep")                                                                                                    \
    X(OUTPUT, "output")                                                                                                \
    X(BESIDE, "beside")                                                                                                \
    X(LOSS, "loss")                                                                                                    \
    X(IF, "if")                                                                                                        \
    X(ELIF, "elif")                                                                                                    \
    X(ELSE, "else")

#define RK_OTHER_WORDS(X)                                                                                              \
    X(TO, "to")                                                                                                        \
    X(AS, "as")                                                                                                        \
    X(OVER, "over")                                                                                                    \
    X(WITHIN, "within")                                                                                                \
    X(WHERE, "where")                                                                                                  \
    X(LAST, "last")                                                                                                    \
    X(OF, "of")                                                                                                        \
    X(IN, "in")                                                                                                        \
    X(AND, "and")                                                                                                      \
    X(OR, "or")                                                                                                        \
    X(NOT, "not")                                                                                                      \
    X(TRUE, "True")                                                                                                    \
    X(FALSE, "False")                                                                                                  \
    X(NONE, "None")

/* Longer marks before those that they begin with. */
#define RK_MARKS(X)                                                                                                    \
    X(ARROW, "->")                                                                                                     \
    X(EQUAL, "==")                                                                                                     \
    X(UNEQUAL, "!=")                                                                                                   \
    X(AT_MOST, "<=")                                                                                                   \
    X(AT_LEAST, ">=")                                                                                                  \
    X(INSTEAD, "??")                                                                                                   \
    X(FLOOR, "//")                                                                                                     \
    X(REST, "..")                                                                                                      \
    X(ASSIGN, "=")                                                                                                     \
    X(LESS, "<")                                                                                                       \
    X(MORE, ">")                                                                                                       \
    X(PLUS, "+")                                                                                                       \
    X(MINUS, "-")                                                                                                      \
    X(TIMES, "*")                                                                                                      \
    X(OVER_MARK, "/")                                                                                                  \
    X(MODULO, "%")                                                                                                     \
    X(COMMA, ",")                                                                                                      \
    X(COLON, ":")                                                                                                      \
    X(BAR, "|")                                                                                                        \
    X(ROUTED, "@")                                                                                                     \
    X(DOT, ".")                                                                                                        \
    X(ROUND_OPEN, "(")                                                                                                 \
    X(ROUND_CLOSE, ")")                                                                                                \
    X(SQUARE_OPEN, "[")                                                                                                \
    X(SQUARE_CLOSE, "]")                                                                                               \
    X(CURLY_OPEN, "{")                                                                                                 \
    X(CURLY_CLOSE, "}")

/* clang-format off */
typedef enum rk_token_kind {
    RK_TOK_END,
    RK_TOK_NEWLINE,
    RK_TOK_BAD, /* its mistake is already noted */
    RK_TOK_NAME,
    RK_TOK_PRIMES, /* ' or '' directly after a name */
    RK_TOK_NUMBER,
    RK_TOK_REAL,
    RK_TOK_TEXT,
    RK_TOK_KEY,    /* $a.b */
    RK_TOK_WEIGHT, /* .a.b or /a.b up to the first { */
    RK_TOK_PIECE,  /* the words of a prefix, and those after a } in a name */
    RK_TOK_PATH,   /* after "use" */
#define X(id, text) RK_TOK_##id,
    RK_STATEMENT_WORDS(X) RK_OTHER_WORDS(X) RK_MARKS(X)
#undef X
    RK_N_TOK
} rk_token_kind;
/* clang-format on */

typedef struct rk_token {
    rk_token_kind kind;
    rk_span span;
    bool space;      /* a blank stands before it */
    bool first;      /* it is the first of a line that goes on inside brackets … */
    uint32_t column; /* … and this is how far that line is indented */
} rk_token;

/* Mistakes of one file on their way to the list: one a line, since the second of a line is mostly made by the first. */
typedef struct rk_notes {
    rk_mistakes *list;
    size_t n;         /* how many were noted */
    const char *line; /* the line of the last one, and its end: asked first, so that a long line costs nothing */
    const char *line_end;
} rk_notes;

typedef struct rk_lexer {
    const rk_source *source;
    rk_notes *notes;
    uint32_t at;
    rk_token_kind before; /* the last token: tells an operand's dot from an operator's slash */
    bool in_axes;         /* set by the parser: numbers are whole, so that 2e1 is twice the axis e1 */
    size_t depth;         /* brackets open */
    uint32_t open[RK_NEST_MAX];
} rk_lexer;

/* Goes to the next line with a statement, or to the end; returns its indentation. */
size_t rk_lex_line(rk_lexer *l);
rk_token rk_lex(rk_lexer *l);

/* The fixed text of a word or a mark; what to call the other kinds. */
const char *rk_token_text(rk_token_kind kind);
bool rk_token_is_word(rk_token_kind kind);
bool rk_token_begins_statement(rk_token_kind kind);

/* Whether a word that begins statements may be a name elsewhere: output, keep, part …, but not if, at, use. */
bool rk_token_may_name(rk_token_kind kind);

rk_span rk_lex_span(const rk_lexer *l, size_t from, size_t to);

/* Always false, so that `return rk_note(…)` reads well. */
bool rk_note(rk_notes *notes, rk_span span, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif

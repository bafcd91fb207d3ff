/* SPDX-License-Identifier: MIT */
/* Commands of LaTeX, and braces. */
#include "audit/lex.h"

#include <string.h>

enum {
    GROUP, /* brackets that are not seen */
    CLEAR, /* the argument of a command that only changes how something looks */
    OVER,  /* of \frac */
    UNDER,
    ROOT, /* of \sqrt */
    BRACE /* of \underbrace */
};

typedef enum action {
    SIGN,
    ABOUT,
    SPACE,
    LOOKS, /* its argument is read as it is */
    TEXT,  /* its argument is text */
    FRACTION,
    ROOTS,
    BRACES, /* with a remark below or above them */
    OVERS,  /* {a \over b} */
    SKIP,   /* with its argument */
    ENTER,
    LEAVE,
    BREAK,
    OPENS, /* a bracket: what is rounded to a whole number */
    CLOSES
} action;

typedef struct command {
    const char *name;
    action does;
    char op;
} command;

/* clang-format off */
static const command commands[] = {
    {"times", SIGN, '*'}, {"cdot", SIGN, '*'}, {"ast", SIGN, '*'}, {"div", SIGN, '/'}, {"over", OVERS, '/'},
    {"approx", ABOUT, 0}, {"simeq", ABOUT, 0}, {"sim", ABOUT, 0}, {"cong", ABOUT, 0}, {"approxeq", ABOUT, 0},
    {"quad", SPACE, 0}, {"qquad", SPACE, 0}, {"left", SPACE, 0}, {"right", SPACE, 0}, {"displaystyle", SPACE, 0},
    {"big", SPACE, 0}, {"Big", SPACE, 0}, {"bigl", SPACE, 0}, {"bigr", SPACE, 0}, {"nonumber", SPACE, 0},
    {"rm", SPACE, 0}, {"bf", SPACE, 0}, {"hline", SPACE, 0}, {"limits", SPACE, 0},
    {"mathbf", LOOKS, 0}, {"boxed", LOOKS, 0}, {"bm", LOOKS, 0}, {"boldsymbol", LOOKS, 0}, {"mathit", LOOKS, 0},
    {"underline", LOOKS, 0}, {"mathcal", LOOKS, 0}, {"fbox", LOOKS, 0}, {"num", LOOKS, 0},
    {"text", TEXT, 0}, {"textbf", TEXT, 0}, {"mathrm", TEXT, 0}, {"textit", TEXT, 0}, {"operatorname", TEXT, 0},
    {"mathsf", TEXT, 0}, {"texttt", TEXT, 0}, {"mbox", TEXT, 0}, {"emph", TEXT, 0}, {"mathtt", TEXT, 0},
    {"frac", FRACTION, 0}, {"dfrac", FRACTION, 0}, {"tfrac", FRACTION, 0}, {"sqrt", ROOTS, 0},
    {"underbrace", BRACES, 0}, {"overbrace", BRACES, 0},
    {"lfloor", OPENS, 'f'}, {"rfloor", CLOSES, 'f'}, {"lceil", OPENS, 'c'}, {"rceil", CLOSES, 'c'},
    {"leq", BREAK, 0}, {"geq", BREAK, 0}, {"le", BREAK, 0}, {"ge", BREAK, 0}, {"lt", BREAK, 0}, {"gt", BREAK, 0},
    {"begin", ENTER, 0}, {"end", LEAVE, 0}, {"tag", SKIP, 0}, {"label", SKIP, 0}, {"color", SKIP, 0},
    {"rightarrow", BREAK, 0}, {"to", BREAK, 0}, {"Rightarrow", BREAK, 0}, {"implies", BREAK, 0}, {"item", BREAK, 0},
    {"longrightarrow", BREAK, 0}, {"section", BREAK, 0}, {"subsection", BREAK, 0},
};
/* clang-format on */

static void skip(rk_audit_lexer *x, uint32_t n)
{
    x->at += n;
    x->space = true;
}

/* "{aligned}" after \begin; a short one, or it is none. */
static void skip_argument(rk_audit_lexer *x)
{
    uint32_t at = x->at;

    while (at < x->to && at < x->at + 64 && x->text[at] != '}' && x->text[at] != '\n')
        at++;
    if (at < x->to && x->text[x->at] == '{' && x->text[at] == '}')
        x->at = at + 1;
    x->space = true;
}

/* Formulas may stand between \begin and \end with no $ around them. */
static void enter(rk_audit_lexer *x, bool leaves)
{
    static const char *const around[] = {"{align", "{equation", "{gather", "{math", "{eqnarray", "{displaymath"};

    static const char *const grid[] = {"{bmatrix", "{pmatrix", "{matrix",      "{vmatrix", "{Bmatrix",
                                       "{array",   "{cases",   "{smallmatrix", "{tikz"};

    for (size_t i = 0; i < sizeof grid / sizeof *grid; i++) /* what stands in rows and columns is no formula */
        if (rk_lex_sees(x, grid[i]))
            rk_lex_put(x, RK_TOKEN_JUNK, 0, 0);
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        if (rk_lex_sees(x, around[i])) {
            if (!leaves && x->n_around++ == 0)
                x->outside = x->mode; /* $$ may stand around it all the same */
            if (leaves && x->n_around > 0)
                x->n_around--;
            x->mode = leaves && x->n_around == 0 ? x->outside : RK_MODE_MATH;
            x->span += !leaves;
        }
    skip_argument(x);
}

/* A frame for the argument that comes; a command without one is a sign that no one knows. */
static void await(rk_audit_lexer *x, uint32_t n, uint8_t frame, rk_audit_token_mode mode)
{
    uint32_t brace = x->at + n;

    while (rk_lex_byte(x, brace) == ' ')
        brace++;
    if (rk_lex_byte(x, brace) != '{' || x->n_frame == RK_LEX_FRAMES_MAX) {
        rk_lex_put(x, frame == CLEAR ? RK_TOKEN_BREAK : RK_TOKEN_JUNK, 0, n);
        return;
    }
    if (frame == OVER)
        rk_lex_put(x, RK_TOKEN_OPEN, '(', 0);
    if (frame == ROOT || frame == BRACE)
        rk_lex_put(x, RK_TOKEN_OPEN, frame == ROOT ? 'r' : '(', 0);
    x->at = brace;
    x->frame[x->n_frame] = frame;
    x->frame_mode[x->n_frame++] = (uint8_t)x->mode;
    if (frame == OVER)
        rk_lex_put(x, RK_TOKEN_OPEN, '{', 0);
    x->at++;
    x->mode = mode;
}

static void act(rk_audit_lexer *x, const command *c, uint32_t n)
{
    rk_audit_token *t;

    if (c->does == SIGN) {
        rk_lex_put(x, RK_TOKEN_SIGN, c->op, n);
    } else if (c->does == OPENS || c->does == CLOSES) {
        rk_lex_put(x, c->does == OPENS ? RK_TOKEN_OPEN : RK_TOKEN_CLOSE, c->op, n);
    } else if (c->does == BREAK) {
        rk_lex_put(x, RK_TOKEN_BREAK, 0, n);
    } else if (c->does == ABOUT) {
        t = rk_lex_put(x, RK_TOKEN_EQUALS, '=', n);
        if (t)
            t->about = true;
    } else if (c->does == LOOKS || c->does == TEXT) {
        await(x, n, CLEAR, c->does == TEXT ? RK_MODE_PLAIN : x->mode);
    } else if (c->does == OVERS) {
        /* {a \over b} is {a}/{b}; outside of braces no one knows where it begins. */
        rk_lex_put(x, x->n_frame > 0 ? RK_TOKEN_CLOSE : RK_TOKEN_JUNK, '{', 0);
        rk_lex_put(x, RK_TOKEN_SIGN, c->op, n);
        rk_lex_put(x, x->n_frame > 0 ? RK_TOKEN_OPEN : RK_TOKEN_JUNK, '{', 0);
    } else if (c->does == FRACTION || c->does == ROOTS) {
        await(x, n, c->does == ROOTS ? ROOT : OVER, x->mode);
    } else if (c->does == BRACES) {
        await(x, n, BRACE, x->mode);
    } else {
        skip(x, n);
        if (c->does == SKIP)
            skip_argument(x);
        else if (c->does != SPACE)
            enter(x, c->does == LEAVE);
    }
}

/* "\\exp", "\\log_2", "\\log_{10}": a function by its name without the stroke; false: none that is known. */
static bool put_function(rk_audit_lexer *x, uint32_t n)
{
    enum {
        SCRIPT_MAX = 5
    };
    uint32_t from = x->at + 1, to = x->at + n, end = to + SCRIPT_MAX;
    unsigned char c;

    if (rk_lex_byte(x, to) == '_')
        for (to++; to < end && (c = rk_lex_byte(x, to)) != 0 && strchr("{}0123456789", c);)
            to++;
    if (!rk_lexicon_is(x->out->lexicon, RK_WORDS_FUNCTION, x->text + from, to - from))
        return false;
    x->at = from;
    rk_lex_put(x, RK_TOKEN_WORD, 0, to - from);
    return true;
}

/* Greek letters and the like are symbols in formulas; what stands outside of them is not known. */
static void put_unknown(rk_audit_lexer *x, uint32_t n)
{
    static const char *const greek[] = {"alpha", "beta", "gamma", "delta", "eta",     "theta", "lambda", "mu",
                                        "rho",   "tau",  "ell",   "kappa", "phi",     "omega", "Delta",  "Omega",
                                        "Psi",   "psi",  "Phi",   "sigma", "epsilon", "Theta", "xi",     "nu"};

    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
        if (strlen(greek[i]) == n - 1 && memcmp(greek[i], x->text + x->at + 1, n - 1) == 0) {
            rk_audit_token *t = rk_lex_put(x, RK_TOKEN_SYMBOL, 0, n);

            if (t)
                t->id = rk_sym_declare(x->pool, greek[i], 0);
            return;
        }
    if (!put_function(x, n))
        rk_lex_put(x, RK_TOKEN_JUNK, 0, n);
}

/* "\," and its kind: a backslash and one character. */
static void put_short(rk_audit_lexer *x)
{
    char c = x->at + 1 < x->to ? x->text[x->at + 1] : ' ';

    if (rk_lex_sees(x, "\\\\(") || rk_lex_sees(x, "\\\\[") || rk_lex_sees(x, "\\\\)") || rk_lex_sees(x, "\\\\]")) {
        x->mode =
            strchr("([", x->text[x->at + 2]) ? RK_MODE_MATH : RK_MODE_PLAIN; /* escaped once more, as in web pages */
        x->span += x->mode == RK_MODE_MATH;
        skip(x, 3);
    } else if (x->mode == RK_MODE_PLAIN && (strchr("=+-_.|~<>*", c) || (x->escapes && strchr("()[]", c)))) {
        x->at++; /* Markdown's: the sign itself comes next */
    } else if (c == '\\') {
        rk_lex_put(x, RK_TOKEN_BREAK, '\n', 2);
    } else if (c == '$') {
        skip(x, 2); /* money */
    } else if (c == '%') {
        rk_lex_put(x, RK_TOKEN_WORD, 0, 2);
    } else if (c == '(' || c == '[') {
        x->mode = RK_MODE_MATH;
        x->span++;
        skip(x, 2);
    } else if (c == ')' || c == ']') {
        x->mode = RK_MODE_PLAIN;
        skip(x, 2);
    } else if (c == '*') {
        rk_lex_put(x, RK_TOKEN_SIGN, '*', 2);
    } else if (strchr(" \n_#&,;:!", c)) {
        skip(x, c == '\n' ? 1 : 2);
    } else {
        rk_lex_put(x, RK_TOKEN_JUNK, 0, (unsigned char)c >= 0x80 ? 1 : 2);
    }
}

/* The "_{\text{weights}}" of "\underbrace{2N}_{\text{weights}}" and of "35_{\text{weights}}": a remark. */
bool rk_lex_skip_script(rk_audit_lexer *x)
{
    enum {
        SCRIPT_MAX = 96
    };
    uint32_t at = x->at, end;
    int depth = 0;

    while (rk_lex_byte(x, at) == ' ')
        at++;
    at += rk_lex_byte(x, at) == '\\'; /* Markdown's */
    if ((rk_lex_byte(x, at) != '_' && rk_lex_byte(x, at) != '^') || rk_lex_byte(x, at + 1) != '{')
        return false;
    for (end = at + 1; end < x->to && end < at + SCRIPT_MAX; end++) {
        depth += x->text[end] == '{' ? 1 : x->text[end] == '}' ? -1 : 0;
        if (depth == 0) {
            x->at = end + 1;
            return true;
        }
    }
    return false;
}

static void close_brace(rk_audit_lexer *x)
{
    uint8_t frame;

    if (x->n_frame == 0) {
        rk_lex_put(x, RK_TOKEN_JUNK, 0, 1);
        return;
    }
    frame = x->frame[--x->n_frame];
    x->mode = x->frame_mode[x->n_frame];
    if (frame == CLEAR) {
        x->at++;
        return;
    }
    rk_lex_put(x, RK_TOKEN_CLOSE, frame == ROOT ? 'r' : frame == BRACE ? '(' : '{', 1);
    if (frame == BRACE) {
        rk_lex_skip_script(x);
    } else if (frame == OVER) {
        rk_lex_put(x, RK_TOKEN_SIGN, '/', 0);
        x->pending = UNDER;
    } else if (frame == UNDER) {
        rk_lex_put(x, RK_TOKEN_CLOSE, '(', 0);
    }
}

/* "512{+}64": a sign in braces, so that no room is left around it. */
static bool put_braced_sign(rk_audit_lexer *x)
{
    char c = rk_lex_byte(x, x->at + 2) == '}' ? (char)rk_lex_byte(x, x->at + 1) : '\0';

    if (c != '+' && c != '-' && c != '/' && c != '=')
        return false;
    rk_lex_put(x, c == '=' ? RK_TOKEN_EQUALS : RK_TOKEN_SIGN, c, 3);
    return true;
}

/* "1{\\times}10^6": a command alone in braces. */
static bool is_around_command(const rk_audit_lexer *x)
{
    uint32_t at = x->at + 2;

    while (rk_lex_is_letter(rk_lex_byte(x, at)))
        at++;
    return x->pending == 0 && rk_lex_byte(x, x->at + 1) == '\\' && at > x->at + 2 && rk_lex_byte(x, at) == '}';
}

static void open_brace(rk_audit_lexer *x)
{
    bool clear = is_around_command(x);

    if (x->pending == 0 && put_braced_sign(x))
        return;
    if (x->n_frame == RK_LEX_FRAMES_MAX) {
        rk_lex_put(x, RK_TOKEN_JUNK, 0, 1);
        return;
    }
    x->frame[x->n_frame] = clear ? CLEAR : x->pending ? x->pending : GROUP;
    x->frame_mode[x->n_frame++] = (uint8_t)x->mode;
    x->pending = 0;
    if (clear)
        x->at++;
    else
        rk_lex_put(x, RK_TOKEN_OPEN, '{', 1);
}

bool rk_lex_command(rk_audit_lexer *x)
{
    const command *known = commands, *end = commands + sizeof commands / sizeof *commands;
    const char *name = x->text + x->at + 1;
    char c = x->text[x->at];
    uint32_t n = 0;

    if (c == '{' || c == '}') {
        (c == '{' ? open_brace : close_brace)(x);
        return true;
    }
    if (c != '\\')
        return false;
    while (rk_lex_is_letter(rk_lex_byte(x, x->at + 1 + n)))
        n++;
    while (known < end && (strlen(known->name) != n || memcmp(known->name, name, n) != 0))
        known++;
    if (n == 0)
        put_short(x);
    else if (known < end)
        act(x, known, n + 1);
    else
        put_unknown(x, n + 1);
    return true;
}

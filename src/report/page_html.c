/* SPDX-License-Identifier: MIT */
/* The writer that makes HTML: a page that stands alone, light or dark as its reader's paper is, fit to be printed. */
#include "report/page.h"

#include "report/svg.h"

#include <string.h>

enum {
    LIST_HEADINGS = 5 /* with as many, a list of them stands before the first */
};

/* The dark paper is that of the pictures. */
static const char style[] =
    ":root{color-scheme:light "
    "dark;--paper:#fff;--ink:#1a1a1a;--faint:#555;--rule:#d5d9df;--tint:#f4f6f8;--bar:#0072b2}\n"
    "@media (prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#ececec;--faint:#a8adb5;--rule:#3a3f47;"
    "--tint:#1f2228;--bar:#56b4e9}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:64rem;padding:2rem 1.25rem 3rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.5 system-ui,'Helvetica Neue',Helvetica,Arial,sans-serif}\n"
    "h1{font-size:1.9rem;line-height:1.2;margin:0 0 1rem;overflow-wrap:anywhere}\n"
    "h2{font-size:1.25rem;line-height:1.3;margin:2.4rem 0 .6rem;padding-top:.7rem;border-top:1px solid var(--rule)}\n"
    "p{margin:.5rem 0;max-width:46rem;overflow-wrap:anywhere}\n"
    "nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:1.2rem 0 0;padding:0;list-style:none}\n"
    "a{color:inherit;text-decoration-color:var(--faint)}\n"
    ".note{color:var(--faint);font-size:.875rem}\n"
    ".wide{overflow-x:auto;margin:.7rem 0}\n"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.18rem .7rem .18rem 0;text-align:left;vertical-align:top;font-weight:inherit}\n"
    "thead>*>*{color:var(--faint);border-bottom:1px solid var(--rule);vertical-align:bottom}\n"
    ".fc{min-width:11rem}\n"
    ".n{text-align:right;white-space:nowrap}\n"
    "tr.part>*{font-weight:600}\n"
    "tr.total>*{font-weight:600}\n"
    "tr.rule>*{border-top:1px solid var(--rule)}\n"
    ".bar{min-width:7rem;width:8rem;padding-top:.5em}\n"
    ".bar span{display:block;height:.7em;min-width:1px;background:var(--bar);print-color-adjust:exact;"
    "-webkit-print-color-adjust:exact}\n"
    "code{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:.92em}\n"
    ".f{font-family:'STIX Two Text','Cambria',Georgia,'Times New Roman',serif;font-size:1.06em}\n"
    ".f i,.f span{white-space:nowrap}\n"
    "sup{line-height:0;font-size:.72em}\n"
    ".eqs{display:grid;grid-template-columns:max-content max-content minmax(0,1fr);gap:.15rem .6rem;margin:.7rem 0}\n"
    ".eqs>div{display:contents}\n"
    "pre{margin:.7rem 0;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;"
    "font:.875rem/1.5 ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}\n"
    ".at{color:var(--faint);user-select:none}\n"
    "mark{background:none;color:inherit;border-bottom:2px solid #009e73}\n"
    "mark.wrong{border-bottom:3px double #d55e00;background:#d55e0026}\n"
    "mark.slip{border-bottom:2px dashed #e69f00}\n"
    "mark.doubtful{border-bottom:2px dotted #cc79a7}\n"
    "mark.unknown{border-bottom:1px dotted var(--faint)}\n"
    "figure{margin:1.2rem 0 1.2rem -1.25rem}\n"
    "figure svg{display:block;width:100%;height:auto}\n"
    "figcaption{color:var(--faint);font-size:.875rem;max-width:46rem}\n"
    "@media print{body{max-width:none;padding:0;font-size:.8rem}nav{display:none}.wide{overflow:visible}"
    "h2{break-after:avoid}figure,tr,.eqs{break-inside:avoid}thead{display:table-header-group}}\n";

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* The plain one of a digit that stands high, as formulas are printed, and its length; 0: it is none. */
static char plain_of(const char *at, size_t *n)
{
    static const char *const high[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻"};

    for (size_t i = 0; i < sizeof high / sizeof *high; i++)
        if (strncmp(at, high[i], strlen(high[i])) == 0) {
            *n = strlen(high[i]);
            return "0123456789-"[i];
        }
    return '\0';
}

/* Functions stand upright, symbols do not. */
static bool is_function(const char *at, size_t n)
{
    static const char *const function[] = {"min", "max", "mod", "floor", "ceil"};

    for (size_t i = 0; i < sizeof function / sizeof *function; i++)
        if (strlen(function[i]) == n && strncmp(at, function[i], n) == 0)
            return true;
    return false;
}

/* A formula as rk_ex_print writes it, symbols slanted, powers raised: 8BSD² becomes 8<i>BSD</i><sup>2</sup>. */
static void put_formula(rk_str *out, const char *at)
{
    rk_str_put(out, "<span class=\"f\">");
    for (size_t n = 0; *at; n = 0) {
        char one[5] = {0};

        if (plain_of(at, &n)) {
            rk_str_put(out, "<sup>");
            for (char c; (c = plain_of(at, &n)); at += n)
                rk_str_put(out, c == '-' ? "−" : (char[]){c, '\0'});
            rk_str_put(out, "</sup>");
            continue;
        }
        n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (n > 0) {
            const char *tag = is_function(at, n) ? "span" : "i";

            rk_str_format(out, "<%s>%.*s</%s>", tag, (int)n, at, tag);
        } else {
            do
                one[n] = at[n];
            while (++n < 4 && ((unsigned char)at[n] & 0xC0) == 0x80);
            rk_svg_put_xml(out, strcmp(one, "-") == 0 ? "−" : one);
        }
        at += n;
    }
    rk_str_put(out, "</span>");
}

/* ---- cells ------------------------------------------------------------------------------------------------------ */

static void put_between(rk_str *out, const char *before, const char *text, const char *after)
{
    rk_str_put(out, before);
    rk_svg_put_xml(out, text);
    rk_str_put(out, after);
}

/* A name may be broken after its dots. */
static void put_name(const rk_page *p, const char *text, rk_str *out)
{
    rk_str_put(out, "<code>");
    while (*text) {
        size_t n = strcspn(text, ".");
        const char *piece = rk_arena_copy(p->arena, text, n + (text[n] == '.'));

        text += n + (text[n] == '.');
        put_between(out, "", piece ? piece : "", *text ? "<wbr>" : "");
    }
    rk_str_put(out, "</code>");
}

static void put_cell(const rk_page *p, const rk_cell *c, rk_str *out)
{
    const char *text = rk_cell_shown(p, c, false);
    rk_cell share = rk_cell_share(c->number, c->whole);

    if (c->kind == RK_CELL_FORMULA)
        put_formula(out, text);
    else if (c->kind == RK_CELL_CODE)
        put_name(p, text, out);
    else if (c->kind != RK_CELL_BAR)
        rk_svg_put_xml(out, text);
    else if (c->number > 0 && c->whole > 0)
        rk_str_format(out, "<span style=\"width:%s\"></span>", rk_cell_shown(p, &share, false));
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static const char *class_of(const rk_field *c, const rk_cell *cell)
{
    if (cell && cell->kind == RK_CELL_BAR)
        return " class=\"bar\"";
    if (cell && cell->kind == RK_CELL_FORMULA)
        return " class=\"fc\"";
    return c->right ? " class=\"n\"" : "";
}

/* What is the same for all rows of a table: there may be many. */
typedef struct shown {
    const rk_table *table;
    bool column[RK_PAGE_COLUMNS_MAX];
    int indent;
} shown;

/* Nothing where no column has a head. */
static void put_head(const shown *s, rk_str *out)
{
    const rk_table *t = s->table;
    bool any = false;

    for (size_t c = 0; c < t->n_column; c++)
        any |= s->column[c] && t->column[c].head[0];
    rk_str_put(out, any ? "<thead><tr>" : "");
    for (size_t c = 0; any && c < t->n_column; c++) {
        const char *head = t->column[c].head, *class = class_of(&t->column[c], NULL);

        if (!s->column[c])
            continue;
        rk_str_format(out, head[0] ? "<th scope=\"col\"%s>" : "<td%s>", class);
        put_between(out, "", head, head[0] ? "</th>" : "</td>");
    }
    rk_str_put(out, any ? "</tr></thead>\n" : "");
}

static void put_row(const rk_page *p, const shown *s, const rk_row *row, bool ruled, rk_str *out)
{
    static const char *const class[] = {
        [RK_ROW_PLAIN] = "<tr>", [RK_ROW_PART] = "<tr class=\"part\">", [RK_ROW_TOTAL] = "<tr class=\"total\">"};
    const rk_table *t = s->table;
    int indent = row->indent - s->indent;

    rk_str_put(out, ruled ? "<tr class=\"total rule\">" : class[row->kind]);
    for (size_t c = 0; c < t->n_column; c++) {
        if (!s->column[c])
            continue;
        if (c == 0) /* it names its row */
            rk_str_format(out, "<th scope=\"row\"%s", class_of(&t->column[0], NULL));
        else
            rk_str_format(out, "<td%s", class_of(&t->column[c], &row->cell[c]));
        if (c == 0 && indent > 0)
            rk_str_format(out, " style=\"padding-left:%d.%dem\"", indent * 12 / 10, indent * 12 % 10);
        rk_str_putc(out, '>');
        put_cell(p, &row->cell[c], out);
        rk_str_put(out, c == 0 ? "</th>" : "</td>");
    }
    rk_str_put(out, "</tr>\n");
}

static void put_table(const rk_page *p, const rk_table *t, rk_str *out)
{
    shown s = {.table = t, .indent = rk_table_indent(t)};

    if (t->row.n == 0)
        return;
    for (size_t c = 0; c < t->n_column; c++)
        s.column[c] = rk_column_is_seen(t, c);
    rk_str_put(out, "<div class=\"wide\"><table>\n");
    put_head(&s, out);
    rk_str_put(out, "<tbody>\n");
    for (size_t r = 0; r < t->row.n; r++)
        put_row(p, &s, &t->row.at[r], rk_row_is_ruled(t, r), out);
    rk_str_put(out, "</tbody></table></div>\n");
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

static void put_note(const rk_item *item, rk_str *out)
{
    if (item->note)
        put_between(out, " <span class=\"note\">", item->note, "</span>");
}

static void put_equation(const rk_page *p, size_t i, rk_str *out)
{
    const rk_item *item = &p->item.at[i];

    rk_str_put(out, rk_page_goes_on(p, i) ? "" : "<div class=\"eqs\">\n");
    put_between(out, "<div><span>", item->text ? item->text : "", "</span><span>=</span><span>");
    put_cell(p, &item->cell, out);
    if (item->value.kind != RK_CELL_NOTHING) {
        rk_str_put(out, "</span></div>\n<div><span></span><span>=</span><span>");
        put_cell(p, &item->value, out);
    }
    put_note(item, out);
    rk_str_put(out, "</span></div>\n");
    rk_str_put(out, rk_page_goes_on(p, i + 1) ? "" : "</div>\n");
}

/* Inside of a page a picture needs no name space; that is where the only address in it would be. */
static void put_picture(const rk_item *item, rk_str *out)
{
    const char *svg, *space, *end;
    rk_str drawn = {0};

    item->picture.svg(item->picture.data, RK_SVG_BOTH, &drawn);
    svg = rk_str_text(&drawn);
    space = strstr(svg, " xmlns=\"");
    end = space ? strchr(space + 8, '"') : NULL;
    rk_str_put(out, "<figure>\n");
    if (end)
        rk_str_putn(out, svg, (size_t)(space - svg));
    rk_str_put(out, end ? end + 1 : svg);
    if (item->text)
        put_between(out, "<figcaption>", item->text, "</figcaption>\n");
    rk_str_put(out, "</figure>\n");
    out->failed |= drawn.failed;
    rk_str_free(&drawn);
}

static bool is_marked(const rk_page *p, size_t i)
{
    return i < p->item.n && p->item.at[i].kind == RK_ITEM_CODE && p->item.at[i].span;
}

/* A line of somebody's text; lines that follow each other are one block. */
static void put_marked(const rk_page *p, size_t i, rk_str *out)
{
    static const char *const class[] = {[RK_MARK_RIGHT] = "right",
                                        [RK_MARK_WRONG] = "wrong",
                                        [RK_MARK_SLIP] = "slip",
                                        [RK_MARK_DOUBTFUL] = "doubtful",
                                        [RK_MARK_UNKNOWN] = "unknown"};
    const rk_item *item = &p->item.at[i];

    rk_str_put(out, i > 0 && is_marked(p, i - 1) ? "" : "<pre>");
    if (item->label)
        put_between(out, "<span class=\"at\">", item->label, "</span>  ");
    for (size_t k = 0; k < item->n_span; k++) {
        const rk_marked_span *s = &item->span[k];

        if (s->mark == RK_MARK_NONE) {
            rk_svg_put_xml(out, s->text);
            continue;
        }
        rk_str_format(out, "<mark class=\"%s\"", class[s->mark]);
        put_between(out, " title=\"", s->note ? s->note : class[s->mark], "\">");
        put_between(out, "", s->text, "</mark>");
    }
    for (size_t k = 0; k < item->n_span; k++)
        if (item->span[k].note && item->span[k].mark > RK_MARK_RIGHT)
            put_between(out, " <span class=\"note\">", item->span[k].note, "</span>");
    rk_str_put(out, is_marked(p, i + 1) ? "\n" : "</pre>\n");
}

static void put_item(const rk_page *p, size_t i, bool is_title, rk_str *out)
{
    static const char *const around[][2] = {
        [RK_ITEM_TITLE] = {"<h1>", "</h1>\n"},
        [RK_ITEM_LINE] = {"<p>", "</p>\n"},
        [RK_ITEM_WARNING] = {"<p>", "</p>\n"},
        [RK_ITEM_LIST] = {"<p>", "</p>\n"},
        [RK_ITEM_NOTE] = {"<p class=\"note\">", "</p>\n"},
    };
    const rk_item *item = &p->item.at[i];
    rk_item_kind kind = is_title ? RK_ITEM_TITLE : item->kind;

    switch (kind) {
    case RK_ITEM_GAP:
        break;
    case RK_ITEM_TABLE:
        put_table(p, item->table, out);
        break;
    case RK_ITEM_EQUATION:
        put_equation(p, i, out);
        break;
    case RK_ITEM_PICTURE:
        put_picture(item, out);
        break;
    case RK_ITEM_CODE:
        if (item->span) {
            put_marked(p, i, out);
            break;
        }
        put_between(out, "<p><code>", item->text, "</code>");
        put_note(item, out);
        rk_str_put(out, "</p>\n");
        break;
    case RK_ITEM_HEADING:
        rk_str_format(out, "<h2 id=\"s%zu\">", i);
        put_between(out, "", item->text, "</h2>\n");
        break;
    default:
        put_between(out, around[kind][0], item->text, around[kind][1]);
        break;
    }
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

/* Whether an item is a heading other than the title. */
static bool is_heading(const rk_page *p, size_t i, size_t title)
{
    return p->item.at[i].kind == RK_ITEM_HEADING && i != title;
}

static void put_list(const rk_page *p, size_t title, rk_str *out)
{
    rk_str_put(out, "<nav aria-label=\"Sections\"><ul>\n");
    for (size_t i = 0; i < p->item.n; i++) {
        if (!is_heading(p, i, title))
            continue;
        rk_str_format(out, "<li><a href=\"#s%zu\">", i);
        put_between(out, "", p->item.at[i].text, "</a></li>\n");
    }
    rk_str_put(out, "</ul></nav>\n");
}

void rk_page_html(rk_page *p, rk_str *out)
{
    size_t title = 0, headings = 0;
    bool listed;

    rk_page_settle(p, RK_FOR_PICTURES);
    /* The title is the first heading, where a page has none. */
    if (p->item.n > 0 && p->item.at[0].kind != RK_ITEM_TITLE)
        while (title < p->item.n && p->item.at[title].kind != RK_ITEM_HEADING)
            title++;
    for (size_t i = 0; i < p->item.n; i++)
        headings += is_heading(p, i, title);
    listed = headings < LIST_HEADINGS;
    rk_str_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n");
    put_between(out, "<title>", title < p->item.n ? p->item.at[title].text : "reckon", "</title>\n");
    rk_str_format(out, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
    for (size_t i = 0; i < p->item.n && !out->failed; i++) {
        if (!listed && p->item.at[i].kind == RK_ITEM_HEADING) {
            put_list(p, title, out);
            listed = true;
        }
        put_item(p, i, i == title, out);
    }
    rk_str_put(out, "</main>\n</body>\n</html>\n");
    out->failed |= p->arena->failed;
}

/* SPDX-License-Identifier: MIT */
/* What `reckon devices` prints: the table of accelerators, or one of them in full. */
#include "report/plan.h"

#include "plan/glob.h"
#include "report/view.h"

#include <string.h>

#define GIGA ((rk_i128)1000000000)
#define TERA ((rk_i128)1000 * GIGA)

/* ---- figures ---------------------------------------------------------------------------------------------------- */

/* People get at most three digits behind the point, or else one. */
static rk_i128 for_people(rk_i128 n, rk_i128 unit)
{
    return unit < 1000 || n % (unit / 1000) == 0 ? n : (n + unit / 20) / (unit / 10) * (unit / 10);
}

/* "1,307.4"; nothing where no one knows.  Programs want no commas, and all digits. */
static const char *in_units(rk_view *v, rk_i128 n, rk_i128 unit)
{
    bool program = v->report->format == RK_FORMAT_CSV;
    rk_i128 shown = program ? n : for_people(n, unit), rest = shown % unit, digit = unit / 10;
    rk_str s = {0};

    if (n == 0)
        return "";
    if (program)
        rk_str_num(&s, shown / unit);
    else
        rk_str_grouped(&s, shown / unit);
    rk_str_put(&s, rest ? "." : "");
    for (; rest > 0 && digit > 0; rest %= digit, digit /= 10)
        rk_str_format(&s, "%d", (int)(rest / digit));
    return rk_view_keep(v, &s);
}

static rk_cell units_cell(rk_view *v, rk_i128 n, rk_i128 unit)
{
    return rk_cell_text(&v->page, "%s", in_units(v, n, unit));
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

/* People have one column for both types of 16 bits, programs one for each. */
static rk_cell rate_cell(rk_view *v, const rk_device *d, rk_rate which)
{
    bool other = which == RK_RATE_BF16 && !d->rate[which] && d->rate[RK_RATE_FP16];

    if (other && v->report->format != RK_FORMAT_CSV)
        return rk_cell_text(&v->page, "%s*", in_units(v, d->rate[RK_RATE_FP16], TERA));
    return units_cell(v, d->rate[which], TERA);
}

/* "85", and "~85.9" where it is the nominal size. */
static rk_cell usable_cell(rk_view *v, const rk_device *d)
{
    const rk_i128 tenth = GIGA / 10;
    bool program = v->report->format == RK_FORMAT_CSV;

    if (program)
        return units_cell(v, d->usable, GIGA);
    return rk_cell_text(&v->page, "%s%s", d->usable && !d->seen ? "~" : "",
                        in_units(v, (d->usable + tenth / 2) / tenth * tenth, GIGA));
}

static void put_device(rk_view *v, rk_table *t, const rk_device *d)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
    size_t n = 0;

    cell[n++] = rk_cell_code(d->key);
    cell[n++] = rk_cell_text(&v->page, "%s", d->name);
    cell[n++] = rk_cell_text(&v->page, "%s", d->vendor);
    cell[n++] = rk_cell_text(&v->page, "%d", (int)d->year);
    cell[n++] = units_cell(v, d->memory, GIGA);
    cell[n++] = usable_cell(v, d);
    cell[n++] = rk_cell_text(&v->page, "%s", !d->usable ? "" : d->seen ? "true" : "false");
    cell[n++] = units_cell(v, d->reserve, GIGA);
    cell[n++] = units_cell(v, d->bandwidth, GIGA);
    for (int i = 0; i < RK_N_RATE; i++)
        cell[n++] = rate_cell(v, d, (rk_rate)i);
    cell[n++] = units_cell(v, d->link, GIGA);
    cell[n++] = units_cell(v, d->pcie, GIGA);
    cell[n++] = units_cell(v, d->power, 1);
}

static bool is_meant(const rk_device *d, const char *pattern)
{
    return !pattern || rk_glob_finds(pattern, d->key) || rk_glob_finds(pattern, d->name) ||
           rk_glob_finds(pattern, d->vendor) || (d->aliases && rk_glob_finds(pattern, d->aliases));
}

static void put_all(rk_view *v, const rk_devices *d, const char *pattern)
{
    static const rk_field column[] = {{.head = "device", .key = "device"},
                                      {.head = "name", .key = "name", .drop = 6},
                                      {.head = "vendor", .key = "vendor", .drop = 3},
                                      {.head = "year", .key = "year", .right = true, .drop = 4},
                                      {.head = "memory", .key = "memory_gb", .right = true},
                                      {.head = "usable", .key = "usable_gb", .right = true, .drop = 11},
                                      {.key = "usable_measured"},
                                      {.key = "reserve_gb"},
                                      {.head = "bandwidth", .key = "bandwidth_gb_s", .right = true, .drop = 10},
                                      {.head = "fp32", .key = "fp32_tflop_s", .right = true, .drop = 9},
                                      {.head = "tf32", .key = "tf32_tflop_s", .right = true, .drop = 5},
                                      {.head = "bf16", .key = "bf16_tflop_s", .right = true},
                                      {.key = "fp16_tflop_s"},
                                      {.head = "fp8", .key = "fp8_tflop_s", .right = true, .drop = 8},
                                      {.head = "int8", .key = "int8_tflop_s", .right = true, .drop = 2},
                                      {.head = "fp4", .key = "fp4_tflop_s", .right = true, .drop = 7},
                                      {.head = "link", .key = "link_gb_s", .right = true, .drop = 8},
                                      {.head = "PCIe", .key = "pcie_gb_s", .right = true, .drop = 1},
                                      {.head = "power", .key = "power_w", .right = true, .drop = 7}};
    rk_table *t;

    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Accelerators, as of %s:", RK_DEVICES_DATE);
    rk_page_gap(&v->page);
    t = rk_page_table(&v->page, column, sizeof column / sizeof *column);
    for (size_t i = 0; i < d->n; i++)
        if (is_meant(&d->at[i], pattern))
            put_device(v, t, &d->at[i]);
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                "Memory in GB (10^9 bytes): what the box says, and what programs see of it, with ~ where no source has "
                "seen it and its size is taken in GiB; bandwidth, link and PCIe in GB/s, links in each direction; "
                "rates are dense peaks in TFLOP/s, those with * of fp16, where no bf16 is known; power in W. 'reckon "
                "devices NAME' has sources and notes.");
}

/* ---- one of them ------------------------------------------------------------------------------------------------ */

static void put_figure(rk_view *v, rk_table *t, const char *what, rk_i128 n, rk_i128 unit, const char *unit_text)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[0] = rk_cell_text(&v->page, "%s", what);
    cell[1] = rk_cell_text(&v->page, "%s", n ? in_units(v, n, unit) : "not known");
    cell[2] = rk_cell_text(&v->page, "%s", n ? unit_text : "");
    if (n)
        cell[3] = rk_cell_count(n);
}

/* The words of each source. */
static const char *sources_of(rk_view *v, const rk_devices *all, const char *list)
{
    rk_str s = {0};

    for (const char *at = list; at;) {
        size_t n = strcspn(at, ",");
        const char *text = rk_device_source_text(all, at, n);

        rk_str_format(&s, "%s%s", s.n ? "; " : "", text ? text : "");
        at = at[n] ? at + n + 1 : NULL;
    }
    return rk_view_keep(v, &s);
}

/* "81089 MiB", "2 x 94.75 GiB", "143771 MiB - 616 MiB": as the sources have it. */
static const char *seen_text(rk_view *v, const rk_device *d)
{
    rk_str s = {0};

    for (const char *c = d->seen; *c; c++) {
        bool sign = *c == 'x' || *c == '-', unit = c > d->seen && (*c == 'M' || *c == 'G');

        rk_str_format(&s, "%s%c%s", sign || unit ? " " : "", *c, sign ? " " : "");
    }
    return rk_view_keep(v, &s);
}

/* What programs see of the memory, and what a context leaves of that. */
static void put_memory(rk_view *v, const rk_devices *all, const rk_device *d)
{
    if (d->usable == 0) {
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "No source says how much memory programs see of it.");
        return;
    }
    if (d->seen) {
        bool rounded = strpbrk(d->seen, ".-") || rk_ends_in(d->seen, "GB"), whole = !rk_ends_in(d->seen, "B");

        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Programs see %s%s bytes%s%s%s: %s.", rounded ? "about " : "",
                    rk_view_grouped(v, d->usable), whole ? "" : " (", whole ? "" : seen_text(v, d), whole ? "" : ")",
                    sources_of(v, all, d->seen_sources));
    } else {
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "What programs see is taken as %s bytes (%s), the nominal size: no source has seen it.",
                    rk_view_grouped(v, d->usable), rk_view_binary(v, d->usable));
    }
    if (!d->reserve_sources)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "No source says what a context takes of that: nothing is taken off.");
    else if (d->reserve > 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "A context takes %s bytes of that%s%s: %s.",
                    rk_view_grouped(v, d->reserve), d->reserve_note ? ", " : "", d->reserve_note ? d->reserve_note : "",
                    sources_of(v, all, d->reserve_sources));
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "A context takes nothing of that%s%s: %s.", d->reserve_note ? ", " : "",
                    d->reserve_note ? d->reserve_note : "", sources_of(v, all, d->reserve_sources));
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "'reckon fit' fills the %s bytes that are left (--memory, --reserve).",
                rk_view_grouped(v, rk_device_room(d)));
}

static void put_one(rk_view *v, const rk_devices *all, const rk_device *d)
{
    static const rk_field column[] = {{.head = "", .key = "what"},
                                      {.head = "", .key = "figure", .right = true},
                                      {.head = "", .key = "unit"},
                                      {.key = "value"}};
    rk_table *t;

    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %s (%s, %d)", d->key, d->name, d->vendor, (int)d->year);
    if (d->aliases) {
        rk_str words = {0}; /* with room between them */

        for (const char *c = d->aliases; *c; c++)
            rk_str_put(&words, *c == ',' ? ", " : (char[]){*c, '\0'});
        rk_page_put(&v->page, RK_ITEM_LIST, 0, "Also called: %s", rk_view_keep(v, &words));
    }
    rk_page_gap(&v->page);
    t = rk_page_table(&v->page, column, 4);
    put_figure(v, t, "memory", d->memory, GIGA, "GB, as its box says");
    put_figure(v, t, "that programs see", d->usable, GIGA, d->seen ? "GB" : "GB, nominal");
    if (d->reserve > 0)
        put_figure(v, t, "that a context takes", d->reserve, GIGA / 1000, "MB");
    put_figure(v, t, "bandwidth of the memory", d->bandwidth, GIGA, "GB/s");
    for (int i = 0; i < RK_N_RATE; i++)
        put_figure(v, t, rk_rate_word[i], d->rate[i], TERA, "TFLOP/s, dense");
    put_figure(v, t, d->link_name ? d->link_name : "link", d->link, GIGA, "GB/s in each direction");
    put_figure(v, t, "PCIe", d->pcie, GIGA, "GB/s in each direction");
    put_figure(v, t, "power", d->power, 1, "W");
    put_figure(v, t, "multiprocessors or compute units", d->units, 1, "");
    rk_page_gap(&v->page);
    put_memory(v, all, d);
    if (d->note)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Note: %s", d->note);
    rk_page_put(&v->page, RK_ITEM_NOTE, 0, "Sources, as of %s: %s.", RK_DEVICES_DATE, sources_of(v, all, d->sources));
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void write_device(rk_view *v, const rk_devices *all, const rk_device *d)
{
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "device", d->key);
    rk_json_text(j, "name", d->name);
    rk_json_text(j, "vendor", d->vendor);
    rk_json_count(j, "year", d->year);
    rk_json_known(j, "memory", d->memory, d->memory);
    rk_json_known(j, "usable", d->usable, d->usable);
    rk_json_truth(j, "usable_measured", d->seen != NULL);
    rk_json_text(j, "usable_sources", d->seen ? sources_of(v, all, d->seen_sources) : NULL);
    rk_json_known(j, "reserve", d->reserve_sources != NULL, d->reserve);
    rk_json_text(j, "reserve_sources", d->reserve_sources ? sources_of(v, all, d->reserve_sources) : NULL);
    rk_json_known(j, "bandwidth", d->bandwidth, d->bandwidth);
    rk_json_row(j, "rates");
    for (int i = 0; i < RK_N_RATE; i++)
        rk_json_known(j, rk_rate_word[i], d->rate[i], d->rate[i]);
    rk_json_close(j);
    rk_json_known(j, "link", d->link, d->link);
    rk_json_text(j, "link_name", d->link_name);
    rk_json_known(j, "pcie", d->pcie, d->pcie);
    rk_json_known(j, "power", d->power, d->power);
    rk_json_known(j, "units", d->units, d->units);
    rk_json_text(j, "sources", sources_of(v, all, d->sources));
    rk_json_text(j, "note", d->note);
    rk_json_close(j);
}

static void write_json(rk_view *v, const rk_devices *d, const rk_device *one, const char *pattern)
{
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "date", RK_DEVICES_DATE);
    rk_json_open(j, "devices", '[');
    for (size_t i = 0; i < d->n; i++)
        if (one ? one == &d->at[i] : is_meant(&d->at[i], pattern))
            write_device(v, d, &d->at[i]);
    rk_json_close(j);
    rk_json_close(j);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_report_devices(const rk_report *r, const rk_devices *d, const char *pattern, rk_err *err)
{
    rk_err unknown = {0};
    const rk_device *one = pattern ? rk_device_find(d, pattern, &unknown) : NULL;
    size_t n = one != NULL;
    rk_view v;

    for (size_t i = 0; i < d->n; i++)
        n += is_meant(&d->at[i], pattern);
    if (n == 0) {
        rk_device_find(d, pattern, err);
        return RK_EINPUT;
    }
    rk_view_begin(&v, r, NULL, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v, d, one, pattern);
    else if (one)
        put_one(&v, d, one);
    else
        put_all(&v, d, pattern);
    return rk_view_end(&v);
}

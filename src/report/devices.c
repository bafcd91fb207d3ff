/* SPDX-License-Identifier: MIT */
/* What `reckon devices` prints: the table of accelerators, or one of them in full. */
#include "report/answers.h"
#include "report/plan.h"

#include "plan/glob.h"
#include "report/view.h"

#include <string.h>

#define GIGA ((rk_i128)1000000000)
#define TERA ((rk_i128)1000 * GIGA)

/* ---- figures ---------------------------------------------------------------------------------------------------- */

/* People get at most three digits after the point, or else one. */
static rk_i128 for_people(rk_i128 n, rk_i128 unit)
{
    return unit < 1000 || n % (unit / 1000) == 0 ? n : (n + unit / 20) / (unit / 10) * (unit / 10);
}

/* "1,307.4"; nothing where no one knows.  Programs want no commas, and all digits. */
static const char *in_units(rk_view *v, rk_i128 n, rk_i128 unit, bool program)
{
    rk_i128 shown = program ? n : for_people(n, unit), rest = shown % unit, digit = unit / 10;
    rk_str s = {0};

    if (n == 0)
        return "";
    (program ? rk_str_num : rk_str_grouped)(&s, shown / unit);
    rk_str_put(&s, rest ? "." : "");
    for (; rest > 0 && digit > 0; rest %= digit, digit /= 10)
        rk_str_putc(&s, (char)('0' + rest / digit));
    return rk_view_keep(v, &s);
}

static rk_cell units_cell(rk_view *v, rk_i128 n, rk_i128 unit)
{
    if (n == 0)
        return rk_view_text("");
    return rk_cell_both(&v->page, rk_cell_digits(in_units(v, n, unit, true)),
                        rk_view_text(in_units(v, n, unit, false)));
}

static rk_cell known_cell(rk_i128 n)
{
    return rk_cell_count_if(n != 0, n);
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

/* ---- all of them ------------------------------------------------------------------------------------------------ */

enum {
    DEVICE,
    NAME,
    VENDOR,
    YEAR,
    MEMORY,
    MEMORY_GB,
    USABLE,
    USABLE_GB,
    MEASURED,
    USABLE_SOURCES,
    RESERVE,
    RESERVE_GB,
    RESERVE_SOURCES,
    BANDWIDTH,
    BANDWIDTH_GB,
    RATES,
    RATE_TFLOP,
    LINK = RATE_TFLOP + RK_N_RATE,
    LINK_GB,
    LINK_NAME,
    PCIE,
    PCIE_GB,
    POWER,
    POWER_W,
    UNITS,
    SOURCES,
    NOTE,
    N_FIELD
};

static const rk_field rate_field[RK_N_RATE] = {
#define RATE(ID, word) [RK_RATE_##ID] = RK_KEY(word, COUNT, "FLOP/s; null: not known"),
    RK_RATES(RATE)
#undef RATE
};
static const rk_fields rate_fields = {rate_field, RK_N_RATE};

/* Figures are in the units that people use, for them and for spreadsheets. */
/* clang-format off */
#define FIGURE(HEAD, KEY, DROP) \
    {.head = HEAD, .key = KEY, .kind = RK_CELL_DIGITS, .csv = true, .right = true, .drop = DROP}
#define EXACT(name, what) RK_KEY(name, COUNT, what, .json = true)
#define WORDS(name, what) RK_KEY(name, TEXT, what, .json = true)
/* clang-format on */

static const rk_field device_field[N_FIELD] = {
    [DEVICE] = RK_COLUMN("device", "device", CODE, "what --device calls it"),
    [NAME] = RK_COLUMN("name", "name", TEXT, "what it is sold as", .drop = 6),
    [VENDOR] = RK_COLUMN("vendor", "vendor", TEXT, "by whom", .drop = 3),
    [YEAR] = RK_COLUMN("year", "year", COUNT, "since when", .right = true, .drop = 4),
    [MEMORY] = EXACT("memory", "bytes, as its box says"),
    [MEMORY_GB] = FIGURE("memory", "memory_gb", 0),
    [USABLE] = EXACT("usable", "bytes that programs see of it; null: not known, as below"),
    [USABLE_GB] = FIGURE("usable", "usable_gb", 11),
    [MEASURED] = RK_KEY("usable_measured", TRUTH, "a source has seen them"),
    [USABLE_SOURCES] = WORDS("usable_sources", "which"),
    [RESERVE] = EXACT("reserve", "bytes that a context takes of them"),
    [RESERVE_GB] = FIGURE(NULL, "reserve_gb", 0),
    [RESERVE_SOURCES] = WORDS("reserve_sources", "who says so"),
    [BANDWIDTH] = EXACT("bandwidth", "bytes of the memory in a second"),
    [BANDWIDTH_GB] = FIGURE("bandwidth", "bandwidth_gb_s", 10),
    [RATES] = RK_OBJECT("rates", rate_fields, "peaks, by number format"),
    /* People have one column for both types of 16 bits, programs one for each. */
    [RATE_TFLOP + RK_RATE_FP32] = FIGURE("fp32", "fp32_tflop_s", 9),
    [RATE_TFLOP + RK_RATE_TF32] = FIGURE("tf32", "tf32_tflop_s", 5),
    [RATE_TFLOP + RK_RATE_BF16] = FIGURE("bf16", "bf16_tflop_s", 0),
    [RATE_TFLOP + RK_RATE_FP16] = FIGURE(NULL, "fp16_tflop_s", 0),
    [RATE_TFLOP + RK_RATE_FP8] = FIGURE("fp8", "fp8_tflop_s", 8),
    [RATE_TFLOP + RK_RATE_INT8] = FIGURE("int8", "int8_tflop_s", 2),
    [RATE_TFLOP + RK_RATE_FP4] = FIGURE("fp4", "fp4_tflop_s", 7),
    [LINK] = EXACT("link", "bytes to its neighbours in a second, in each direction"),
    [LINK_GB] = FIGURE("link", "link_gb_s", 8),
    [LINK_NAME] = WORDS("link_name", "of that link"),
    [PCIE] = EXACT("pcie", "bytes to the host in a second, in each direction"),
    [PCIE_GB] = FIGURE("PCIe", "pcie_gb_s", 1),
    [POWER] = EXACT("power", "W"),
    [POWER_W] = FIGURE("power", "power_w", 7),
    [UNITS] = EXACT("units", "multiprocessors or compute units"),
    [SOURCES] = WORDS("sources", "of all that has no other"),
    [NOTE] = WORDS("note", "what else is to be known"),
};
static const rk_fields device_fields = {device_field, N_FIELD};

static const rk_field answer_field[] = {
    RK_KEY("date", TEXT, "as of which the table is"),
    RK_LIST("devices", device_fields, "those that are meant"),
};
const rk_fields rk_answer_devices = {answer_field, 2};

static void put_rates(rk_view *v, rk_cell *cell, const rk_device *d)
{
    rk_cell *rate = rk_cell_object(&v->page, &cell[RATES], &rate_fields);
    rk_cell *bf16 = &cell[RATE_TFLOP + RK_RATE_BF16];

    for (int i = 0; i < RK_N_RATE; i++) {
        rate[i] = known_cell(d->rate[i]);
        cell[RATE_TFLOP + i] = units_cell(v, d->rate[i], TERA);
    }
    if (!d->rate[RK_RATE_BF16] && d->rate[RK_RATE_FP16])
        *bf16 = rk_cell_both(&v->page, *bf16,
                             rk_cell_text(&v->page, "%s*", in_units(v, d->rate[RK_RATE_FP16], TERA, false)));
}

/* "85", and "~85.9" where it is the nominal size. */
static rk_cell usable_cell(rk_view *v, const rk_device *d)
{
    const rk_i128 tenth = GIGA / 10;
    const char *shown = in_units(v, (d->usable + tenth / 2) / tenth * tenth, GIGA, false);

    return rk_cell_both(&v->page, units_cell(v, d->usable, GIGA),
                        rk_cell_text(&v->page, "%s%s", d->usable && !d->seen ? "~" : "", shown));
}

static void put_device(rk_view *v, rk_table *t, const rk_devices *all, const rk_device *d)
{
    rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

    cell[DEVICE] = rk_cell_code(d->key);
    cell[NAME] = rk_view_text(d->name);
    cell[VENDOR] = rk_view_text(d->vendor);
    cell[YEAR] = rk_cell_both(&v->page, rk_cell_count(d->year), rk_cell_text(&v->page, "%d", (int)d->year));
    cell[MEMORY] = known_cell(d->memory);
    cell[MEMORY_GB] = units_cell(v, d->memory, GIGA);
    cell[USABLE] = known_cell(d->usable);
    cell[USABLE_GB] = usable_cell(v, d);
    cell[MEASURED] = rk_cell_truth(d->seen != NULL);
    cell[USABLE_SOURCES] = rk_cell_known(d->seen ? sources_of(v, all, d->seen_sources) : NULL);
    cell[RESERVE] = rk_cell_count_if(d->reserve_sources != NULL, d->reserve);
    cell[RESERVE_GB] = units_cell(v, d->reserve, GIGA);
    cell[RESERVE_SOURCES] = rk_cell_known(d->reserve_sources ? sources_of(v, all, d->reserve_sources) : NULL);
    cell[BANDWIDTH] = known_cell(d->bandwidth);
    cell[BANDWIDTH_GB] = units_cell(v, d->bandwidth, GIGA);
    put_rates(v, cell, d);
    cell[LINK] = known_cell(d->link);
    cell[LINK_GB] = units_cell(v, d->link, GIGA);
    cell[LINK_NAME] = rk_cell_known(d->link_name);
    cell[PCIE] = known_cell(d->pcie);
    cell[PCIE_GB] = units_cell(v, d->pcie, GIGA);
    cell[POWER] = known_cell(d->power);
    cell[POWER_W] = units_cell(v, d->power, 1);
    cell[UNITS] = known_cell(d->units);
    cell[SOURCES] = rk_view_text(sources_of(v, all, d->sources));
    cell[NOTE] = rk_cell_known(d->note);
}

static bool is_meant(const rk_device *d, const char *pattern)
{
    return !pattern || rk_glob_finds(pattern, d->key) || rk_glob_finds(pattern, d->name) ||
           rk_glob_finds(pattern, d->vendor) || (d->aliases && rk_glob_finds(pattern, d->aliases));
}

static void put_all(rk_view *v, rk_table *t)
{
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Accelerators, as of %s:", RK_DEVICES_DATE);
    rk_page_gap(&v->page);
    rk_page_show(&v->page, t);
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
    cell[1] = n ? units_cell(v, n, unit) : rk_view_text("not known");
    cell[2] = rk_cell_text(&v->page, "%s", n ? unit_text : "");
    if (n)
        cell[3] = rk_cell_count(n);
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
                    rk_view_grouped(v, d->usable), rk_view_scaled(v, d->usable, "B"));
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

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_report_devices(const rk_report *r, const rk_devices *d, const char *pattern, rk_err *err)
{
    rk_err unknown = {0};
    rk_cell *answer;
    rk_table *t;
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
    answer = rk_page_answer(&v.page, &rk_answer_devices);
    answer[0] = rk_cell_name(RK_DEVICES_DATE);
    t = rk_cell_list(&v.page, &answer[1], &device_fields);
    for (size_t i = 0; i < d->n; i++)
        if (one ? one == &d->at[i] : is_meant(&d->at[i], pattern))
            put_device(&v, t, d, &d->at[i]);
    if (one)
        put_one(&v, d, one);
    else
        put_all(&v, t);
    return rk_view_end(&v);
}

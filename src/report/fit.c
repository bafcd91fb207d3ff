/* SPDX-License-Identifier: MIT */
/* What `reckon fit` prints: whether it fits, what each device holds, how large it may be, how few devices do. */
#include "report/plan.h"

#include "report/assumptions.h"
#include "report/serving.h"
#include "report/view.h"

#define PIECES_SHOWN 8

/* ---- figures ---------------------------------------------------------------------------------------------------- */

/* "152,012,345,678 bytes (152 GB)" */
static const char *bytes_text(rk_view *v, rk_i128 bytes)
{
    return rk_view_format(v, "%s bytes (%s)", rk_view_grouped(v, bytes), rk_view_scaled(v, bytes, "B"));
}

static const rk_memory_options *options_of(const rk_fit_asked *f)
{
    return &f->answer->at.memory->options;
}

/* ---- the split, in words ---------------------------------------------------------------------------------------- */

/* "zero3", "tp=8", "tp=8,zero1", "none" */
static const char *split_text(rk_view *v, const rk_device_split *s)
{
    rk_str t = {0};

    if (s->tensor > 1)
        rk_str_format(&t, "tp=%s", rk_view_grouped(v, s->tensor));
    if (s->zero)
        rk_str_format(&t, "%szero%d", t.n ? "," : "", s->zero);
    if (t.n == 0)
        rk_str_put(&t, "none");
    return rk_view_keep(v, &t);
}

static const char *name_of(const rk_slice_symbol *x)
{
    return x->symbol->text ? x->symbol->text : x->symbol->name;
}

static void put_split(rk_view *v, const rk_fit_asked *f)
{
    static const char *const what[] = {"", "the optimizer's state is", "the optimizer's state and gradients are",
                                       "the optimizer's state, gradients and weights are"};
    const rk_device_split *s = &f->answer->split;
    rk_i128 copies = s->devices / s->tensor;
    rk_str t = {0}; /* "query heads 64 to 8, …" */

    for (size_t i = 0; s->tensor > 1 && i < f->slice->n; i++) {
        const rk_slice_symbol *x = &f->slice->at[i];

        if (rk_slice_number(x, s->tensor) != x->whole)
            rk_str_format(&t, "%s%s %s to %s", t.n ? ", " : "", name_of(x), rk_view_grouped(v, x->whole),
                          rk_view_grouped(v, rk_slice_number(x, s->tensor)));
    }
    if (t.n > 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "Split by tp=%s: %s share each layer. Divided are %s; all else is whole on each, and B is the "
                    "batch of all of them.",
                    rk_view_grouped(v, s->tensor), s->tensor == s->devices ? "the devices" : "so many devices",
                    rk_view_keep(v, &t));
    for (size_t i = 0; f->slice && s->tensor > 1 && i < f->slice->n; i++) {
        const rk_slice_symbol *x = &f->slice->at[i];

        if (rk_slice_copies(x, s->tensor) > 1)
            rk_page_put(&v->page, RK_ITEM_LINE, 0, "There are more devices than %s: each of those is on %s devices.",
                        name_of(x), rk_view_grouped(v, rk_slice_copies(x, s->tensor)));
    }
    if (s->zero != 0 && copies != 1)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "Split by zero%d: %s divided over %s devices, rounded up to a byte%s; activations are each "
                    "device's own, and B is its batch.",
                    s->zero, what[s->zero], rk_view_grouped(v, copies),
                    s->zero == 3 ? ", and the weights at work are gathered whole" : "");
    if (s->devices > 1 && s->zero == 0 && s->devices > s->tensor)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s copies hold the same, each with a batch of its own.",
                    rk_view_grouped(v, copies));
    if (s->devices > 1 && f->chosen)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "Nobody said how to split: this is the usual way (--shard says another).");
}

/* ---- what a device holds ---------------------------------------------------------------------------------------- */

/* A row of what a device holds; of gathered weights, whose they are. */
static const char *row_text(rk_view *v, const rk_portion *s, rk_portion_class what)
{
    bool named = what == RK_PORTION_GATHERED && s->gathered;

    return rk_view_format(v, "%s%s%s", rk_portion_text[what], named ? ": " : "", named ? s->gathered : "");
}

static void put_rows(rk_view *v, const rk_portion *s)
{
    static const rk_field column[] = {{.head = "", .key = "what"},
                                      {.head = "whole", .key = "whole", .right = true, .drop = 2},
                                      {.head = "over", .key = "over", .right = true, .drop = 3},
                                      {.head = "bytes", .key = "bytes", .right = true},
                                      {.head = "", .right = true, .drop = 4},
                                      {.head = "share", .right = true, .drop = 1}};
    rk_table *t = rk_page_table(&v->page, column, 6);
    rk_cell *cell;

    for (size_t i = 0; i < s->n_row; i++) {
        const rk_portion_row *r = &s->row[i];

        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[0] = rk_cell_text(&v->page, "%s", row_text(v, s, r->what));
        if (r->over > 1 || v->report->format == RK_FORMAT_CSV) {
            cell[1] = rk_cell_count(r->whole);
            cell[2] = rk_cell_count(r->over);
        }
        cell[3] = rk_cell_count(r->bytes);
        cell[4] = rk_cell_text(&v->page, "%s", rk_view_scaled(v, r->bytes, "B"));
        cell[5] = rk_cell_share(r->bytes, s->total);
    }
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_cell_text(&v->page, "all together");
    cell[3] = rk_cell_count(s->total);
    cell[4] = rk_cell_text(&v->page, "%s", rk_view_scaled(v, s->total, "B"));
}

static void put_share(rk_view *v, const rk_fit_answer *f)
{
    const rk_portion *s = &f->at;

    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s%s%s%s%s:", f->split.devices > 1 ? "Each device holds" : "It holds",
                s->during ? " at the peak, in " : "", s->during ? s->during : "", s->path ? ", at " : "",
                s->path ? s->path : "");
    put_rows(v, s);
    if (s->pieces.n != 0) {
        static const rk_field column[] = {{.head = "", .key = "path"},
                                          {.head = "", .key = "piece", .drop = 1},
                                          {.head = "each", .key = "each", .right = true, .drop = 2},
                                          {.head = "times", .key = "times", .right = true, .drop = 3},
                                          {.head = "bytes", .key = "bytes", .right = true}};
        /* Programs get all of them. */
        bool cuts = v->report->format != RK_FORMAT_CSV && s->pieces.n > PIECES_SHOWN;
        size_t shown = cuts ? PIECES_SHOWN : s->pieces.n;
        rk_i128 others = 0;
        rk_cell *cell;
        rk_table *t;

        rk_page_gap(&v->page);
        rk_page_put(&v->page, RK_ITEM_HEADING, 0, "At work, the largest first:");
        t = rk_page_table(&v->page, column, 5);
        for (size_t i = 0; i < shown; i++) {
            const rk_memory_row *r = &s->pieces.at[i];

            cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
            cell[0] = rk_cell_code(r->path);
            cell[1] = rk_cell_text(&v->page, "%s", r->what ? r->what : "");
            cell[2] = rk_cell_count(r->bytes);
            cell[3] = rk_cell_count(r->times);
            cell[4] = rk_cell_count(r->bytes * r->times);
        }
        for (size_t i = shown; i < s->pieces.n; i++)
            others += s->pieces.at[i].bytes * s->pieces.at[i].times;
        if (cuts) {
            cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
            cell[0] = rk_cell_text(&v->page, "%s others", rk_view_grouped(v, (rk_i128)(s->pieces.n - shown)));
            cell[4] = rk_cell_count(others);
        }
    }
}

/* ---- how large, how few ----------------------------------------------------------------------------------------- */

static void put_found(rk_view *v, const rk_fit_largest *l, const char *name, const char *given)
{
    if (l->state == RK_FIT_FOUND && l->next != RK_I128_MAX)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s%s: %s = %s, with %s; one more needs %s.", name, given, l->symbol,
                    rk_view_grouped(v, l->largest), bytes_text(v, l->bytes), bytes_text(v, l->next));
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s%s: %s = %s, with %s.", name, given, l->symbol,
                    rk_view_grouped(v, l->largest), bytes_text(v, l->bytes));
}

static const char *at_text(rk_view *v, const char *name)
{
    const rk_symbol *s = name ? rk_model_symbol(v->model, name) : NULL;

    if (!s || !s->known)
        return "";
    return rk_view_format(v, " at %s = %s", s->name, rk_view_grouped(v, v->instance->value[s->sym]));
}

static void put_bounded(rk_view *v, const rk_fit_largest *l, rk_i128 positions)
{
    if (l->state == RK_FIT_BOUNDED)
        rk_page_put(&v->page, RK_ITEM_NOTE, 1, "%s",
                    l->most == positions ? "The model has learned no more positions than these."
                                         : "More was not tried.");
}

static void put_length(rk_view *v, const rk_fit_answer *f)
{
    const rk_fit_largest *l = &f->length;
    const rk_symbol *s = l->symbol ? rk_model_symbol(v->model, l->symbol) : NULL;
    bool decodes = f->at.memory->options.phase == RK_PHASE_DECODE;

    if (f->positions > 0 && s && s->known && v->instance->value[s->sym] > f->positions)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s is beyond the %s positions that the model has learned.", l->symbol,
                    rk_view_grouped(v, f->positions));
    else if (!l->symbol) /* or the model keeps as much of a short sequence as of a long one */
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Longest sequence: %s.",
                    decodes ? "any, for what is kept of it does not grow"
                            : "the model has no length that could be another");
    else if (l->state == RK_FIT_UNASKED)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Longest sequence: no other %s could be tried.", l->symbol);
    else if (l->state == RK_FIT_NONE)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Longest sequence%s: none; %s = 1 needs %s.", at_text(v, RK_NAME_BATCH),
                    l->symbol, bytes_text(v, l->bytes));
    else
        put_found(v, l, "Longest sequence", at_text(v, RK_NAME_BATCH));
    put_bounded(v, l, f->positions);
}

static void put_devices(rk_view *v, const rk_fit_answer *f)
{
    rk_device_split named = f->split;
    const rk_portion *s = &f->at_most;

    named.tensor = f->split.zero ? f->split.tensor : 1;
    if (f->fewest > 0) {
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Fewest devices for this, %s%s: %s, with %s%s.",
                    f->split.zero ? "split by " : "sharing layers", f->split.zero ? split_text(v, &named) : "",
                    rk_view_grouped(v, f->fewest), bytes_text(v, f->fewest_bytes), f->fewest > 1 ? " on each" : "");
        return;
    }
    rk_page_put(&v->page, RK_ITEM_LINE, 0,
                "It does not fit on any number of devices %s %s: on so many, each would hold",
                f->split.zero ? "up to" : "that could share its layers, up to", rk_view_grouped(v, f->most));
    for (size_t i = 0; i < s->n_row; i++)
        if (s->row[i].bytes > s->total / 100)
            rk_page_put(&v->page, RK_ITEM_LINE, 1, "%s: %s", row_text(v, s, s->row[i].what),
                        bytes_text(v, s->row[i].bytes));
}

/* ---- ways out --------------------------------------------------------------------------------------------------- */

static void add_way(rk_str *s, bool applies, const char *way)
{
    if (applies)
        rk_str_format(s, "%s%s", s->n ? ", " : "", way);
}

static void put_ways(rk_view *v, const rk_fit_asked *f)
{
    const rk_memory_options *o = options_of(f);
    const rk_symbol *b = rk_model_size(v->model, RK_SIZE_BATCH);
    bool train = o->phase == RK_PHASE_TRAIN;
    rk_str s = {0};

    if (f->answer->fits)
        return;
    add_way(&s, f->answer->fewest > f->answer->split.devices, "more devices");
    add_way(&s, !o->flash && !o->profile.by_hand && o->phase != RK_PHASE_DECODE, "--attention flash");
    add_way(&s, train && o->again == 0, "--recompute full");
    add_way(&s, train && o->loss && !rk_program_loss_region(&v->model->program) && !o->profile.by_hand, "--loss fused");
    add_way(&s, train && o->bytes > 2, "--dtype bf16");
    add_way(&s, !train && !f->answer->at.memory->holding.from, "--weights q8_0 or q4_0");
    add_way(&s, !train && o->cache == 0, "--kv-dtype fp8");
    add_way(&s, b && b->known && v->instance->value[b->sym] > 1, "a smaller B");
    add_way(&s, f->answer->length.symbol != NULL, "shorter sequences");
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "What would help: %s.", rk_view_keep(v, &s));
}

/* ---- what a device has ------------------------------------------------------------------------------------------ */

/* "Programs see 85,027,979,264 bytes (85.0 GB) of a device, of which a context takes 811,532,288 bytes (812 MB) …" */
static void put_room(rk_view *v, const rk_fit_asked *f)
{
    bool nominal = f->device && !f->memory_given && !f->device->seen;
    rk_str s = {0};

    if (f->memory_given)
        rk_str_format(&s, "A device has %s", bytes_text(v, f->memory));
    else
        rk_str_format(&s, "Programs see %s of a device%s", bytes_text(v, f->memory),
                      nominal ? " (nominal: no source has seen it)" : "");
    if (f->reserve_given)
        rk_str_format(&s, ", of which %s are left alone (--reserve)", bytes_text(v, f->reserve));
    else if (f->reserve > 0)
        rk_str_format(&s, ", of which a context takes %s", bytes_text(v, f->reserve));
    else if (f->device && f->device->reserve_sources)
        rk_str_put(&s, ", a context taken off already");
    else
        rk_str_put(&s, "; what a context takes is not taken off");
    if (f->memory_given && f->reserve_given)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s.", rk_view_keep(v, &s));
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s: %s.", rk_view_keep(v, &s),
                    f->memory_given    ? "--reserve changes that"
                    : f->reserve_given ? "--memory changes that"
                                       : "--memory and --reserve change that");
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void fill_page(rk_view *v, const rk_fit_asked *f)
{
    const rk_fit_answer *x = f->answer;
    const char *each = x->split.devices > 1 ? "each device needs" : "it needs", *at;
    rk_str s = {0};

    if (x->split.devices > 1)
        rk_str_format(&s, "%s × ", rk_view_grouped(v, x->split.devices));
    rk_str_put(&s, f->device ? f->device->key : rk_view_scaled(v, f->memory, "B"));
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %s on %s", v->model->name, rk_phase_text[options_of(f)->phase],
                rk_view_keep(v, &s));
    rk_view_put_like(v);
    rk_view_put_run(v);
    rk_view_put_assumptions(v, options_of(f));
    put_room(v, f);
    put_split(v, f);
    if (x->reserved)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "Bytes are those that PyTorch's allocator reserves for it, about: an estimate.");
    rk_page_gap(&v->page);

    if (x->fits)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "It fits: %s %s, and %s are left.", each, bytes_text(v, x->at.total),
                    rk_view_scaled(v, x->limit - x->at.total, "B"));
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "It does not fit: %s %s, which is %s too much.", each,
                    bytes_text(v, x->at.total), bytes_text(v, x->at.total - x->limit));
    at = at_text(v, x->length.symbol);
    if (x->batch.state == RK_FIT_NONE)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Largest batch%s: none; B = 1 needs %s.", at,
                    bytes_text(v, x->batch.bytes));
    else if (x->batch.state == RK_FIT_UNASKED)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "Largest batch: the equations depend on B, which cannot be searched for.");
    else
        put_found(v, &x->batch, "Largest batch", at);
    put_bounded(v, &x->batch, 0);
    put_length(v, x);
    put_devices(v, x);
    put_ways(v, f);
    put_share(v, x);
    if (options_of(f)->phase != RK_PHASE_DECODE)
        return;
    rk_view_put_serving(v, x->at.memory, &f->serving);
    if (x->split.tensor > 1)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "On each device, for the tokens of all that share a layer; what they send each other is not "
                    "counted. In the "
                    "formulas, sizes that are divided are those of one device.");
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static void json_largest(rk_view *v, const char *key, const rk_fit_largest *l)
{
    rk_json *j = &v->json;

    if (!l->symbol || l->state == RK_FIT_UNASKED) {
        rk_json_null(j, key);
        return;
    }
    rk_json_row(j, key);
    rk_json_text(j, "symbol", l->symbol);
    rk_json_count(j, "largest", l->largest);
    rk_json_count(j, "needs", l->bytes);
    if (l->state == RK_FIT_FOUND && l->next != RK_I128_MAX)
        rk_json_count(j, "next_needs", l->next);
    rk_json_truth(j, "bounded", l->state == RK_FIT_BOUNDED);
    rk_json_close(j);
}

static void json_rows(rk_view *v, const rk_portion *s)
{
    rk_json *j = &v->json;

    rk_json_open(j, "rows", '[');
    for (size_t i = 0; i < s->n_row; i++) {
        rk_json_row(j, NULL);
        rk_json_text(j, "what", row_text(v, s, s->row[i].what));
        rk_json_count(j, "whole", s->row[i].whole);
        rk_json_count(j, "over", s->row[i].over);
        rk_json_count(j, "bytes", s->row[i].bytes);
        rk_json_close(j);
    }
    rk_json_close(j);
    rk_json_open(j, "pieces", '[');
    for (size_t i = 0; i < s->pieces.n; i++) {
        rk_json_row(j, NULL);
        rk_json_text(j, "path", s->pieces.at[i].path);
        if (s->pieces.at[i].what)
            rk_json_text(j, "what", s->pieces.at[i].what);
        rk_json_count(j, "bytes", s->pieces.at[i].bytes);
        rk_json_count(j, "times", s->pieces.at[i].times);
        rk_json_close(j);
    }
    rk_json_close(j);
}

static void json_split(rk_view *v, const rk_fit_asked *f)
{
    const rk_device_split *s = &f->answer->split;
    rk_json *j = &v->json;

    rk_json_open(j, "split", '{');
    rk_json_text(j, "name", split_text(v, s));
    rk_json_count(j, "devices", s->devices);
    rk_json_count(j, "tensor", s->tensor);
    rk_json_count(j, "zero", s->zero);
    rk_json_row(j, "divided");
    for (size_t i = 0; s->tensor > 1 && i < f->slice->n; i++) {
        const rk_slice_symbol *x = &f->slice->at[i];

        if (rk_slice_number(x, s->tensor) != x->whole)
            rk_json_count(j, x->symbol->name, rk_slice_number(x, s->tensor));
    }
    rk_json_close(j);
    rk_json_close(j);
}

static void write_json(rk_view *v, const rk_fit_asked *f)
{
    const rk_fit_answer *x = f->answer;
    rk_json *j = &v->json;

    rk_json_open(j, NULL, '{');
    rk_json_text(j, "model", v->model->name);
    rk_view_json_symbols(v);
    rk_json_text(j, "phase", rk_phase_word[x->at.memory->options.phase]);
    rk_json_text(j, "device", f->device ? f->device->key : NULL);
    rk_json_count(j, "memory", f->memory);
    if (f->device && !f->memory_given)
        rk_json_truth(j, "usable_measured", f->device->seen != NULL);
    rk_json_count(j, "reserve", f->reserve);
    rk_json_count(j, "limit", x->limit);
    json_split(v, f);
    rk_json_truth(j, "fits", x->fits);
    rk_json_count(j, "needs", x->at.total);
    rk_json_text(j, "needs_of", x->reserved ? "reserved" : "tensors");
    rk_json_text(j, "during", x->at.during);
    json_largest(v, "batch", &x->batch);
    json_largest(v, "length", &x->length);
    rk_json_known(j, "fewest_devices", x->fewest, x->fewest);
    rk_json_count(j, x->fewest ? "fewest_needs" : "least_needs", x->fewest ? x->fewest_bytes : x->at_most.total);
    if (x->at.memory->options.phase == RK_PHASE_DECODE && f->serving.weights_known) {
        rk_json_row(j, "step");
        rk_json_count(j, "tokens", f->serving.tokens);
        rk_json_count(j, "moved", f->serving.moved);
        if (f->serving.bandwidth > 0) {
            rk_json_count(j, "bandwidth", f->serving.bandwidth);
            rk_json_count(j, "tokens_per_second_at_most", rk_serving_bound(&f->serving) / 100);
        }
        rk_json_truth(j, "estimate", true);
        rk_json_close(j);
    }
    json_rows(v, &x->at);
    rk_json_close(j);
}

int rk_report_fit(const rk_report *r, const rk_ledger *l, const rk_fit_asked *f, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    if (r->format == RK_FORMAT_JSON)
        write_json(&v, f);
    else
        fill_page(&v, f);
    return rk_view_end(&v);
}

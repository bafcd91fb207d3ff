/* SPDX-License-Identifier: MIT */
/* What `reckon fit` prints: whether it fits, what each device holds, how large it may be, how few devices do. */
#include "report/answers.h"
#include "report/plan.h"

#include "report/assumptions.h"
#include "report/memory_answer.h"
#include "report/serving.h"
#include "report/view.h"

#define PIECES_SHOWN 8

/* ---- keys ------------------------------------------------------------------------------------------------------- */

static const rk_field split_field[] = {
    RK_KEY("name", TEXT, "as --shard says it"),
    RK_KEY("devices", COUNT, "all of them"),
    RK_KEY("tensor", COUNT, "that share each layer"),
    RK_KEY("zero", COUNT, "1: the optimizer's state is divided, 2: gradients too, 3: weights too; 0: nothing"),
    RK_OBJECT("divided", rk_symbols_fields, "sizes of one device"),
};
static const rk_fields split_fields = {split_field, 5};

static const rk_field largest_field[] = {
    RK_KEY("symbol", TEXT, "what is searched for"),
    RK_KEY("largest", COUNT, "that fits; 0: not even one does"),
    RK_KEY("needs", COUNT, "bytes of the largest"),
    RK_KEY("next_needs", COUNT, "bytes of one more"),
    RK_KEY("bounded", TRUTH, "more than that cannot be, or was not tried"),
};
static const rk_fields largest_fields = {largest_field, 5};

static const rk_field step_field[] = {
    RK_KEY("tokens", COUNT, "new ones"),
    RK_KEY("moved", COUNT, "bytes: the memory traffic of a decoding step on each device"),
    RK_KEY("bandwidth", COUNT, "bytes in a second"),
    RK_KEY("tokens_per_second_at_most", COUNT, "at that bandwidth: a bound"),
    RK_KEY("estimate", TRUTH, "true: time is no count"),
};
static const rk_fields step_fields = {step_field, 5};

static const rk_fields portion_fields;

#define FIT_FIELDS(X)                                                                                                  \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(PHASE, RK_KEY("phase", TEXT, "train, prefill or decode"))                                                        \
    X(DEVICE, RK_KEY("device", TEXT, "its name, or null"))                                                             \
    X(MEMORY, RK_KEY("memory", COUNT, "bytes of a device that programs see"))                                          \
    X(MEASURED, RK_KEY("usable_measured", TRUTH, "whether someone has seen that number"))                              \
    X(RESERVE, RK_KEY("reserve", COUNT, "bytes of it that are left alone"))                                            \
    X(LIMIT, RK_KEY("limit", COUNT, "bytes that there are"))                                                           \
    X(SPLIT, RK_OBJECT("split", split_fields, "over the devices"))                                                     \
    X(FITS, RK_KEY("fits", TRUTH, "the answer"))                                                                       \
    X(NEEDS, RK_KEY("needs", COUNT, "bytes on each device"))                                                           \
    X(NEEDS_OF, RK_KEY("needs_of", TEXT, "reserved by the allocator, or of tensors and workspaces"))                   \
    X(DURING, RK_KEY("during", TEXT, "when it is that much"))                                                          \
    X(BATCH, RK_OBJECT("batch", largest_fields, "the largest"))                                                        \
    X(LENGTH, RK_OBJECT("length", largest_fields, "the longest sequence"))                                             \
    X(FEWEST, RK_KEY("fewest_devices", COUNT, "on which it fits; null: on none"))                                      \
    X(FEWEST_NEEDS, RK_KEY("fewest_needs", COUNT, "bytes on each of them"))                                            \
    X(LEAST_NEEDS, RK_KEY("least_needs", COUNT, "bytes on each of the most devices that can be"))                      \
    X(STEP, RK_OBJECT("step", step_fields, "of decoding"))                                                             \
    X(ROWS, RK_LIST("rows", portion_fields, "what a device holds at the peak"))                                        \
    X(PIECES, RK_LIST("pieces", rk_buffer_fields, "what is at work then"))
RK_ANSWER_TABLE(fit_field, N_FIT, FIT_FIELDS);
const rk_fields rk_answer_fit = {fit_field, N_FIT};

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

static const rk_field portion_field[] = {
    RK_COLUMN("", "what", TEXT, "what takes them"),
    RK_COLUMN("whole", "whole", COUNT, "bytes of it before it is divided", .right = true, .unit = "B", .drop = 2),
    RK_COLUMN("over", "over", COUNT, "devices that it is divided over", .right = true, .drop = 3),
    RK_COLUMN("bytes", "bytes", COUNT, "on each device", .right = true, .unit = "B"),
    {.head = "", .right = true, .drop = 4},
    {.head = "share", .right = true, .drop = 1},
};
static const rk_fields portion_fields = {portion_field, 6};

/* People see it where it is divided. */
static rk_cell divided_cell(rk_view *v, const rk_portion_row *r, rk_i128 n)
{
    return r->over > 1 ? rk_cell_count(n) : rk_cell_both(&v->page, rk_cell_count(n), (rk_cell){0});
}

static void put_rows(rk_view *v, rk_cell *in, const rk_portion *s)
{
    rk_table *t = rk_cell_list(&v->page, in, &portion_fields);
    rk_cell *cell;

    rk_page_show(&v->page, t);
    for (size_t i = 0; i < s->n_row; i++) {
        const rk_portion_row *r = &s->row[i];

        cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        cell[0] = rk_view_text(row_text(v, s, r->what));
        cell[1] = divided_cell(v, r, r->whole);
        cell[2] = divided_cell(v, r, r->over);
        cell[3] = rk_cell_count(r->bytes);
        cell[4] = rk_view_text(rk_view_scaled(v, r->bytes, "B"));
        cell[5] = rk_cell_share(r->bytes, s->total);
    }
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_view_text("all together");
    cell[3] = rk_cell_count(s->total);
    cell[4] = rk_view_text(rk_view_scaled(v, s->total, "B"));
}

/* People see the largest, and the sum of the others. */
static void put_pieces(rk_view *v, rk_cell *in, const rk_memory_rows *pieces)
{
    rk_table *t = rk_cell_list(&v->page, in, &rk_buffer_fields);
    size_t shown = pieces->n > PIECES_SHOWN ? PIECES_SHOWN : pieces->n;
    rk_i128 others = 0;
    rk_cell *cell;

    if (pieces->n == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "At work, the largest first:");
    rk_page_show(&v->page, t);
    for (size_t i = 0; i < pieces->n; i++) {
        rk_view_buffer(v, t, &pieces->at[i])[RK_BUFFER_FORMULA] = (rk_cell){0};
        if (i >= shown && t->row.n > 0)
            t->row.at[t->row.n - 1].kind = RK_ROW_REST;
        others += i < shown ? 0 : pieces->at[i].bytes * pieces->at[i].times;
    }
    if (shown < pieces->n) {
        cell = rk_page_row(&v->page, t, RK_ROW_PART, 0);
        cell[RK_BUFFER_PATH] = rk_cell_text(&v->page, "%s others", rk_view_grouped(v, (rk_i128)(pieces->n - shown)));
        cell[RK_BUFFER_TOTAL] = rk_cell_count(others);
    }
}

static void put_share(rk_view *v, rk_cell *answer, const rk_fit_answer *f)
{
    const rk_portion *s = &f->at;

    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s%s%s%s%s:", f->split.devices > 1 ? "Each device holds" : "It holds",
                s->during ? " at the peak, in " : "", s->during ? s->during : "", s->path ? ", at " : "",
                s->path ? s->path : "");
    put_rows(v, &answer[ROWS], s);
    put_pieces(v, &answer[PIECES], &s->pieces);
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
    else if (!l->symbol) /* or the cache of a short sequence is as large as that of a long one */
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Longest sequence: %s.",
                    decodes ? "any, for its cache does not grow" : "the model has no length that could be another");
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
    add_way(&s, !o->flash && !o->profile.textbook && o->phase != RK_PHASE_DECODE, "--attention flash");
    add_way(&s, train && o->recompute_layers == 0, "--recompute full");
    add_way(&s, train && o->loss && !rk_program_loss_region(&v->model->program) && !o->profile.textbook,
            "--loss fused");
    add_way(&s, train && o->bytes > 2, "--dtype bf16");
    add_way(&s, !train && !f->answer->at.memory->storage.from, "--weights q8_0 or q4_0");
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

/* ---- the answer ------------------------------------------------------------------------------------------------- */

enum {
    LARGEST_SYMBOL,
    LARGEST,
    LARGEST_NEEDS,
    NEXT_NEEDS,
    BOUNDED
};

static void largest_in(rk_view *v, rk_cell *in, const rk_fit_largest *l)
{
    rk_cell *cell;

    if (!l->symbol || l->state == RK_FIT_UNASKED) {
        *in = rk_cell_null();
        return;
    }
    cell = rk_cell_object(&v->page, in, &largest_fields);
    cell[LARGEST_SYMBOL] = rk_cell_name(l->symbol);
    cell[LARGEST] = rk_cell_count(l->largest);
    cell[LARGEST_NEEDS] = rk_cell_count(l->bytes);
    if (l->state == RK_FIT_FOUND && l->next != RK_I128_MAX)
        cell[NEXT_NEEDS] = rk_cell_count(l->next);
    cell[BOUNDED] = rk_cell_truth(l->state == RK_FIT_BOUNDED);
}

static void split_in(rk_view *v, rk_cell *in, const rk_fit_asked *f)
{
    const rk_device_split *s = &f->answer->split;
    rk_cell *cell = rk_cell_object(&v->page, in, &split_fields);
    size_t n = s->tensor > 1 ? f->slice->n : 0;
    const char **key = RK_NEW_ARRAY(&v->arena, n + 1, const char *);
    rk_cell *number = RK_NEW_ARRAY(&v->arena, n + 1, rk_cell);

    cell[0] = rk_cell_name(split_text(v, s));
    cell[1] = rk_cell_count(s->devices);
    cell[2] = rk_cell_count(s->tensor);
    cell[3] = rk_cell_count(s->zero);
    for (size_t i = 0; key && number && i < n; i++) {
        const rk_slice_symbol *x = &f->slice->at[i];

        key[i] = x->symbol->name;
        if (rk_slice_number(x, s->tensor) != x->whole)
            number[i] = rk_cell_count(rk_slice_number(x, s->tensor));
    }
    if (key && number)
        rk_cell_names(&v->page, &cell[4], key, number, n);
}

static void step_in(rk_view *v, rk_cell *in, const rk_serving *s)
{
    rk_cell *cell = rk_cell_object(&v->page, in, &step_fields);

    cell[0] = rk_cell_count(s->tokens);
    cell[1] = rk_cell_count(s->moved);
    if (s->bandwidth > 0) {
        cell[2] = rk_cell_count(s->bandwidth);
        cell[3] = rk_cell_count(rk_serving_bound(s) / 100);
    }
    cell[4] = rk_cell_truth(true);
}

static void put_answer(rk_view *v, rk_cell *answer, const rk_fit_asked *f)
{
    const rk_fit_answer *x = f->answer;

    rk_view_symbols(v, &answer[SYMBOLS]);
    answer[PHASE] = rk_cell_name(rk_phase_word[options_of(f)->phase]);
    answer[DEVICE] = rk_cell_known(f->device ? f->device->key : NULL);
    answer[MEMORY] = rk_cell_count(f->memory);
    if (f->device && !f->memory_given)
        answer[MEASURED] = rk_cell_truth(f->device->seen != NULL);
    answer[RESERVE] = rk_cell_count(f->reserve);
    answer[LIMIT] = rk_cell_count(x->limit);
    split_in(v, &answer[SPLIT], f);
    answer[FITS] = rk_cell_truth(x->fits);
    answer[NEEDS] = rk_cell_count(x->at.total);
    answer[NEEDS_OF] = rk_cell_name(x->reserved ? "reserved" : "tensors");
    answer[DURING] = rk_cell_known(x->at.during);
    largest_in(v, &answer[BATCH], &x->batch);
    largest_in(v, &answer[LENGTH], &x->length);
    answer[FEWEST] = rk_cell_count_if(x->fewest > 0, x->fewest);
    answer[x->fewest ? FEWEST_NEEDS : LEAST_NEEDS] = rk_cell_count(x->fewest ? x->fewest_bytes : x->at_most.total);
    if (options_of(f)->phase == RK_PHASE_DECODE && f->serving.weights_known)
        step_in(v, &answer[STEP], &f->serving);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void fill(rk_view *v, const rk_fit_asked *f)
{
    rk_cell *answer = rk_view_answer(v, &rk_answer_fit);
    const rk_fit_answer *x = f->answer;
    const char *each = x->split.devices > 1 ? "each device needs" : "it needs", *at;
    rk_str s = {0};

    put_answer(v, answer, f);
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
    put_share(v, answer, x);
    if (options_of(f)->phase != RK_PHASE_DECODE)
        return;
    rk_view_put_serving(v, x->at.memory, &f->serving);
    if (x->split.tensor > 1)
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "On each device, for the tokens of all that share a layer; what they send each other is not "
                    "counted. In the "
                    "formulas, sizes that are divided are those of one device.");
}

int rk_report_fit(const rk_report *r, const rk_ledger *l, const rk_fit_asked *f, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    fill(&v, f);
    return rk_view_end(&v);
}

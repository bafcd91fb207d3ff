/* SPDX-License-Identifier: MIT */
/* What `reckon fit` prints: whether it fits, what each device holds, how large it may be, how few devices do. */
#include "report/answers.h"
#include "report/plan.h"

#include "report/assumptions.h"
#include "report/memory_answer.h"
#include "report/savings.h"
#include "report/serving.h"
#include "report/view.h"

#include <stdlib.h>
#include <string.h>

#define PIECES_SHOWN 8

/* ---- keys ------------------------------------------------------------------------------------------------------- */

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

static const rk_fields held_fields;

static const rk_field fit_layout_field[] = {
    RK_KEY("line", TEXT, "as it is typed; null: the least is a single device"),
    RK_KEY("runtime", TEXT, "whose way of doing that"),
    RK_KEY("axis", TEXT, "whose size was left open, or null"),
    RK_KEY("size", COUNT, "the least of it that fits; null: none does"),
    RK_KEY("below", COUNT, "the largest that was tried and does not fit"),
    RK_KEY("below_needs", COUNT, "bytes on each device then"),
};
static const rk_fields fit_layout_fields = {fit_layout_field, 6};

#define FIT_FIELDS(X)                                                                                                  \
    X(SYMBOLS, RK_OBJECT("symbols", rk_symbols_fields, "numbers of the symbols"))                                      \
    X(PHASE, RK_KEY("phase", TEXT, "train, prefill or decode"))                                                        \
    X(DEVICE, RK_KEY("device", TEXT, "its name, or null"))                                                             \
    X(MEMORY, RK_KEY("memory", COUNT, "bytes of a device that programs see"))                                          \
    X(MEASURED, RK_KEY("usable_measured", TRUTH, "whether someone has seen that number"))                              \
    X(RESERVE, RK_KEY("reserve", COUNT, "bytes of it that are left alone"))                                            \
    X(LIMIT, RK_KEY("limit", COUNT, "bytes that there are"))                                                           \
    X(DEVICES, RK_KEY("devices", COUNT, "all of them"))                                                                \
    X(FITS, RK_KEY("fits", TRUTH, "the answer"))                                                                       \
    X(NEEDS, RK_KEY("needs", COUNT, "bytes on each device"))                                                           \
    X(LEFT, RK_KEY("left", COUNT, "bytes that are left then; below 0: too much by so many"))                           \
    X(NEEDS_OF, RK_KEY("needs_of", TEXT, "reserved by the allocator, or of tensors and workspaces"))                   \
    X(DURING, RK_KEY("during", TEXT, "when it is that much"))                                                          \
    X(BATCH, RK_OBJECT("batch", largest_fields, "the largest"))                                                        \
    X(LENGTH, RK_OBJECT("length", largest_fields, "the longest sequence"))                                             \
    X(FEWEST, RK_KEY("fewest_devices", COUNT, "on which it fits; null: on none"))                                      \
    X(FEWEST_LAYOUT, RK_KEY("fewest_layout", TEXT, "over them; null: a single one"))                                   \
    X(FEWEST_NEEDS, RK_KEY("fewest_needs", COUNT, "bytes on each of them"))                                            \
    X(LAYOUT, RK_OBJECT("layout", fit_layout_fields, "over devices (--layout)"))                                       \
    X(LEAST_NEEDS, RK_KEY("least_needs", COUNT, "bytes on each of the most devices that can be"))                      \
    X(RECIPES, RK_LIST("recipes", rk_recipe_room_fields, "the same step in usual sets of types (--recipe)"))           \
    X(SAVINGS, RK_LIST("savings", rk_saving_room_fields,                                                               \
                       "where it does not fit: what would lower it, each on top of those before it"))                  \
    X(STEP, RK_OBJECT("step", step_fields, "of decoding"))                                                             \
    X(ROWS, RK_LIST("rows", held_fields, "what a device holds at the peak"))                                           \
    X(PIECES, RK_LIST("pieces", rk_buffer_fields, "the same buffer by buffer, the largest first"))
RK_ANSWER_TABLE(fit_field, N_FIT, FIT_FIELDS);
const rk_fields rk_answer_fit = {fit_field, N_FIT};

/* ---- figures ---------------------------------------------------------------------------------------------------- */

/* As someone types it: "152012345678". */
static const char *typed(rk_view *v, rk_i128 n)
{
    char buf[RK_NUM_TEXT_MAX];

    return rk_view_format(v, "%s", rk_num_text(buf, n));
}

static const rk_memory_options *options_of(const rk_fit_asked *f)
{
    return &f->answer->memory->options;
}

static const rk_layout *layout_of(const rk_fit_asked *f)
{
    return options_of(f)->layout;
}

/* Devices or groups of them with a batch of their own. */
static rk_i128 copies_of(const rk_layout *l)
{
    return l ? l->size[RK_MESH_DDP] * l->size[RK_MESH_FSDP] * l->size[RK_MESH_REPLICATE] : 1;
}

/* ---- the layout, in words --------------------------------------------------------------------------------------- */

static void put_laid(rk_view *v, const rk_fit_asked *f)
{
    static const char *const zero[] = {"", "; zero1: the optimizer's state in pieces",
                                       "; zero2: gradients and the optimizer's state in pieces",
                                       "; zero3: weights, gradients and the optimizer's state in pieces"};
    const rk_layout *l = layout_of(f);
    rk_str axes = {0};

    if (!l)
        return;
    for (size_t i = 0; i < RK_N_MESH; i++)
        if (l->size[i] > 1)
            rk_str_format(&axes, "%s%s: %s", axes.n ? "; " : "", rk_mesh_word[i], rk_mesh_text[i]);
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "Laid out by --layout %s --runtime %s%s. %s%s. B is the batch of each%s.",
                f->line, l->runtime.name, f->form && f->chosen ? ", the usual way (--shard)" : "",
                rk_view_keep(v, &axes), l->size[RK_MESH_FSDP] > 1 ? "" : zero[l->zero],
                copies_of(l) == rk_layout_devices(l) ? " device"
                : copies_of(l) == 1                  ? " step of them all"
                                                     : " group");
    rk_view_put_rank(v, f->answer->memory);
}

/* ---- what a device holds ---------------------------------------------------------------------------------------- */

static const rk_field held_field[] = {
    RK_COLUMN("", "what", TEXT, "what takes them"),
    RK_COLUMN("bytes", "bytes", COUNT, "on each device", .right = true, .unit = "B"),
    {.head = "", .right = true, .drop = 2},
    {.head = "share", .right = true, .drop = 1},
};
static const rk_fields held_fields = {held_field, 4};

static void put_row(rk_view *v, rk_table *t, const char *what, rk_i128 bytes, rk_i128 all)
{
    rk_cell *cell;

    if (bytes == 0)
        return;
    cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
    cell[0] = rk_view_text(what);
    cell[1] = rk_cell_count(bytes);
    cell[2] = rk_view_text(rk_view_scaled(v, bytes, "B"));
    cell[3] = rk_cell_share(bytes, all);
}

/* What is alive at the peak, by what it is; by the book, which knows no peak, all of it. */
static void put_rows(rk_view *v, rk_cell *in, const rk_fit_answer *x)
{
    const rk_memory *m = x->memory;
    const rk_i128 book[RK_N_ALIVE] = {[RK_ALIVE_WEIGHTS] = m->parameters,
                                      [RK_ALIVE_GRADIENTS] = m->gradients,
                                      [RK_ALIVE_OPTIMIZER] = m->optimizer,
                                      [RK_ALIVE_CACHE] = m->cache,
                                      [RK_ALIVE_SAVED] = m->saved};
    rk_table *t = rk_cell_list(&v->page, in, &held_fields);
    rk_cell *cell;

    rk_page_show(&v->page, t);
    for (size_t i = 0; i < RK_N_ALIVE; i++)
        put_row(v, t, rk_alive_table[i].text, m->options.profile.textbook ? book[i] : m->peak_of[i], x->needs);
    put_row(v, t, "reserved beside it by the allocator", x->needs - rk_memory_total(m), x->needs);
    cell = rk_page_row(&v->page, t, RK_ROW_TOTAL, 0);
    cell[0] = rk_view_text("all together");
    cell[1] = rk_cell_count(x->needs);
    cell[2] = rk_view_text(rk_view_scaled(v, x->needs, "B"));
}

static int by_size(const void *a, const void *b)
{
    const rk_memory_row *x = *(const rk_memory_row *const *)a, *y = *(const rk_memory_row *const *)b;
    rk_i128 m = x->bytes * x->times, n = y->bytes * y->times;

    if (m != n)
        return m < n ? 1 : -1;
    return x < y ? -1 : x > y;
}

/* All that is alive at the peak, buffer by buffer: people see the largest, and the sum of the others. */
static void put_pieces(rk_view *v, rk_cell *in, const rk_memory *m)
{
    const rk_memory_rows *all = m->options.profile.textbook ? &m->saved_rows : &m->alive;
    rk_table *t = rk_cell_list(&v->page, in, &rk_buffer_fields);
    const rk_memory_row **piece = RK_NEW_ARRAY(&v->arena, all->n + 1, const rk_memory_row *);
    size_t shown = all->n > PIECES_SHOWN ? PIECES_SHOWN : all->n;
    rk_i128 others = 0;
    rk_cell *cell;

    if (all->n == 0 || !piece)
        return;
    for (size_t i = 0; i < all->n; i++)
        piece[i] = &all->at[i];
    qsort(piece, all->n, sizeof *piece, by_size);
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "Buffer by buffer, the largest first:");
    rk_page_show(&v->page, t);
    for (size_t i = 0; i < all->n; i++) {
        rk_view_buffer(v, t, piece[i])[RK_BUFFER_FORMULA] = (rk_cell){0};
        if (i >= shown && t->row.n > 0)
            t->row.at[t->row.n - 1].kind = RK_ROW_REST;
        others += i < shown ? 0 : piece[i]->bytes * piece[i]->times;
    }
    if (shown < all->n) {
        cell = rk_page_row(&v->page, t, RK_ROW_PART, 0);
        cell[RK_BUFFER_PATH] = rk_cell_text(&v->page, "%s others", rk_view_grouped(v, (rk_i128)(all->n - shown)));
        cell[RK_BUFFER_TOTAL] = rk_cell_count(others);
    }
}

static void put_share(rk_view *v, rk_cell *answer, const rk_fit_answer *x)
{
    const rk_memory *m = x->memory;
    bool at_peak = !m->options.profile.textbook;

    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "%s%s%s%s%s:", x->devices > 1 ? "Each device holds" : "It holds",
                at_peak ? " at the peak, in " : "", at_peak ? m->peak_during : "",
                at_peak && m->peak_path ? ", at " : "", at_peak && m->peak_path ? m->peak_path : "");
    put_rows(v, &answer[ROWS], x);
}

/* ---- fits or not ------------------------------------------------------------------------------------------------ */

static void put_verdict(rk_view *v, const rk_fit_answer *x)
{
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "It %s: %s %s of %s%s%s %s.", x->fits ? "fits" : "does not fit",
                x->devices > 1 ? "each device needs" : "it needs", rk_view_scaled(v, x->needs, "B"),
                rk_view_scaled(v, x->limit, "B"), x->fits ? ", and " : ": ",
                rk_view_scaled(v, x->fits ? x->limit - x->needs : x->needs - x->limit, "B"),
                x->fits ? "are left" : "too much");
}

/* ---- how large -------------------------------------------------------------------------------------------------- */

static const char *at_text(rk_view *v, const char *name)
{
    const rk_symbol *s = name ? rk_model_symbol(v->model, name) : NULL;

    if (!s || !s->known)
        return "";
    return rk_view_format(v, " at %s = %s", s->name, rk_view_grouped(v, v->instance->value[s->sym]));
}

/* " users at once"; " on each of 4 devices, 24 sequences in all". */
static const char *all_batches(rk_view *v, const rk_fit_answer *f)
{
    rk_i128 copies = copies_of(f->memory->options.layout);
    bool decodes = f->memory->options.phase == RK_PHASE_DECODE;

    if (copies == 1)
        return !decodes ? "" : f->batch.largest == 1 ? " user at once" : " users at once";
    return rk_view_format(v, " on each of %s %s, %s %s", rk_view_grouped(v, copies),
                          copies < f->devices ? "groups" : "devices", rk_view_grouped(v, copies * f->batch.largest),
                          decodes ? "users at once" : "in all");
}

static void put_batch(rk_view *v, const rk_fit_answer *f)
{
    const rk_fit_largest *l = &f->batch;
    const char *at = at_text(v, f->length.symbol), *bytes = rk_view_scaled(v, l->bytes, "B");
    const char *next = l->state == RK_FIT_FOUND && l->next != RK_I128_MAX ? rk_view_scaled(v, l->next, "B") : bytes;
    bool grows = strcmp(next, bytes) != 0;

    if (l->state == RK_FIT_UNASKED)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "Largest batch: the equations depend on B, which cannot be searched for.");
    else if (l->state == RK_FIT_NONE)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Largest batch%s: none; %s = 1 needs %s.", at, l->symbol, bytes);
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Largest batch%s: %s = %s%s (%s%s%s)%s.", at, l->symbol,
                    rk_view_grouped(v, l->largest), all_batches(v, f), bytes, grows ? "; one more: " : "",
                    grows ? next : "", l->state == RK_FIT_BOUNDED ? "; more was not tried" : "");
}

/* What is to be said of the longest sequence beside its bytes. */
static const char *length_note(rk_view *v, const rk_fit_answer *f)
{
    const rk_symbol *tokens = rk_model_size(v->model, RK_SIZE_TOKENS);
    rk_i128 context = tokens ? tokens->context : 0;

    if (f->length.state == RK_FIT_BOUNDED)
        return f->length.most == f->positions ? ", all that it has learned" : "; more was not tried";
    if (context > 0 && f->length.largest > context)
        return rk_view_format(v, "; the config's context is %s", rk_view_grouped(v, context));
    return "";
}

static void put_length(rk_view *v, const rk_fit_answer *f)
{
    const rk_fit_largest *l = &f->length;
    const rk_symbol *s = l->symbol ? rk_model_symbol(v->model, l->symbol) : NULL;
    bool decodes = f->memory->options.phase == RK_PHASE_DECODE;

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
                    l->symbol, rk_view_scaled(v, l->bytes, "B"));
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Longest sequence%s: %s = %s (%s)%s.", at_text(v, RK_NAME_BATCH),
                    l->symbol, rk_view_grouped(v, l->largest), rk_view_scaled(v, l->bytes, "B"), length_note(v, f));
}

/* ---- how few ---------------------------------------------------------------------------------------------------- */

/* Of a layout: how many devices it has, and whether one fewer along an axis would do. */
static void put_layout(rk_view *v, const rk_fit_asked *f)
{
    const rk_layout *l = options_of(f)->layout;
    const rk_least *n = f->least;
    const char *axis = n ? rk_mesh_word[n->axis] : "",
               *devices = rk_view_counted(v, (size_t)f->answer->devices, "device");

    if (n && n->size == 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "No size of %s makes it fit: with %s=%s it still needs %s.", axis, axis,
                    typed(v, n->before), rk_view_scaled(v, n->needs, "B"));
    else if (n && n->before > 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Least that fits: %s=%s, %s in all (%s=%s needs %s).", axis,
                    typed(v, n->size), devices, axis, typed(v, n->before), rk_view_scaled(v, n->needs, "B"));
    else if (n)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Least that fits: %s=%s, %s in all.", axis, typed(v, n->size), devices);
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "The layout has %s; a size as in %s=* is found by itself.", devices,
                    l->said[RK_MESH_FSDP] ? "fsdp" : "tp");
}

static void layout_in(rk_view *v, rk_cell *in, const rk_fit_asked *f)
{
    const rk_layout *l = options_of(f)->layout;
    rk_cell *cell = rk_cell_object(&v->page, in, &fit_layout_fields);

    cell[0] = rk_cell_known(f->line);
    cell[1] = rk_cell_known(l ? l->runtime.name : NULL);
    cell[2] = rk_cell_known(f->least ? rk_mesh_word[f->least->axis] : NULL);
    if (!f->least)
        return;
    cell[3] = rk_cell_count_if(f->least->size > 0, f->least->size);
    cell[4] = rk_cell_count_if(f->least->before > 0, f->least->before);
    cell[5] = rk_cell_count_if(f->least->before > 0, f->least->needs);
}

static void put_devices(rk_view *v, const rk_fit_answer *f)
{
    const rk_least *n = &f->fewest;

    if (n->size > 0 && n->devices == 1)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Fewest devices: 1 (%s).", rk_view_scaled(v, n->bytes, "B"));
    else if (n->size > 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Fewest devices: %s, by %s (%s on each).",
                    rk_view_grouped(v, n->devices), n->line, rk_view_scaled(v, n->bytes, "B"));
    else if (n->before > 1)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Fewest devices: none; by %s, each of %s still needs %s.", n->line,
                    rk_view_grouped(v, n->devices), rk_view_scaled(v, n->needs, "B"));
    else
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Fewest devices: none; its layers cannot be shared.");
}

/* ---- how fast, at the most -------------------------------------------------------------------------------------- */

/* "88 at B = 1"; "1,205 at B = 17 (70 of each)" */
static const char *rate_text(rk_view *v, const rk_serving *s)
{
    rk_i128 n = rk_serving_bound(s) / 100;

    return rk_view_format(v, s->tokens > 1 ? "%s at B = %s (%s of each)" : "%s at B = %s", rk_view_grouped(v, n),
                          rk_view_grouped(v, s->tokens), rk_view_grouped(v, n / s->tokens));
}

/* Where each sequence gets one token in a step. */
static void put_bound(rk_view *v, const rk_fit_asked *f)
{
    const rk_serving *s = &f->serving, *most = &f->serving_most;
    const rk_symbol *b = rk_model_size(v->model, RK_SIZE_BATCH);

    if (!f->answer->fits || !s->weights_known || s->bandwidth == 0 || s->tokens != v->instance->value[b->sym])
        return;
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "Tokens a second%s, at most: %s%s%s.",
                copies_of(layout_of(f)) > 1 ? " of each group" : "", rate_text(v, s),
                most->tokens > s->tokens ? ", " : "", most->tokens > s->tokens ? rate_text(v, most) : "");
    rk_page_put(&v->page, RK_ITEM_LINE, 1, "The bound of the memory bandwidth (%s%s), no forecast.",
                rk_view_scaled(v, s->bandwidth, "B/s"), f->answer->devices > 1 ? " of each device" : "");
}

/* ---- ways out --------------------------------------------------------------------------------------------------- */

/* As it is typed: "--devices 2", "--devices 8 --shard tp=8". */
static const char *devices_option(rk_view *v, const rk_fit_asked *f)
{
    const rk_least *n = &f->answer->fewest;

    if (f->chosen || n->axis != RK_MESH_TP)
        return rk_view_format(v, "--devices %s", typed(v, n->devices));
    return rk_view_format(v, "--devices %s --shard %s", typed(v, n->devices), n->line);
}

/* A smaller number of a symbol, where it was larger and one that fits is known. */
static void add_smaller(rk_view *v, rk_str *s, const rk_fit_largest *l)
{
    const rk_symbol *x = l->symbol ? rk_model_symbol(v->model, l->symbol) : NULL;

    if (l->state == RK_FIT_NONE || l->state == RK_FIT_UNASKED || !x || l->largest >= v->instance->value[x->sym])
        return;
    rk_str_format(s, "%s%s=%s (%s)", s->n ? " or " : "", l->symbol, typed(v, l->largest),
                  rk_view_scaled(v, l->bytes, "B"));
}

/* By themselves: more devices, a smaller batch, shorter sequences.  Then one option after the other. */
static void put_ways(rk_view *v, rk_cell *in, const rk_fit_asked *f)
{
    const rk_fit_answer *x = f->answer;
    rk_str s = {0};

    if (!x->fits && x->fewest.size > 0 && x->fewest.devices > x->devices)
        rk_str_format(&s, "%s (%s on each)", devices_option(v, f), rk_view_scaled(v, x->fewest.bytes, "B"));
    if (!x->fits) {
        add_smaller(v, &s, &x->batch);
        add_smaller(v, &s, &x->length);
    }
    if (s.n > 0 || f->savings.n > 0)
        rk_page_gap(&v->page);
    if (s.n > 0)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "It would fit with %s.", rk_str_text(&s));
    rk_view_put_savings(v, in, &f->savings, &f->room);
    rk_str_free(&s);
}

/* ---- what a device has ------------------------------------------------------------------------------------------ */

/* "Programs see 85.0 GB of a device; a context takes 812 MB (--memory, --reserve)." */
static void put_room(rk_view *v, const rk_fit_asked *f)
{
    bool nominal = f->device && !f->memory_given && !f->device->seen;
    rk_str s = {0};

    rk_str_format(&s, f->memory_given ? "A device has %s" : "Programs see %s of a device",
                  rk_view_scaled(v, f->memory, "B"));
    if (nominal)
        rk_str_put(&s, " (nominal: no source has seen it)");
    if (f->reserve_given)
        rk_str_format(&s, "; %s are left alone", rk_view_scaled(v, f->reserve, "B"));
    else if (f->reserve > 0)
        rk_str_format(&s, "; a context takes %s", rk_view_scaled(v, f->reserve, "B"));
    else if (f->device && f->device->reserve_sources)
        rk_str_put(&s, ", a context taken off already");
    else
        rk_str_put(&s, "; what a context takes is not taken off");
    rk_page_put(&v->page, RK_ITEM_LINE, 0, "%s (%s--reserve).", rk_view_keep(v, &s),
                f->memory_given ? "" : "--memory, ");
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
    answer[DEVICES] = rk_cell_count(x->devices);
    answer[FITS] = rk_cell_truth(x->fits);
    answer[NEEDS] = rk_cell_count(x->needs);
    answer[LEFT] = rk_cell_count(x->limit - x->needs);
    answer[NEEDS_OF] = rk_cell_name(x->reserved ? "reserved" : "tensors");
    answer[DURING] = rk_cell_known(options_of(f)->profile.textbook ? NULL : x->memory->peak_during);
    largest_in(v, &answer[BATCH], &x->batch);
    largest_in(v, &answer[LENGTH], &x->length);
    if (layout_of(f) || f->least)
        layout_in(v, &answer[LAYOUT], f);
    if (f->form) {
        const rk_least *n = &x->fewest;

        answer[FEWEST] = rk_cell_count_if(n->size > 0, n->devices);
        answer[FEWEST_LAYOUT] = rk_cell_known(n->size > 0 && n->devices > 1 ? n->line : NULL);
        answer[n->size > 0 ? FEWEST_NEEDS : LEAST_NEEDS] = rk_cell_count(n->size > 0 ? n->bytes : n->needs);
    }
    if (options_of(f)->phase == RK_PHASE_DECODE && f->serving.weights_known)
        step_in(v, &answer[STEP], &f->serving);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

/* Whoever means a cache of so many tokens says T. */
static void put_fresh(rk_view *v, const rk_fit_asked *f)
{
    const rk_symbol *fresh = rk_model_size(v->model, RK_SIZE_TOKENS), *keys = rk_model_size(v->model, RK_SIZE_KEYS);
    rk_i128 n = fresh && fresh->known ? v->instance->value[fresh->sym] : 1;

    if (options_of(f)->phase == RK_PHASE_DECODE && n > 1 && keys && v->instance->value[keys->sym] == n)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "%s are new tokens, here all in one step: a cache of so many, and one new token, is %s=%s alone.",
                    fresh->name, keys->name, typed(v, n));
}

static void put_measure(rk_view *v, const rk_fit_answer *x)
{
    if (x->reserved)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "Bytes are those that PyTorch's allocator reserves, an estimate.");
    else if (x->memory->options.phase == RK_PHASE_TRAIN && !x->memory->options.profile.textbook)
        rk_page_put(&v->page, RK_ITEM_LINE, 0,
                    "Bytes are those of tensors and workspaces; an allocator reserves some more.");
}

/* What people see with --details alone. */
static void put_details(rk_view *v, rk_cell *answer, const rk_fit_asked *f)
{
    const rk_fit_answer *x = f->answer;
    bool decodes = options_of(f)->phase == RK_PHASE_DECODE;
    size_t first = v->page.item.n;

    put_pieces(v, &answer[PIECES], x->memory);
    if (decodes)
        rk_view_put_serving(v, x->memory, &f->serving);
    if (decodes && layout_of(f))
        rk_page_put(&v->page, RK_ITEM_NOTE, 0,
                    "On each device, for the tokens of all that share a layer; what they send each other is not "
                    "counted.");
    if (!f->details)
        rk_page_only_from(&v->page, first, RK_FOR_PROGRAMS);
}

static void fill(rk_view *v, const rk_fit_asked *f)
{
    rk_cell *answer = rk_view_answer(v, &rk_answer_fit);
    const rk_fit_answer *x = f->answer;
    rk_str s = {0};

    put_answer(v, answer, f);
    if (x->devices > 1)
        rk_str_format(&s, "%s × ", rk_view_grouped(v, x->devices));
    rk_str_put(&s, f->device ? f->device->key : rk_view_scaled(v, f->memory, "B"));
    rk_page_put(&v->page, RK_ITEM_TITLE, 0, "%s: %s on %s", v->model->name, rk_phase_text[options_of(f)->phase],
                rk_view_keep(v, &s));
    rk_view_put_like(v);
    rk_view_put_run(v);
    put_fresh(v, f);

    rk_page_gap(&v->page);
    put_verdict(v, x);
    put_batch(v, x);
    put_length(v, x);
    if (f->form)
        put_devices(v, x);
    else
        put_layout(v, f);
    if (options_of(f)->phase == RK_PHASE_DECODE)
        put_bound(v, f);
    put_ways(v, &answer[SAVINGS], f);
    rk_view_put_recipes(v, &answer[RECIPES], &f->recipes, &f->room);
    put_share(v, answer, x);
    put_details(v, answer, f);

    rk_page_gap(&v->page);
    rk_view_put_assumptions(v, options_of(f));
    rk_view_put_storage(v, x->memory);
    put_room(v, f);
    put_laid(v, f);
    put_measure(v, x);
    if (!f->details)
        rk_page_put(&v->page, RK_ITEM_LINE, 0, "--details: what is alive at the peak, buffer by buffer%s.",
                    options_of(f)->phase == RK_PHASE_DECODE ? ", and the memory traffic" : "");
}

int rk_report_fit(const rk_report *r, const rk_ledger *l, const rk_fit_asked *f, rk_err *err)
{
    rk_view v;

    rk_view_begin(&v, r, l, err);
    fill(&v, f);
    return rk_view_end(&v);
}

/* SPDX-License-Identifier: MIT */
/*
 * Layers that find the same are walked once.
 *
 * A list of tasks without loops does its effects in a fixed order, and reaches nothing but the slots and the places of
 * its frame that these name, and the entries that stand there.  So what a run of it does follows from what it finds in
 * those that it reads before it writes them: which have an entry, which have the same one, what each entry is and how
 * it counts, and whether its holders last.  How many of these there are decides nothing else: an entry that has lived
 * through a run does so wherever it has more holders than were taken from it at any time, and one that has died does so
 * where it has as many.  Where a run finds what another found, it does the same: as many bytes more or less of each
 * kind, the largest sum as far above that at its beginning, the same entries left behind.  That is noted of one run and
 * added for the others.  Nothing is assumed of layers: what a run finds is compared each time.
 *
 * Three effects look further and are never repeated: what is held in the row of caches, and what is counted as gone
 * from before the step.
 */
#include "pass/walking.h"

#include "base/vec.h"
#include "base/work.h"

#include <string.h>

#define NOTES_MAX 4 /* of one list: where its runs keep differing, notes are not worth taking */

/* What an entry is. */
typedef struct entry {
    uint32_t buffer;
    uint32_t holders; /* 0: it has died */
    uint32_t needed;  /* of one that is found: it lives with more than so many; of one that dies: all that it has */
    rk_live as;
    bool saved;
} entry;

/* Buffers that there are more of after a run; fewer: they wrap around. */
typedef struct change {
    uint32_t buffer;
    uint64_t count, kept, saved;
} change;

/* What one run found and did; sums are those beyond what there was at its beginning. */
typedef struct rk_repeat_note {
    uint32_t *read_as; /* which of the entries each place had that is read before it is written; RK_NONE: none */
    entry *before, *after;
    size_t n_before, n_after; /* entries that were found; and those that it has left, too */
    uint32_t *at;             /* where each of them is, of the run that is being compared */
    uint32_t *written_as;     /* which of them each place has afterwards that is written */
    rk_i128 sum, alive[RK_N_LIVE];
    change *change;
    size_t n_change;
    size_t n_event;
    rk_moment most; /* its largest moment; no event: nothing is born */
    RK_VEC(rk_scene) scene;
    rk_scene last;               /* that is being shown when it ends */
    struct rk_repeat_note *next; /* of another run of the list */
} rk_repeat_note;

/* A list: which slots it names, and then, from n_slot on, which places of its frame. */
typedef struct rk_repeat {
    bool loops;       /* there are loops in it, which is no case for this */
    bool seen, plain; /* it has been run; and it touches only these */
    bool opens;       /* some operation of it is shown */
    uint32_t *read;   /* before it is written */
    uint32_t *written;
    size_t n_read, n_written;
    rk_repeat_note *note; /* of runs that differ, the one that was last repeated first; NULL: of none yet */
    size_t n_note;
} rk_repeat;

bool rk_walk_begin_repeats(rk_walk *w)
{
    bool counted_once = w->s->n_act == 0; /* micro-batches are not all counted alike */

    if (!counted_once || w->census || (w->watcher && (w->watcher->event || w->watcher->save)))
        return true;
    w->repeat = RK_NEW_ARRAY(w->own, w->s->n_list + 1, rk_repeat);
    for (size_t i = 0; w->repeat && i < w->s->n_list; i++)
        for (size_t k = 0; k < w->s->list[i].n_item && !w->repeat[i].loops; k++)
            w->repeat[i].loops = w->s->list[i].item[k].run != NULL;
    return w->repeat != NULL;
}

/* ---- what a list touches ---------------------------------------------------------------------------------------- */

enum {
    READ = 1,
    WRITTEN = 2
};

/* Places that are touched for the first time. */
typedef struct touching {
    rk_repeat *r;
    unsigned char *how; /* of each place */
} touching;

static void touch_read(const touching *t, uint32_t place)
{
    if (t->how[place] == 0)
        t->r->read[t->r->n_read++] = place;
    t->how[place] |= READ;
}

static void touch_written(const touching *t, uint32_t place)
{
    if (!(t->how[place] & WRITTEN))
        t->r->written[t->r->n_written++] = place;
    t->how[place] |= WRITTEN;
}

/* Whether `other` of an effect is a place of the frame. */
static bool is_in_frame(rk_effect_kind k)
{
    return k == RK_EFFECT_SAVE || k == RK_EFFECT_LEND || k == RK_EFFECT_PUT || k == RK_EFFECT_RESTORE ||
           k == RK_EFFECT_FREE_SAVED;
}

/* False: the effect reaches further. */
static bool touch(const touching *t, const rk_effect *e, uint32_t frame)
{
    switch (e->kind) {
    case RK_EFFECT_MAKE:
        touch_written(t, e->slot);
        return true;
    case RK_EFFECT_SHARE:
    case RK_EFFECT_MOVE:
        touch_read(t, e->other);
        if (e->kind == RK_EFFECT_MOVE)
            touch_written(t, e->other);
        if (e->slot != RK_NONE)
            touch_written(t, e->slot);
        return true;
    case RK_EFFECT_SAVE:
    case RK_EFFECT_LEND:
    case RK_EFFECT_PUT:
        touch_read(t, e->slot);
        touch_written(t, frame + e->other);
        return true;
    case RK_EFFECT_RESTORE:
        touch_read(t, frame + e->other);
        touch_written(t, e->slot);
        return true;
    case RK_EFFECT_FREE:
        touch_read(t, e->slot);
        touch_written(t, e->slot);
        return true;
    case RK_EFFECT_FREE_SAVED:
        touch_read(t, frame + e->other);
        touch_written(t, frame + e->other);
        return true;
    case RK_EFFECT_CACHE:
    case RK_EFFECT_UNCACHE:
    case RK_EFFECT_LEAVE:
        return false;
    }
    return false;
}

/* How many slots and places of its frame a list could name: a backward list has those of the forward one. */
static size_t count_places(const rk_step *s, const rk_step_list *l)
{
    size_t most = 0;

    for (const rk_step_item *i = l->item, *end = i + l->n_item; i < end; i++) {
        const rk_effect *e = s->effect + s->task[i->task].effect;

        for (size_t k = 0; k < s->task[i->task].n_effect; k++)
            if (is_in_frame(e[k].kind) && e[k].other >= most)
                most = (size_t)e[k].other + 1;
    }
    return s->n_slot + most;
}

/* Whether a list touches only what is noted here; false, too, where there is no memory: it is then run as it is. */
static bool find_touched(rk_walk *w, const rk_step_list *l, rk_repeat *r)
{
    const rk_step *s = w->s;
    size_t n = count_places(s, l);
    touching t = {r, RK_NEW_ARRAY(w->own, n + 1, unsigned char)};

    r->read = RK_NEW_ARRAY(w->own, n + 1, uint32_t);
    r->written = RK_NEW_ARRAY(w->own, n + 1, uint32_t);
    if (!t.how || !r->read || !r->written)
        return false;
    for (const rk_step_item *i = l->item, *end = i + l->n_item; i < end; i++) {
        const rk_task *task = &s->task[i->task];

        for (size_t k = 0; k < task->n_effect; k++)
            if (!touch(&t, &s->effect[task->effect + k], (uint32_t)s->n_slot))
                return false;
        if (task->stage == RK_STAGE_NONE)
            continue;
        r->opens |= task->opens;
        if (task->closes && !r->opens) /* what it shows has begun elsewhere */
            return false;
    }
    return true;
}

/* ---- what a run finds ------------------------------------------------------------------------------------------- */

static uint32_t *at_place(const rk_walk *w, uint32_t *saved, uint32_t place)
{
    return place < w->s->n_slot ? &w->slot[place] : &saved[place - w->s->n_slot];
}

static entry entry_of(const rk_walk_live *l)
{
    return (entry){.buffer = l->buffer, .holders = l->holders, .as = l->as, .saved = l->saved};
}

/* Whether an entry is what was noted of another, and will live or die as that one did. */
static bool is_alike(const rk_walk_live *l, const entry *before, const entry *after)
{
    bool lasts = after->holders > 0 ? l->holders > before->needed : l->holders == before->holders;

    return lasts && l->buffer == before->buffer && l->as == before->as && l->saved == before->saved;
}

/* Whether it is the one with this number of those that are looked at; a new one gets it. */
static bool looks_like(rk_walk *w, rk_walk_live *l, uint32_t number, const rk_repeat_note *note, size_t *n)
{
    if (l->looked_at == w->n_look)
        return l->number == number;
    if (number != *n)
        return false;
    l->looked_at = w->n_look;
    l->number = number;
    ++*n;
    return is_alike(l, &note->before[number], &note->after[number]);
}

/* Whether a run finds what the one that was noted found. */
static bool finds_same(rk_walk *w, const rk_repeat *r, uint32_t *saved, const rk_repeat_note *note)
{
    size_t n = 0;

    w->n_look++;
    for (size_t i = 0; i < r->n_read; i++) {
        uint32_t e = *at_place(w, saved, r->read[i]), number = note->read_as[i];

        if (e == RK_NONE || number == RK_NONE) {
            if (e != number)
                return false;
            continue;
        }
        if (!looks_like(w, &w->live[e], number, note, &n))
            return false;
        note->at[number] = e;
    }
    return true;
}

/* ---- taking notes ----------------------------------------------------------------------------------------------- */

void rk_walk_note_scene(rk_walk *w)
{
    rk_scene *slot = RK_PUSH(w->own, &w->noting->scene);

    if (slot)
        *slot = w->scene;
}

static void subtract(rk_i128 *a, const rk_i128 *b)
{
    for (size_t i = 0; i < RK_N_LIVE; i++)
        a[i] -= b[i];
}

static void add(rk_i128 *a, const rk_i128 *b)
{
    for (size_t i = 0; i < RK_N_LIVE; i++)
        a[i] += b[i];
}

/* The entries that a run finds. */
static void note_before(rk_walk *w, const rk_repeat *r, uint32_t *saved, rk_repeat_note *note)
{
    w->n_look++;
    for (size_t i = 0; i < r->n_read; i++) {
        uint32_t e = *at_place(w, saved, r->read[i]);
        rk_walk_live *l = e == RK_NONE ? NULL : &w->live[e];

        note->read_as[i] = RK_NONE;
        if (!l)
            continue;
        if (l->looked_at != w->n_look) {
            l->looked_at = w->n_look;
            l->number = (uint32_t)note->n_before;
            l->fewest = l->holders;
            note->at[note->n_before] = e;
            note->before[note->n_before++] = entry_of(l);
        }
        note->read_as[i] = l->number;
    }
}

/* … and those that it leaves: an entry that has died is looked at no longer, whether or not another has its place. */
static void note_after(rk_walk *w, const rk_repeat *r, uint32_t *saved, rk_repeat_note *note)
{
    note->n_after = note->n_before;
    for (size_t i = 0; i < note->n_before; i++) {
        const rk_walk_live *l = &w->live[note->at[i]];

        if (l->looked_at == w->n_look && l->number == i) {
            note->after[i] = entry_of(l);
            note->before[i].needed = note->before[i].holders - l->fewest;
        }
    }
    for (size_t i = 0; i < r->n_written; i++) {
        uint32_t e = *at_place(w, saved, r->written[i]);
        rk_walk_live *l = e == RK_NONE ? NULL : &w->live[e];

        note->written_as[i] = RK_NONE;
        if (!l)
            continue;
        if (l->looked_at != w->n_look) {
            l->looked_at = w->n_look;
            l->number = (uint32_t)note->n_after;
            note->after[note->n_after++] = entry_of(l);
        }
        note->written_as[i] = l->number;
    }
}

static bool note_changes(rk_walk *w, const uint64_t *count, const uint64_t *kept, const uint64_t *saved,
                         rk_repeat_note *note)
{
    const rk_step *s = w->s;
    RK_VEC(change) all = {0};

    for (uint32_t i = 0; i < s->n_buffer; i++) {
        change c = {.buffer = i,
                    .count = w->count[i] - count[i],
                    .kept = w->kept[i] - kept[i],
                    .saved = i < s->n_place ? w->out->saved[i] - saved[i] : 0};
        change *slot = c.count || c.kept || c.saved ? RK_PUSH(w->own, &all) : NULL;

        if (slot)
            *slot = c;
        else if (c.count || c.kept || c.saved)
            return false;
    }
    note->change = all.at;
    note->n_change = all.n;
    return true;
}

/* The largest moment of what was run since `before`, where all of them were noted from nothing on. */
static void join_moment(rk_moment *into, const rk_moment *most)
{
    if (most->event == 0 || most->bytes <= into->bytes)
        return;
    into->bytes = most->bytes;
    memcpy(into->live, most->live, sizeof into->live);
    into->op = most->op;
    into->event = most->event;
}

/* Runs the tasks and notes what they did.  Without memory for it, they are run all the same. */
static void run_noted(rk_walk *w, const rk_step_list *l, rk_repeat *r, uint32_t *saved)
{
    const rk_step *s = w->s;
    rk_repeat_note *note = RK_NEW(w->own, rk_repeat_note);
    size_t n = r->n_read + r->n_written + 1;
    uint64_t *count = rk_arena_copy_array(w->own, w->count, s->n_buffer, sizeof *count);
    uint64_t *kept = rk_arena_copy_array(w->own, w->kept, s->n_buffer, sizeof *kept);
    uint64_t *so_far = rk_arena_copy_array(w->own, w->out->saved, s->n_place, sizeof *so_far);
    rk_moment *outer = w->moment, most = {.bytes = -RK_I128_MAX};
    rk_i128 sum = w->sum, alive[RK_N_LIVE];
    size_t n_event = w->n_event;

    r->n_note++;
    if (note) {
        note->read_as = RK_NEW_ARRAY(w->own, n, uint32_t);
        note->written_as = RK_NEW_ARRAY(w->own, n, uint32_t);
        note->before = RK_NEW_ARRAY(w->own, n, entry);
        note->after = RK_NEW_ARRAY(w->own, n, entry);
        note->at = RK_NEW_ARRAY(w->own, n, uint32_t);
    }
    if (w->own->failed) {
        rk_walk_tasks(w, l, saved);
        return;
    }
    memcpy(alive, w->alive, sizeof alive);
    note_before(w, r, saved, note);
    w->moment = &most;
    w->noting = note;
    rk_walk_tasks(w, l, saved);
    w->noting = NULL;
    w->moment = outer;
    join_moment(outer, &most);
    note_after(w, r, saved, note);
    note->sum = w->sum - sum;
    memcpy(note->alive, w->alive, sizeof alive);
    subtract(note->alive, alive);
    note->n_event = w->n_event - n_event;
    note->most = most;
    if (most.event > 0) {
        note->most.bytes -= sum;
        subtract(note->most.live, alive);
        note->most.event -= n_event;
    }
    for (size_t i = 0; i < note->scene.n; i++) {
        note->scene.at[i].sum -= sum;
        subtract(note->scene.at[i].bytes, alive);
    }
    note->last = w->scene;
    note->last.sum -= sum;
    subtract(note->last.bytes, alive);
    if (note_changes(w, count, kept, so_far, note) && !w->own->failed) {
        note->next = r->note;
        r->note = note;
    }
}

/* ---- repeating -------------------------------------------------------------------------------------------------- */

/* Shows what was noted as if it were done here. */
static void show_again(rk_walk *w, const rk_repeat_note *note)
{
    for (size_t i = 0; i < note->scene.n; i++) {
        const rk_scene *s = &note->scene.at[i];

        if (w->watcher->passes_over &&
            w->watcher->passes_over(w->watcher->self, s->stage, w->layer[0], w->sum + s->sum))
            continue;
        w->scene = *s;
        w->scene.sum += w->sum;
        add(w->scene.bytes, w->alive);
        w->watcher->op(w->watcher->self, &w->scene);
    }
    w->scene = note->last;
    w->scene.sum += w->sum;
    add(w->scene.bytes, w->alive);
}

static uint32_t new_entry(rk_walk *w)
{
    uint32_t i = w->dead != RK_NONE ? w->dead : (uint32_t)w->n_live++;

    if (w->n_live > w->most) {
        w->n_live = w->most;
        w->full = true;
        return RK_NONE;
    }
    if (i == w->dead)
        w->dead = w->live[i].holders;
    return i;
}

static void leave_entries(rk_walk *w, const rk_repeat *r, uint32_t *saved)
{
    const rk_repeat_note *note = r->note;
    uint32_t *at = note->at;

    for (size_t i = note->n_before; i < note->n_after && !w->full; i++)
        at[i] = new_entry(w);
    for (size_t i = 0; i < note->n_after && !w->full; i++) {
        const entry *e = &note->after[i];
        rk_walk_live *l = &w->live[at[i]];
        uint32_t more = i < note->n_before ? l->holders - note->before[i].holders : 0; /* fewer: it wraps around */

        *l = (rk_walk_live){.buffer = e->buffer, .holders = e->holders + more, .as = e->as, .saved = e->saved};
        if (e->holders == 0) {
            l->holders = w->dead;
            w->dead = at[i];
        }
    }
    for (size_t i = 0; i < r->n_written; i++) {
        uint32_t number = note->written_as[i];

        *at_place(w, saved, r->written[i]) = number == RK_NONE || w->full ? RK_NONE : at[number];
    }
}

static void repeat(rk_walk *w, const rk_repeat *r, uint32_t *saved)
{
    const rk_repeat_note *note = r->note;

    if (w->watcher && w->watcher->op)
        show_again(w, note);
    if (!w->looking && note->most.event > 0 && w->sum + note->most.bytes > w->moment->bytes) {
        rk_moment *m = w->moment;

        m->bytes = w->sum + note->most.bytes;
        memcpy(m->live, note->most.live, sizeof m->live);
        add(m->live, w->alive);
        m->op = note->most.op;
        m->event = w->n_event + note->most.event;
    }
    w->sum += note->sum;
    add(w->alive, note->alive);
    w->n_event += note->n_event;
    for (size_t i = 0; i < note->n_change; i++) {
        const change *c = &note->change[i];

        w->count[c->buffer] += c->count;
        w->kept[c->buffer] += c->kept;
        if (c->saved && !w->looking) /* only places are counted so */
            w->out->saved[c->buffer] += c->saved;
    }
    leave_entries(w, r, saved);
}

/* Whether the second walk has to look at something inside of a run. */
static bool looks_inside(const rk_walk *w, const rk_repeat_note *note)
{
    return w->looking && w->moment->event > w->n_event && w->moment->event <= w->n_event + note->n_event;
}

bool rk_walk_repeats(const rk_walk *w, uint32_t list)
{
    return w->repeat && w->n_layer > 0 && !w->repeat[list].loops;
}

void rk_walk_repeat(rk_walk *w, uint32_t list, uint32_t *saved)
{
    const rk_step_list *l = &w->s->list[list];
    rk_repeat *r = &w->repeat[list];
    rk_repeat_note **note = &r->note, *same;
    bool again = r->seen;

    if (again && !r->read)
        r->plain = find_touched(w, l, r);
    r->seen = true;
    if (!again || !r->plain || (w->watcher && !r->opens)) {
        rk_walk_tasks(w, l, saved);
        return;
    }
    while (*note && !finds_same(w, r, saved, *note))
        note = &(*note)->next;
    if ((same = *note) && !looks_inside(w, same)) {
        *note = same->next;
        same->next = r->note;
        r->note = same;
        repeat(w, r, saved);
        return;
    }
    if (same || w->looking || r->n_note == NOTES_MAX)
        rk_walk_tasks(w, l, saved);
    else
        run_noted(w, l, r, saved);
}

/* SPDX-License-Identifier: MIT */
#include "ask/sweep.h"

#include "base/platform.h"
#include "base/work.h"

#include <string.h>
#if RK_HAS_THREADS
#include <pthread.h>
#include <time.h>
#endif

#define BLOCK 1024          /* points that are handed on together */
#define FEW_POINTS 256      /* for so few no thread is worth its start */
#define BLOCKS_PER_THREAD 3 /* so that a thread need not wait while a block is written */
#define LOOK_NS 20000000    /* of waiting, before who asked hears that the threads are at work, and may stop them */
#define THREADS_MAX (RK_HAS_THREADS ? 64 : 1)

typedef struct block {
    rk_i128 first;
    size_t n;
    bool is_full;
    rk_reading *reading;
    rk_str text;
    int code; /* of the point after the last one */
    rk_err err;
} block;

typedef struct sweeping {
    const rk_sweep *s;
    rk_i128 points;
    rk_arena arena;
    block *block; /* a ring */
    size_t n_block;
} sweeping;

/* ---- points ----------------------------------------------------------------------------------------------------- */

/* A place in the grid: the last range varies fastest. */
typedef struct place {
    rk_i128 index[RK_SWEEP_SYMBOLS_MAX], number[RK_SWEEP_SYMBOLS_MAX];
} place;

static place place_of(const rk_sweep *s, rk_i128 point)
{
    place p = {0};

    for (size_t i = s->n_range; i-- > 0;) {
        p.index[i] = point % s->range[i].n;
        p.number[i] = rk_range_at(&s->range[i], p.index[i]);
        point /= s->range[i].n;
    }
    return p;
}

static void next_place(const rk_sweep *s, place *p)
{
    for (size_t i = s->n_range; i-- > 0;) {
        bool is_last = ++p->index[i] == s->range[i].n;

        p->index[i] = is_last ? 0 : p->index[i];
        p->number[i] = rk_range_at(&s->range[i], p->index[i]);
        if (!is_last)
            return;
    }
}

/* "at S = 1,024, B = 2: " before what went wrong there. */
static int fail_point(const rk_sweep *s, const rk_i128 *number, int code, rk_err *err)
{
    rk_str at = {0};
    char text[RK_NUM_TEXT_MAX];
    rk_err why = *err;

    for (size_t i = 0; i < s->n_range; i++)
        rk_str_format(&at, "%s%s = %s", i ? ", " : "", s->range[i].symbol, rk_num_grouped(text, number[i]));
    rk_fail(err, code, "at %s: %s", rk_str_text(&at), why.message);
    rk_str_free(&at);
    return code;
}

static int read_place(const rk_sweep *s, rk_gauge **g, const rk_i128 *number, rk_reading *out, rk_err *err)
{
    int code = RK_OK;

    if (!*g)
        code = rk_gauge_new(s->source, s->measure, s->n_measure, number, g, err);
    if (code != RK_OK)
        return code; /* what is wrong with the model is wrong at every point */
    code = rk_gauge_read(*g, number, out, err);
    return code == RK_OK ? RK_OK : fail_point(s, number, code, err);
}

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

static void fill(sweeping *w, rk_gauge **g, block *b)
{
    const rk_sweep *s = w->s;
    place at = place_of(s, b->first);

    rk_str_reset(&b->text);
    b->code = RK_OK;
    for (b->n = 0; b->n < BLOCK && b->first + (rk_i128)b->n < w->points; b->n++) {
        rk_reading *r = &b->reading[b->n * s->n_measure];

        if (!rk_work(1))
            break;
        b->code = read_place(s, g, at.number, r, &b->err);
        if (b->code != RK_OK)
            break;
        if (!s->sink.row)
            s->sink.format(s->sink.self, at.number, r, &b->text);
        next_place(s, &at);
    }
    /* Rows for which memory ran out, or that were stopped, may be wrong: none of them is handed on. */
    if (rk_heap_failed() || rk_work_check(NULL) != RK_OK) {
        b->code = rk_heap_end(b->code, &b->err);
        b->n = 0;
        rk_str_reset(&b->text);
    }
}

/* Hands a block on; on failure the rows before it first. */
static int hand_on(const sweeping *w, const block *b, rk_err *err)
{
    const rk_sweep *s = w->s;
    place at = place_of(s, b->first);
    int code = RK_OK;

    if (!s->sink.row && b->text.failed)
        return rk_fail_memory(err);
    if (!s->sink.row)
        code = s->sink.put(s->sink.self, rk_str_text(&b->text), b->text.n, err);
    for (size_t i = 0; s->sink.row && i < b->n && code == RK_OK; i++) {
        code = s->sink.row(s->sink.self, at.number, &b->reading[i * s->n_measure], err);
        next_place(s, &at);
    }
    if (code == RK_OK && b->code != RK_OK) {
        *err = b->err;
        code = b->code;
    }
    if (code == RK_OK && !rk_work_tell((double)(b->first + (rk_i128)b->n), (double)w->points))
        code = rk_work_check(err);
    return code;
}

static int run_alone(sweeping *w, rk_err *err)
{
    rk_gauge *g = NULL;
    int code = RK_OK;

    for (rk_i128 at = 0; at < w->points && code == RK_OK; at += BLOCK) {
        w->block[0].first = at;
        fill(w, &g, &w->block[0]);
        code = hand_on(w, &w->block[0], err);
    }
    rk_gauge_free(g);
    return code;
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

#if RK_HAS_THREADS

typedef struct crew {
    sweeping *w;
    rk_i128 next; /* block that no one has taken */
    rk_i128 done; /* blocks handed on */
    bool stops;
    rk_work_meter *meter; /* of who asked; NULL: none */
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
} crew;

/* The next block that no one has taken, once its place in the ring is free; NULL: there is none. */
static block *take_block(crew *c)
{
    const sweeping *w = c->w;
    block *b = NULL;

    pthread_mutex_lock(&c->lock);
    while (!c->stops && c->next * BLOCK < w->points && c->next >= c->done + (rk_i128)w->n_block)
        pthread_cond_wait(&c->emptied, &c->lock);
    if (!c->stops && c->next * BLOCK < w->points) {
        b = &w->block[c->next % (rk_i128)w->n_block];
        b->first = c->next++ * BLOCK;
    }
    pthread_mutex_unlock(&c->lock);
    return b;
}

static void *work(void *self)
{
    crew *c = self;
    rk_gauge *g = NULL;

    rk_work_join(c->meter);
    for (block *b; (b = take_block(c));) {
        fill(c->w, &g, b);
        pthread_mutex_lock(&c->lock);
        b->is_full = true;
        pthread_cond_signal(&c->filled);
        pthread_mutex_unlock(&c->lock);
    }
    rk_gauge_free(g);
    return NULL;
}

/* Waits for a block; who asked is heard meanwhile, and once he wants no more it comes soon. */
static void await_block(crew *c, const block *b)
{
    struct timespec until;

    pthread_mutex_lock(&c->lock);
    while (!b->is_full) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&c->filled, &c->lock, &until) == 0)
            continue;
        pthread_mutex_unlock(&c->lock);
        rk_work_look();
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
}

static int collect(crew *c, rk_err *err)
{
    sweeping *w = c->w;
    int code = RK_OK;

    for (rk_i128 i = 0; i * BLOCK < w->points && code == RK_OK; i++) {
        block *b = &w->block[i % (rk_i128)w->n_block];

        await_block(c, b);
        code = hand_on(w, b, err);
        pthread_mutex_lock(&c->lock);
        b->is_full = false;
        c->done++;
        c->stops = code != RK_OK;
        pthread_cond_broadcast(&c->emptied);
        pthread_mutex_unlock(&c->lock);
    }
    return code;
}

static int run_threads(sweeping *w, unsigned threads, rk_err *err)
{
    crew c = {.w = w, .meter = rk_work_here(), .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread[THREADS_MAX];
    unsigned n = 0;
    int code = RK_OK;

    pthread_cond_init(&c.filled, NULL);
    pthread_cond_init(&c.emptied, NULL);
    while (n < threads && pthread_create(&thread[n], NULL, work, &c) == 0)
        n++;
    code = n > 0 ? collect(&c, err) : rk_fail(err, RK_EIO, "no thread can be started");
    while (n > 0)
        pthread_join(thread[--n], NULL);
    pthread_cond_destroy(&c.filled);
    pthread_cond_destroy(&c.emptied);
    return code;
}

#else

static int run_threads(sweeping *w, unsigned threads, rk_err *err)
{
    (void)threads;
    return run_alone(w, err);
}

#endif

/* ---- all -------------------------------------------------------------------------------------------------------- */

int rk_sweep_run(const rk_sweep *s, rk_err *err)
{
    sweeping w = {.s = s};
    unsigned threads;
    int code = rk_sweep_points(s->range, s->n_range, &w.points, err);

    if (code != RK_OK)
        return code;
    threads = s->threads ? s->threads : rk_core_count();
    threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    threads = w.points <= FEW_POINTS ? 1 : threads;
    w.n_block = threads > 1 ? (size_t)threads * BLOCKS_PER_THREAD : 1;
    w.block = RK_NEW_ARRAY(&w.arena, w.n_block, block);
    for (size_t i = 0; w.block && i < w.n_block; i++)
        w.block[i].reading = RK_NEW_ARRAY(&w.arena, BLOCK * (s->n_measure + 1), rk_reading);
    if (w.arena.failed)
        code = rk_fail_memory(err);
    else
        code = threads > 1 ? run_threads(&w, threads, err) : run_alone(&w, err);
    for (size_t i = 0; w.block && i < w.n_block; i++)
        rk_str_free(&w.block[i].text);
    rk_arena_free(&w.arena);
    rk_work_tell(0, 0);
    return code;
}

/* SPDX-License-Identifier: MIT */
#include "pass/census.h"

#include <string.h>

#define CROWD 32 /* rows of a key from which on those between others are looked for */
#define KINDS 8  /* of layers in turn whose lines are found on the way */

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

uint32_t rk_census_size(rk_census *c, rk_ex bytes)
{
    rk_ex e = c->expands ? rk_ex_expand_defs(c->pool, bytes) : bytes;
    uint32_t found = rk_map_get(&c->seen, (const char *)&e, sizeof e);
    rk_ex *slot = found == RK_NONE && e != RK_EX_FAILED ? RK_PUSH(c->arena, &c->size) : NULL;

    if (found != RK_NONE)
        return found;
    if (!slot || !rk_map_put(c->arena, &c->seen, (const char *)&e, sizeof e, (uint32_t)c->size.n - 1)) {
        c->failed = true;
        return 0;
    }
    *slot = e;
    return (uint32_t)c->size.n - 1;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

/* Takes out what lies on lines; layers of some kinds in turn go along as many lines. */
static void thin_out(rk_census *c, rk_census_key *k)
{
    size_t before = k->rows.n;

    c->failed |= !rk_rows_drop_between(&k->rows, c->width, KINDS, c->arena, &c->unused);
    c->n_held -= before - k->rows.n;
    k->crowd = 2 * k->rows.n > CROWD ? 2 * k->rows.n : CROWD;
    c->full |= c->n_held > RK_CENSUS_ROWS_MAX;
}

static uint32_t *room_for_row(rk_census *c)
{
    return c->unused.n > 0 ? c->unused.at[--c->unused.n] : RK_NEW_ARRAY(c->arena, c->width + 1, uint32_t);
}

static void add_row(rk_census *c, rk_census_key *k)
{
    uint32_t *row = room_for_row(c), **slot = row ? RK_PUSH(c->arena, &k->rows) : NULL;

    if (!slot) {
        c->failed = true;
        return;
    }
    *slot = memcpy(row, c->alive, c->width * sizeof *row);
    c->n_held++;
    if (k->rows.n > k->crowd)
        thin_out(c, k);
}

static void note_row(rk_census *c)
{
    rk_census_key *k = &c->of_key[c->late * c->n_key + c->key];
    uint32_t *last = k->rows.n > 0 ? k->rows.at[k->rows.n - 1] : NULL;

    if (last && rk_row_covers(last, c->alive, c->width))
        return;
    if (last && rk_row_covers(c->alive, last, c->width))
        memcpy(last, c->alive, c->width * sizeof *last);
    else
        add_row(c, k);
}

/* A moment in which something has been born and nothing has died since may be the largest. */
static void note_if_grown(rk_census *c)
{
    if (c->grew && !c->failed && !c->full)
        note_row(c);
    c->grew = false;
}

/* What stays of one key, without what other keys cover. */
static void gather_key(rk_census *c, rk_census_key *k, rk_rows *out)
{
    bool done = rk_rows_drop_covered(&k->rows, c->width, c->arena, NULL) &&
                rk_rows_drop_between(&k->rows, c->width, k->rows.n, c->arena, NULL);

    for (size_t i = 0; done && i < k->rows.n; i++) {
        uint32_t **slot = RK_PUSH(c->arena, out);

        if (slot)
            *slot = k->rows.at[i];
        done = slot;
    }
    c->failed |= !done;
}

static void gather(rk_census *c, bool late)
{
    rk_rows *out = &c->row[late];

    for (size_t i = 0; i < c->n_key && !c->failed; i++)
        gather_key(c, &c->of_key[late * c->n_key + i], out);
    c->failed |= !rk_rows_drop_covered(out, c->width, c->arena, NULL);
}

/* ---- births and deaths ------------------------------------------------------------------------------------------ */

void rk_census_open(rk_census *c, size_t n_key)
{
    c->width = c->size.n;
    c->n_key = n_key;
    c->alive = RK_NEW_ARRAY(c->arena, c->width + 1, uint32_t);
    c->of_key = RK_NEW_ARRAY(c->arena, 2 * n_key + 1, rk_census_key);
    c->failed |= !c->alive || !c->of_key;
    for (size_t i = 0; !c->failed && i < 2 * n_key; i++)
        c->of_key[i].crowd = CROWD;
}

void rk_census_born(rk_census *c, uint32_t size, uint32_t key)
{
    if (c->failed)
        return;
    c->alive[size]++;
    c->key = key;
    c->grew = true;
}

void rk_census_died(rk_census *c, uint32_t size)
{
    note_if_grown(c);
    if (!c->failed)
        c->alive[size]--;
}

void rk_census_turn(rk_census *c)
{
    note_if_grown(c);
    c->late = true;
}

void rk_census_close(rk_census *c)
{
    note_if_grown(c);
    for (int late = 0; late < 2 && !c->failed && !c->full; late++)
        gather(c, late);
}

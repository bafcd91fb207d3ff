/* SPDX-License-Identifier: MIT */
#include "ask/origin.h"

#include <string.h>

/* Whether the layers of a group are among those of another program's group: its first one is. */
static bool holds(const rk_group *g, const rk_group *other)
{
    if (!g->layer || !other->layer || other->n_layer == 0)
        return true;
    for (size_t i = 0; i < g->n_layer; i++)
        if (g->layer[i] == other->layer[0])
            return true;
    return false;
}

/* Where "name" or "name.of.something" is a row of that part and those layers, its operation; RK_NONE: there is none. */
static uint32_t find_op(const rk_program *p, const rk_program *run, const rk_op *of)
{
    const char *part = run->part[of->part].path, *name = of->name;
    size_t n = strcspn(name, ".");
    uint32_t found = RK_NONE;

    for (uint32_t i = 0; i < p->n_op; i++) {
        const rk_op *op = &p->op[i];

        if (strcmp(p->part[op->part].path, part) != 0 || !holds(&p->group[op->group], &run->group[of->group]))
            continue;
        if (strcmp(op->name, name) == 0)
            return i;
        if (strlen(op->name) == n && memcmp(op->name, name, n) == 0)
            found = i;
    }
    return found;
}

const uint32_t *rk_origins_find(rk_arena *a, const rk_program *p, const rk_program *run)
{
    uint32_t *origin = RK_NEW_ARRAY(a, run->n_op + 1, uint32_t), next = RK_NONE;
    uint32_t part = RK_NONE;

    if (!origin)
        return NULL;
    for (size_t i = run->n_op; i > 0; i--) {
        const rk_op *op = &run->op[i - 1];
        uint32_t own = find_op(p, run, op);

        if (op->part != part)
            next = RK_NONE;
        part = op->part;
        next = own != RK_NONE ? own : next;
        origin[i - 1] = next;
    }
    return origin;
}

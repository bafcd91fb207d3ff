/* SPDX-License-Identifier: MIT */
#include "pass/layout.h"

#include <string.h>

const char *const rk_mesh_word[RK_N_MESH] = {
#define RK_MESH_ROW(ID, word, text) word,
    RK_MESH_AXES(RK_MESH_ROW)
#undef RK_MESH_ROW
};

const char *const rk_mesh_text[RK_N_MESH] = {
#define RK_MESH_ROW(ID, word, text) text,
    RK_MESH_AXES(RK_MESH_ROW)
#undef RK_MESH_ROW
};

rk_layout rk_layout_single(void)
{
    rk_layout l = {.stages = 1, .bucket_view = true, .bucket = (rk_i128)25 << 20, .first_bucket = (rk_i128)1 << 20};

    for (size_t i = 0; i < RK_N_MESH; i++)
        l.size[i] = 1;
    return l;
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool rk_layout_same(const rk_layout *a, const rk_layout *b)
{
    if (!a || !b)
        return a == b;
    for (size_t i = 0; i < RK_N_MESH; i++)
        if (a->size[i] != b->size[i])
            return false;
    if (!is_same_text(a->split, b->split))
        return false;
    return a->stages == b->stages && a->sp == b->sp && a->vocab_loss == b->vocab_loss && a->zero == b->zero &&
           is_same_text(a->runtime.name, b->runtime.name) && a->rank == b->rank && a->compute == b->compute &&
           a->reduce == b->reduce && a->reshard == b->reshard && a->units == b->units && a->no_sync == b->no_sync &&
           a->clip == b->clip && a->bucket_view == b->bucket_view && a->bucket == b->bucket &&
           a->first_bucket == b->first_bucket && a->drop_outputs == b->drop_outputs && a->infers == b->infers &&
           a->schedule == b->schedule && a->micro == b->micro && a->rotate == b->rotate;
}

static bool is_factor(const rk_layout *l, rk_mesh_axis axis)
{
    return axis != RK_MESH_EP || l->runtime.ep_in_place_of_tp;
}

rk_i128 rk_layout_devices(const rk_layout *l)
{
    rk_i128 n = 1;

    for (size_t i = 0; i < RK_N_MESH; i++)
        n *= is_factor(l, (rk_mesh_axis)i) ? l->size[i] : 1;
    return n;
}

rk_i128 rk_layout_next(const rk_layout *l, rk_mesh_axis axis)
{
    rk_i128 n = 1;

    for (size_t i = (size_t)axis + 1; i < RK_N_MESH; i++)
        n *= is_factor(l, (rk_mesh_axis)i) ? l->size[i] : 1;
    return n;
}

rk_i128 rk_layout_place(const rk_layout *l, rk_mesh_axis axis)
{
    return l->rank / rk_layout_next(l, axis) % l->size[axis];
}

bool rk_layout_sends_tokens(const rk_layout *l)
{
    return l && l->size[RK_MESH_EP] > 1 && !l->runtime.ep_in_place_of_tp;
}

/* Whether a group along an axis takes in the devices of cp. */
static bool takes_in(const rk_layout *l, rk_mesh_axis axis)
{
    return (axis == RK_MESH_DDP || axis == RK_MESH_FSDP) && (l->said[axis] || l->size[axis] > 1);
}

rk_i128 rk_layout_group(const rk_layout *l, rk_mesh_axis axis, bool experts)
{
    rk_i128 n = l->size[axis] * (takes_in(l, axis) ? l->size[RK_MESH_CP] : 1);

    return experts && takes_in(l, axis) && rk_layout_sends_tokens(l) ? n / l->size[RK_MESH_EP] : n;
}

rk_i128 rk_layout_group_place(const rk_layout *l, rk_mesh_axis axis, bool experts)
{
    rk_i128 place = rk_layout_place(l, axis);

    if (!takes_in(l, axis))
        return place;
    place = place * l->size[RK_MESH_CP] + rk_layout_place(l, RK_MESH_CP);
    return experts && rk_layout_sends_tokens(l) ? place / l->size[RK_MESH_EP] : place;
}

rk_i128 rk_layout_in_node(const rk_layout *l, rk_mesh_axis axis, bool experts, rk_i128 node)
{
    bool regroups = axis == RK_MESH_EP && rk_layout_sends_tokens(l); /* those of copies that follow each other */
    rk_i128 next = rk_layout_next(l, takes_in(l, axis) || regroups ? RK_MESH_CP : axis);
    rk_i128 n = rk_layout_group(l, axis, experts);

    if (experts && takes_in(l, axis) && rk_layout_sends_tokens(l))
        next *= l->size[RK_MESH_EP];
    return next >= node ? 1 : node / next < n ? node / next : n;
}

bool rk_layout_copies(const rk_layout *l)
{
    return l && (l->said[RK_MESH_DDP] || l->size[RK_MESH_DDP] > 1);
}

bool rk_layout_is_flat(const rk_layout *l)
{
    return rk_layout_copies(l) && l->runtime.flat && l->zero > 0;
}

bool rk_layout_fills_buckets(const rk_layout *l)
{
    return rk_layout_is_flat(l) && !l->runtime.main_gradients;
}

bool rk_layout_shards(const rk_layout *l)
{
    return l && (l->size[RK_MESH_TP] > 1 || l->size[RK_MESH_CP] > 1 || l->size[RK_MESH_EP] > 1);
}

/* SPDX-License-Identifier: MIT */
/* What `reckon report` answers for programs where the page has columns for variants, lengths and devices. */
#include "report/dossier.h"

#include "report/reading.h"
#include "report/serving.h"

/* ---- as sequences grow ------------------------------------------------------------------------------------------- */

static const rk_field piece_field[] = {RK_KEY("*", COUNT, "FLOPs of one")};
static const rk_fields piece_fields = {piece_field, 1};

static const rk_field growth_field[] = {
    RK_KEY("tokens", COUNT, "of a sequence"),
    RK_KEY("forward", COUNT, "FLOPs of all"),
    RK_OBJECT("pieces", piece_fields, "component by component, or part by part"),
};
const rk_fields rk_dossier_growth_fields = {growth_field, 3};

void rk_dossier_growth(rk_view *v, const rk_dossier *d, rk_cell *in)
{
    const rk_swept *s = d->swept;
    size_t whole = d->not_swept ? 0 : s->n_measure - 1;
    const char **key = RK_NEW_ARRAY(&v->arena, whole + 1, const char *);
    rk_table *t = rk_cell_list(&v->page, in, &rk_dossier_growth_fields);

    if (d->not_swept || !key)
        return;
    for (size_t i = 0; i < whole; i++)
        key[i] = s->measure[i].name;
    for (size_t p = 0; p < s->n_point; p++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        rk_cell *piece = RK_NEW_ARRAY(&v->arena, whole + 1, rk_cell);
        const rk_reading *reading = &s->reading[p * s->n_measure];

        if (!piece)
            return;
        for (size_t i = 0; i < whole; i++)
            piece[i] = rk_reading_number(&s->measure[i], &reading[i]);
        cell[0] = rk_cell_count(s->number[p]);
        cell[1] = rk_reading_number(&s->measure[whole], &reading[whole]);
        rk_cell_names(&v->page, &cell[2], key, piece, whole);
    }
    rk_page_show(&v->page, t);
}

/* ---- to train and to serve --------------------------------------------------------------------------------------- */

#define TRAINING_FIELDS(X)                                                                                             \
    X(VARIANT, RK_KEY("variant", TEXT, "how the step is run"))                                                         \
    X(WEIGHTS, RK_KEY("weights", COUNT, "bytes of them"))                                                              \
    X(GRADIENTS, RK_KEY("gradients", COUNT, "bytes"))                                                                  \
    X(OPTIMIZER, RK_KEY("optimizer", COUNT, "bytes of its state"))                                                     \
    X(SAVED, RK_KEY("saved", COUNT, "bytes saved for backward"))                                                       \
    X(SAVED_FORMULA, RK_KEY("saved_formula", FORMULA, "of the same"))                                                  \
    X(PEAK, RK_KEY("peak", COUNT, "the most bytes of tensors and workspaces at once"))                                 \
    X(REASON, RK_KEY("reason", TEXT, "why there is no such step"))
RK_FIELD_TABLE(training_field, N_TRAINING, TRAINING_FIELDS);
const rk_fields rk_dossier_training_fields = {training_field, N_TRAINING};

void rk_dossier_training(rk_view *v, const rk_dossier *d, rk_cell *in)
{
    rk_table *t = rk_cell_list(&v->page, in, &rk_dossier_training_fields);

    for (const rk_dossier_variant *w = d->variant; w < d->variant + RK_DOSSIER_VARIANTS; w++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        rk_ex saved;

        cell[VARIANT] = rk_cell_name(w->title);
        cell[REASON] = rk_cell_name(w->not_for);
        if (!w->memory)
            continue;
        for (size_t i = 0; i < RK_DOSSIER_HELD; i++)
            cell[WEIGHTS + i] = rk_cell_count(rk_dossier_bytes(w->memory, i));
        cell[PEAK] = rk_cell_count(w->memory->peak);
        saved = rk_dossier_import(v, w->memory->instance, w->memory->saved_formula);
        if (saved != RK_EX_FAILED)
            cell[SAVED_FORMULA] = rk_view_formula(v, saved);
    }
    rk_page_show(&v->page, t);
}

static const rk_field length_field[] = {
    RK_KEY("tokens", COUNT, "seen; null: a state, no cache"),
    RK_KEY("kv_cache", COUNT, "bytes of the cache of the batch"),
    RK_KEY("peak", COUNT, "the most bytes at once"),
};
static const rk_fields length_fields = {length_field, 3};

static const rk_field serving_field[] = {
    RK_KEY("weights", COUNT, "bytes of them"),
    RK_KEY("per_token", COUNT, "bytes by which the cache grows with a token"),
    RK_LIST("lengths", length_fields, "decoding one token of each sequence that sees so many"),
    RK_KEY("reason", TEXT, "why it is not decoded"),
};
const rk_fields rk_dossier_serving_fields = {serving_field, 4};

void rk_dossier_serving(rk_view *v, const rk_dossier *d, rk_cell *in)
{
    rk_cell *serving = rk_cell_object(&v->page, in, &rk_dossier_serving_fields);
    rk_table *t;

    serving[3] = rk_cell_name(d->not_decoded);
    if (!d->decode)
        return;
    serving[0] = rk_cell_count(d->decode->parameters);
    if (rk_dossier_grows(v, d->decode))
        serving[1] = rk_cell_count(rk_dossier_value(v, d->decode->instance, d->decode->carried.per_token));
    t = rk_cell_list(&v->page, &serving[2], &length_fields);
    for (size_t i = 0; i < d->n_length; i++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_count_if(d->length[i].tokens > 0, d->length[i].tokens);
        cell[1] = rk_cell_count(d->length[i].cache);
        cell[2] = rk_cell_count(d->length[i].peak);
    }
    rk_page_show(&v->page, t);
}

/* ---- on devices -------------------------------------------------------------------------------------------------- */

static const rk_field device_field[] = {
    RK_KEY("device", CODE, "its name"),
    RK_KEY("memory", COUNT, "bytes that are left for tensors; null: no source says it"),
    RK_KEY("tokens_per_second_at_most", COUNT,
           "of the last length, by its bandwidth; null: not known, or it does not fit"),
};
const rk_fields rk_dossier_device_fields = {device_field, 3};

static const rk_field batch_field[] = {
    RK_KEY("step", TEXT, "of what"),
    RK_KEY("device", CODE, "on which"),
    RK_KEY("largest", COUNT, "sequences at once; 0: not even one; null: not known"),
    RK_KEY("too_much", COUNT, "bytes by which one sequence is too large"),
};
const rk_fields rk_dossier_batch_fields = {batch_field, 4};

void rk_dossier_devices(rk_view *v, const rk_dossier *d, rk_cell *devices, rk_cell *batches)
{
    rk_table *t = rk_cell_list(&v->page, devices, &rk_dossier_device_fields);

    rk_page_show(&v->page, t);
    for (size_t k = 0; k < d->n_device; k++) {
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);
        rk_i128 room = rk_device_room(d->device[k]), hundredths = 0;

        if (d->decode && d->serving.weights_known && rk_dossier_decodes(d, d->device[k]))
            hundredths = rk_dossier_bound(d, d->device[k]);
        cell[0] = rk_cell_name(d->device[k]->key);
        cell[1] = rk_cell_count_if(room > 0, room);
        cell[2] = rk_cell_count_if(hundredths > 0, hundredths / 100);
    }
    t = rk_cell_list(&v->page, batches, &rk_dossier_batch_fields);
    rk_page_show(&v->page, t);
    for (size_t i = 0; i < d->n_batch * d->n_device; i++) {
        const rk_fit *f = &d->batch[i / d->n_device].fit[i % d->n_device];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_name(d->batch[i / d->n_device].title);
        cell[1] = rk_cell_name(d->device[i % d->n_device]->key);
        cell[2] = rk_cell_count_if(f->limit > 0, f->largest);
        if (f->limit > 0 && f->largest == 0 && f->next != RK_I128_MAX)
            cell[3] = rk_cell_count(f->next - f->limit);
    }
}

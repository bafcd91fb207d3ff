/* SPDX-License-Identifier: MIT */
/* A model against a checkpoint. */
#include "api/stored.h"

#include "account/verify.h"

struct reckon_verify {
    rk_verify found; /* its arena has all that is shown, too */
    reckon_verified result;
    reckon_difference *difference;
};

/* ---- filling ---------------------------------------------------------------------------------------------------- */

/* `*out` stays NULL where the shape is not known. */
static int take_shape(rk_arena *a, const rk_difference *d, const rk_shape *s, const uint64_t **out, rk_err *err)
{
    uint64_t *dim = s->known ? RK_NEW_ARRAY(a, s->n, uint64_t) : NULL;

    if (s->known && !dim)
        return rk_fail_memory(err);
    for (size_t i = 0; dim && i < s->n; i++) {
        if (s->dim[i] < 0 || s->dim[i] > (rk_i128)UINT64_MAX)
            return rk_fail(err, RK_EOVERFLOW, "%s: a size needs more than 64 bits", d->name);
        dim[i] = (uint64_t)s->dim[i];
    }
    *out = dim;
    return RK_OK;
}

static int put_difference(reckon_verify *v, const rk_difference *d, reckon_difference *out, rk_err *err)
{
    const rk_difference_row *row = &rk_difference_table[d->kind];
    int code;

    *out = (reckon_difference){
        .kind = row->key,
        .text = row->text,
        .fails = row->fails,
        .name = d->name,
        .other = d->other,
        .n_wanted = d->wanted.known ? d->wanted.n : 0,
        .n_found = d->found.known ? d->found.n : 0,
        .dtype = d->dtype,
    };
    code = take_shape(&v->found.arena, d, &d->wanted, &out->wanted, err);
    return code == RK_OK ? take_shape(&v->found.arena, d, &d->found, &out->found, err) : code;
}

static int fill(reckon_verify *v, rk_err *err)
{
    static const char *const layout[] = RK_VERIFY_LAYOUT_WORDS;
    const rk_verify *f = &v->found;
    int code = RK_OK;

    v->result = (reckon_verified){
        .equal = f->equal,
        .by_sums = f->by_sums,
        .layout = layout[f->layout],
        .wanted = f->n_wanted,
        .matched = f->n_matched,
        .unchecked = f->n_unchecked,
        .stored = f->n_stored,
    };
    v->difference = RK_NEW_ARRAY(&v->found.arena, f->n, reckon_difference);
    if (!v->difference)
        return rk_fail_memory(err);
    for (size_t i = 0; i < f->n && code == RK_OK; i++)
        code = put_difference(v, &f->at[i], &v->difference[i], err);
    return code;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

static int compare(const rk_run_request *r, const rk_store *store, reckon_verify *v, rk_err *err)
{
    rk_instance *model = NULL;
    rk_ledger *ledger = NULL;
    int code = rk_open(&r->open, &model, err);

    if (code == RK_OK)
        code = rk_ledger_new(model, &r->convention, &ledger, err);
    if (code == RK_OK)
        code = rk_verify_new(ledger, store, &v->found, err);
    rk_ledger_free(ledger);
    rk_instance_free(model);
    return code == RK_OK ? fill(v, err) : code;
}

int reckon_verify_new(const reckon_request *request, const reckon_stored *stored, reckon_verify **out, char **mistakes,
                      reckon_error *error)
{
    rk_err err = {0};
    rk_api_request r = {0};
    reckon_verify *v;
    int code;

    if (!request || !stored || !out)
        return rk_api_fail_null(error, !request ? "the request" : !stored ? "the checkpoint" : "out");
    v = rk_api_new(sizeof *v, &err);
    code = v ? rk_api_request_take(request, &r, &err) : RK_ENOMEM;
    if (code == RK_OK && request->layout)
        code = rk_fail(&err, RK_EUSAGE, "a checkpoint stores the whole model: leave out the layout");
    if (code == RK_OK)
        code = compare(&r.run, stored->store, v, &err);
    code = rk_heap_end(code, &err);
    if (code == RK_OK) {
        *out = v;
    } else {
        reckon_verify_free(&v);
        code = rk_api_give_mistakes(&r, mistakes, code, &err);
    }
    rk_api_request_free(&r);
    return rk_api_error(error, code, &err);
}

void reckon_verify_free(reckon_verify **verify)
{
    reckon_verify *v = verify ? *verify : NULL;

    if (!v)
        return;
    *verify = NULL;
    rk_verify_free(&v->found);
    rk_heap_free(v);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

const reckon_verified *reckon_verify_result(const reckon_verify *verify)
{
    return verify ? &verify->result : NULL;
}

size_t reckon_verify_count(const reckon_verify *verify)
{
    return verify ? verify->found.n : 0;
}

const reckon_difference *reckon_verify_at(const reckon_verify *verify, size_t i)
{
    return i < reckon_verify_count(verify) ? &verify->difference[i] : NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * Several threads read one account at once, each with sheets and lists of its own, while others are opened and closed:
 * all see the same.  Built a second time under ThreadSanitizer where there is one.
 */
#include "reckon.h"

#include "../t.h"

#include <pthread.h>

enum {
    N_THREAD = 4,
    N_ROUND = 3
};

typedef struct reader {
    const reckon_account *account; /* NULL: opens one of its own in each round */
    uint64_t seen;                 /* a sum over all that was read */
    int code;                      /* the first failure */
} reader;

static void note(reader *r, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        r->seen = (r->seen ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
}

static bool done(reader *r, int code)
{
    r->code = r->code == RECKON_OK ? code : r->code;
    return code == RECKON_OK;
}

static void read_figure(reader *r, const reckon_figure *f)
{
    reckon_count n = {0, 0};
    char *text = NULL;

    if (done(r, reckon_value(f, &n, NULL)))
        note(r, &n, sizeof n);
    for (int style = 0; style < 4; style++) {
        if (done(r, reckon_formula(f, style, &text, NULL)))
            note(r, text, strlen(text));
        reckon_text_free(&text);
    }
}

static void read_rows(reader *r, const reckon_account *a)
{
    for (int q = 0; q <= RECKON_STEP; q++)
        read_figure(r, reckon_total(a, (reckon_quantity)q));
    for (size_t i = 0; i < reckon_operation_count(a); i++)
        read_figure(r, reckon_operation_at(a, i)->step);
    for (size_t i = 0; i < reckon_part_count(a); i++)
        read_figure(r, reckon_part_at(a, i)->forward);
}

static void read_tensors(reader *r, const reckon_account *a)
{
    const reckon_tensor *x = NULL;
    reckon_tensors *t = NULL;

    if (!done(r, reckon_tensors_new(a, &t, NULL)))
        return;
    while (done(r, reckon_tensors_next(t, &x, NULL)) && x)
        note(r, x->name, strlen(x->name));
    reckon_tensors_free(&t);
}

static void read_sheet(reader *r, const reckon_account *a)
{
    const reckon_figure *step = reckon_total(a, RECKON_STEP);
    reckon_sheet *sheet = NULL;
    reckon_count n = {0, 0};

    if (!done(r, reckon_sheet_new(a, &step, 1, &sheet, NULL)))
        return;
    for (uint64_t s = 512; s < 1024; s += 64)
        if (done(r, reckon_sheet_set(sheet, "S", s, NULL)) && done(r, reckon_sheet_evaluate(sheet, &n, NULL)))
            note(r, &n, sizeof n);
    reckon_sheet_free(&sheet);
}

static reckon_account *open_account(reader *r)
{
    reckon_request request = {0};
    reckon_account *a = NULL;

    request.model = "tests/golden/tiny/paligemma.config.json";
    done(r, reckon_open(&request, &a, NULL, NULL));
    return a;
}

static void *read_all(void *self)
{
    reader *r = self;

    for (int i = 0; i < N_ROUND; i++) {
        reckon_account *own = r->account ? NULL : open_account(r);
        const reckon_account *a = own ? own : r->account;

        read_rows(r, a);
        read_tensors(r, a);
        read_sheet(r, a);
        reckon_close(&own);
    }
    return NULL;
}

int main(void)
{
    reader alone = {0}, r[N_THREAD] = {{0}};
    reckon_account *a = open_account(&alone);
    pthread_t thread[N_THREAD];

    if (!CHECK(a != NULL))
        return t_done("api threads");
    for (int i = 0; i < N_THREAD; i++) {
        r[i].account = i == 0 ? NULL : a;
        CHECK_INT(pthread_create(&thread[i], NULL, read_all, &r[i]), 0);
    }
    for (int i = 0; i < N_THREAD; i++)
        pthread_join(thread[i], NULL);
    alone.account = a;
    read_all(&alone);
    CHECK_INT(alone.code, RECKON_OK);
    for (int i = 0; i < N_THREAD; i++) {
        CHECK_INT(r[i].code, RECKON_OK);
        CHECK(r[i].seen == alone.seen);
    }
    reckon_close(&a);
    return t_done("api threads");
}

/* SPDX-License-Identifier: MIT */
/* The tables of an account: every row, its figures and formulas; and that the sums of rows are the totals. */
#include "with.h"

#include <dirent.h>
#include <stdlib.h>

/* ---- one small model, looked at in full ------------------------------------------------------------------------- */

static void check_formula(const reckon_figure *f, int style, const char *want)
{
    reckon_error error = {0};
    char *text = NULL;

    CHECK_INT(reckon_formula(f, style, &text, &error), RECKON_OK);
    CHECK_TEXT(text, want);
    reckon_text_free(&text);
    CHECK(text == NULL);
}

static void test_totals(const reckon_account *a)
{
    const reckon_figure *forward = reckon_total(a, RECKON_FORWARD);

    check_formula(reckon_total(a, RECKON_STORED), RECKON_TEXT, "4LD²");
    check_formula(forward, RECKON_TEXT, "8BSLD²");
    check_formula(forward, RECKON_LATEX, "8BSLD^{2}");
    check_formula(reckon_total(a, RECKON_BACKWARD), RECKON_TEXT | RECKON_FACTORED, "16BSLD²");
    check_formula(reckon_total(a, RECKON_STEP), RECKON_LATEX | RECKON_FACTORED, "24BSLD^{2}");
    CHECK(reckon_total(a, RECKON_NAMED) == reckon_total(a, RECKON_STORED)); /* equal formulas, one figure */
    CHECK(reckon_total(a, RECKON_ACTIVE) == reckon_total(a, RECKON_STORED));
    CHECK(reckon_total(a, (reckon_quantity)99) == NULL);
    CHECK(reckon_total(a, (reckon_quantity)-1) == NULL);
    CHECK(reckon_total(NULL, RECKON_STORED) == NULL);
}

static const reckon_symbol *symbol(const reckon_account *a, const char *name)
{
    for (size_t i = 0; i < reckon_symbol_count(a); i++)
        if (strcmp(reckon_symbol_at(a, i)->name, name) == 0)
            return reckon_symbol_at(a, i);
    return NULL;
}

static void test_symbols(const reckon_account *a)
{
    const reckon_symbol *d = symbol(a, "D"), *f = symbol(a, "F"), *s = symbol(a, "S");

    CHECK_INT(reckon_symbol_count(a), 5);
    if (!CHECK(d && f && s))
        return;
    CHECK(d->kind == RECKON_SYMBOL_MODEL && d->known && d->value == 8 && !d->was_set && !d->may_change);
    CHECK_TEXT(d->meaning, "width");
    CHECK_TEXT(d->key, "width");
    CHECK(!d->definition);
    CHECK(f->known && f->value == 16 && !f->may_change);
    check_formula(f->definition, RECKON_TEXT, "2D");
    CHECK(s->kind == RECKON_SYMBOL_RUN && s->value == 5 && s->was_set && s->may_change && !s->key);
    CHECK(reckon_symbol_at(a, 5) == NULL && reckon_symbol_at(NULL, 0) == NULL && reckon_symbol_count(NULL) == 0);
}

static void test_weights(const reckon_account *a)
{
    const reckon_weight *up = reckon_weight_at(a, 0), *down = reckon_weight_at(a, 1);

    CHECK_INT(reckon_weight_count(a), 2);
    if (!CHECK(up && down))
        return;
    CHECK_TEXT(up->pattern, "h.{i}.up.weight");
    CHECK_TEXT(up->part, "layers");
    CHECK_INT(up->n_shape, 2);
    check_formula(up->shape[0], RECKON_TEXT, "F");
    check_formula(up->shape[1], RECKON_TEXT, "D");
    CHECK_INT(with_value(up->count), 128);
    CHECK_INT(with_value(up->active), 128);
    CHECK_INT(with_value(up->times), 3);
    CHECK(!up->tied_to && !up->is_frozen && !up->is_unused && !up->is_buffer);
    CHECK_TEXT(up->equation, ".up.weight[F D]");
    CHECK_TEXT(up->file, "the model file");
    CHECK_INT(up->line, 9);
    CHECK_INT(down->line, 10);
    CHECK(reckon_weight_at(a, 2) == NULL && reckon_weight_at(NULL, 0) == NULL && reckon_weight_count(NULL) == 0);
}

static void test_operations(const reckon_account *a)
{
    const reckon_operation *y = reckon_operation_at(a, 0);

    CHECK_INT(reckon_operation_count(a), 2);
    if (!CHECK(y != NULL))
        return;
    CHECK_TEXT(y->path, "layers.y");
    CHECK_TEXT(y->kind, "product");
    CHECK(y->layers == NULL);
    CHECK_INT(with_value(y->times), 3);
    CHECK_INT(with_value(y->forward), 2 * 5 * 8 * 16);
    CHECK_INT(with_value(y->backward), 4 * 5 * 8 * 16);
    CHECK_INT(with_value(y->step), 6 * 5 * 8 * 16);
    check_formula(y->forward, RECKON_TEXT, "4BSD²");
    CHECK(y->weight == reckon_weight_at(a, 0));
    CHECK_TEXT(y->equation, "y[B S F] = x[B S D] * .up.weight[F D]");
    CHECK_INT(y->line, 9);
    CHECK(reckon_operation_at(a, 2) == NULL && reckon_operation_at(NULL, 0) == NULL);
    CHECK(reckon_operation_count(NULL) == 0);
}

static void test_parts(const reckon_account *a)
{
    const reckon_part *whole = reckon_part_at(a, 0), *layers = reckon_part_at(a, 1);

    CHECK_INT(reckon_part_count(a), 2);
    if (!CHECK(whole && layers))
        return;
    CHECK_TEXT(whole->path, "");
    CHECK(whole->depth == 0 && whole->parent == 0);
    CHECK(whole->forward == reckon_total(a, RECKON_FORWARD) && whole->stored == reckon_total(a, RECKON_STORED));
    CHECK_TEXT(layers->name, "layers");
    CHECK_TEXT(layers->label, "layers");
    CHECK(layers->depth == 1 && layers->parent == 0 && !layers->layers);
    check_formula(layers->times, RECKON_TEXT, "L");
    check_formula(layers->stored, RECKON_TEXT, "4D²");
    check_formula(layers->step, RECKON_TEXT, "24BSD²");
    CHECK(reckon_part_at(a, 2) == NULL && reckon_part_at(NULL, 0) == NULL && reckon_part_count(NULL) == 0);
}

static void test_tensors(const reckon_account *a)
{
    static const char *const name[] = {"h.0.up.weight",   "h.0.down.weight", "h.1.up.weight",
                                       "h.1.down.weight", "h.2.up.weight",   "h.2.down.weight"};
    reckon_tensors *t = NULL;
    const reckon_tensor *tensor = NULL;
    reckon_error error = {0};

    CHECK_INT(reckon_tensors_new(a, &t, &error), RECKON_OK);
    for (size_t i = 0; i < 6; i++) {
        CHECK_INT(reckon_tensors_next(t, &tensor, &error), RECKON_OK);
        if (!CHECK(tensor != NULL))
            break;
        CHECK_TEXT(tensor->name, name[i]);
        CHECK(tensor->n_shape == 2 && tensor->shape[i % 2] == 16 && tensor->shape[1 - i % 2] == 8);
        CHECK(tensor->count.low == 128 && tensor->count.high == 0 && !tensor->tied_to);
        CHECK(tensor->weight == reckon_weight_at(a, i % 2));
    }
    for (int i = 0; i < 2; i++) { /* the end stays the end */
        CHECK_INT(reckon_tensors_next(t, &tensor, &error), RECKON_OK);
        CHECK(tensor == NULL);
    }
    CHECK_INT(reckon_tensors_next(t, NULL, &error), RECKON_EUSAGE);
    reckon_tensors_free(&t);
    CHECK(t == NULL);
    reckon_tensors_free(&t);
    reckon_tensors_free(NULL);
    CHECK_INT(reckon_tensors_new(NULL, &t, &error), RECKON_EUSAGE);
    CHECK_INT(reckon_tensors_new(a, NULL, &error), RECKON_EUSAGE);
    CHECK_INT(reckon_tensors_next(NULL, &tensor, &error), RECKON_EUSAGE);
}

static void test_figures(const reckon_account *a)
{
    const reckon_figure *f = reckon_total(a, RECKON_FORWARD);
    reckon_count n = {1, 2};
    reckon_error error = {0};
    char *text = NULL;

    CHECK_INT(reckon_value(NULL, &n, &error), RECKON_EUSAGE);
    CHECK_TEXT(error.message, "the figure is NULL");
    CHECK_INT(reckon_value(f, NULL, &error), RECKON_EUSAGE);
    CHECK_INT(reckon_formula(NULL, RECKON_TEXT, &text, &error), RECKON_EUSAGE);
    CHECK_INT(reckon_formula(f, RECKON_TEXT, NULL, NULL), RECKON_EUSAGE);
    CHECK_INT(reckon_formula(f, 4, &text, &error), RECKON_EUSAGE);
    CHECK_INT(reckon_formula(f, -1, &text, &error), RECKON_EUSAGE);
    CHECK(text == NULL && n.low == 1 && n.high == 2);
}

static void test_small(void)
{
    reckon_account *a = with_text(WITH_MODEL, WITH_CONFIG, "S=5");

    if (!a)
        return;
    test_totals(a);
    test_symbols(a);
    test_weights(a);
    test_operations(a);
    test_parts(a);
    test_tensors(a);
    test_figures(a);
    reckon_close(&a);
}

/* Formulas need no numbers; numbers do. */
static void test_unknown(void)
{
    reckon_account *a = with_text(WITH_MODEL, NULL, "L=2");
    const reckon_tensor *tensor = NULL;
    reckon_tensors *t = NULL;
    reckon_count n = {7, 7};
    reckon_error error = {0};

    if (!a)
        return;
    check_formula(reckon_total(a, RECKON_FORWARD), RECKON_TEXT, "8BSLD²");
    CHECK_INT(reckon_value(reckon_total(a, RECKON_FORWARD), &n, &error), RECKON_EVALUE);
    CHECK_TEXT(error.message, "'D' has no value");
    CHECK(n.low == 7 && n.high == 7);
    CHECK(!symbol(a, "D")->known && symbol(a, "D")->value == 0);
    CHECK_INT(reckon_tensors_new(a, &t, &error), RECKON_OK);
    CHECK_INT(reckon_tensors_next(t, &tensor, &error), RECKON_EVALUE);
    CHECK(tensor == NULL);
    reckon_tensors_free(&t);
    reckon_close(&a);
}

/* ---- sums, on every family -------------------------------------------------------------------------------------- */

static reckon_count product(const reckon_figure *times, const reckon_figure *figure)
{
    reckon_count a = {0, 0}, b = {0, 0}, out = {0, 0};

    CHECK_INT(reckon_value(times, &a, NULL), RECKON_OK);
    CHECK_INT(reckon_value(figure, &b, NULL), RECKON_OK);
    CHECK_INT(reckon_count_multiply(a, b, &out), RECKON_OK);
    return out;
}

static void add(reckon_count *sum, reckon_count n)
{
    CHECK_INT(reckon_count_add(*sum, n, sum), RECKON_OK);
}

static void check_equal(const reckon_figure *total, reckon_count sum)
{
    reckon_count n = {0, 0};

    CHECK_INT(reckon_value(total, &n, NULL), RECKON_OK);
    CHECK(reckon_count_compare(n, sum) == 0);
}

static void check_operations(const reckon_account *a)
{
    reckon_count forward = {0, 0}, backward = {0, 0}, step = {0, 0};

    for (size_t i = 0; i < reckon_operation_count(a); i++) {
        const reckon_operation *o = reckon_operation_at(a, i);

        add(&forward, product(o->times, o->forward));
        add(&backward, product(o->times, o->backward));
        add(&step, product(o->times, o->step));
        CHECK(o->path[0] && o->kind[0] && o->line > 0 && o->equation[0]);
    }
    check_equal(reckon_total(a, RECKON_FORWARD), forward);
    check_equal(reckon_total(a, RECKON_BACKWARD), backward);
    check_equal(reckon_total(a, RECKON_STEP), step);
}

static void check_weights(const reckon_account *a)
{
    reckon_count stored = {0, 0}, named = {0, 0}, active = {0, 0};

    for (size_t i = 0; i < reckon_weight_count(a); i++) {
        const reckon_weight *w = reckon_weight_at(a, i);

        if (w->is_buffer)
            continue;
        add(&named, product(w->times, w->count));
        if (w->tied_to)
            continue;
        add(&stored, product(w->times, w->count));
        add(&active, product(w->times, w->active));
    }
    check_equal(reckon_total(a, RECKON_NAMED), named);
    check_equal(reckon_total(a, RECKON_STORED), stored);
    check_equal(reckon_total(a, RECKON_ACTIVE), active);
}

/* A tensor has as many elements as its shape says; all of them together are all that is named. */
static void check_tensors(const reckon_account *a)
{
    reckon_tensors *t = NULL;
    const reckon_tensor *x = NULL;
    reckon_count named = {0, 0};

    CHECK_INT(reckon_tensors_new(a, &t, NULL), RECKON_OK);
    while (reckon_tensors_next(t, &x, NULL) == RECKON_OK && x) {
        reckon_count n = {1, 0};

        for (size_t i = 0; i < x->n_shape; i++)
            reckon_count_multiply(n, (reckon_count){x->shape[i], 0}, &n);
        CHECK(reckon_count_compare(n, x->count) == 0);
        CHECK(!strchr(x->name, '{') && !x->tied_to == !x->weight->tied_to);
        if (!x->weight->is_buffer)
            add(&named, x->count);
    }
    CHECK(x == NULL);
    reckon_tensors_free(&t);
    check_equal(reckon_total(a, RECKON_NAMED), named);
}

/* No part costs more than the one around it, and the parts directly in the whole cost no more than it. */
static void check_parts(const reckon_account *a)
{
    reckon_count stored = {0, 0}, forward = {0, 0}, all = {0, 0};

    for (size_t i = 1; i < reckon_part_count(a); i++) {
        const reckon_part *p = reckon_part_at(a, i), *around = reckon_part_at(a, p->parent);

        CHECK(p->parent < i && around->depth + 1 == p->depth);
        CHECK(strncmp(p->path, around->path, strlen(around->path)) == 0);
        CHECK(reckon_count_compare(product(p->times, p->step), product(around->times, around->step)) <= 0);
        if (p->depth != 1)
            continue;
        add(&stored, product(p->times, p->stored));
        add(&forward, product(p->times, p->forward));
    }
    CHECK_INT(reckon_value(reckon_total(a, RECKON_FORWARD), &all, NULL), RECKON_OK);
    CHECK(reckon_count_compare(forward, all) <= 0);
    CHECK_INT(reckon_value(reckon_total(a, RECKON_STORED), &all, NULL), RECKON_OK);
    CHECK(reckon_count_compare(stored, all) <= 0);
}

static void check_config(const char *path)
{
    reckon_account *a = with(path, NULL, NULL);

    if (!a)
        return;
    check_operations(a);
    check_weights(a);
    check_tensors(a);
    check_parts(a);
    reckon_close(&a);
}

static void test_sums(void)
{
    DIR *dir = opendir(WITH_TINY);
    int n = 0;

    for (struct dirent *e; dir && (e = readdir(dir));) {
        char path[512];
        const char *end = strstr(e->d_name, ".config.json");

        if (!end)
            continue;
        snprintf(path, sizeof path, WITH_TINY "%s", e->d_name);
        check_config(path);
        n++;
    }
    if (dir)
        closedir(dir);
    CHECK(n > 10);
}

int main(void)
{
    test_small();
    test_unknown();
    test_sums();
    return t_done("api tables");
}

/* SPDX-License-Identifier: MIT */
/* Questions in words: the commands, for whoever has a context. */
#include "api/api.h"

#include "base/files.h"
#include "base/work.h"
#include "command/command.h"

#include <string.h>

struct reckon_context {
    reckon_setup setup;
    char *models; /* the folder of the setup, its own copy */
    rk_files *files;
    rk_shelf *shelf;
    rk_str text;       /* of the answer, where the setup has no `put` */
    const char *other; /* the file that somebody should have taken */
};

/* ---- contexts --------------------------------------------------------------------------------------------------- */

int reckon_context_new(const reckon_setup *setup, reckon_context **out, reckon_error *error)
{
    rk_err err = {0};
    reckon_context *c;
    size_t n = setup && setup->models ? strlen(setup->models) + 1 : 0;

    if (!out)
        return rk_api_fail_null(error, "out");
    c = rk_api_new(sizeof *c, &err);
    if (!c)
        return rk_api_error(error, RK_ENOMEM, &err);
    if (setup)
        c->setup = *setup;
    c->files = rk_files_new(!c->setup.no_disk, !c->setup.no_input);
    c->shelf = rk_shelf_new();
    c->models = n > 1 ? rk_heap_alloc(n) : NULL;
    if (!c->files || !c->shelf || (n > 1 && !c->models)) {
        reckon_context_free(&c);
        return rk_api_error(error, rk_fail_memory(&err), &err);
    }
    if (c->models)
        memcpy(c->models, setup->models, n);
    *out = c;
    return RECKON_OK;
}

int reckon_context_file(reckon_context *context, const char *name, const void *bytes, size_t n, uint64_t size,
                        reckon_error *error)
{
    rk_err err = {0};

    if (!context || !name)
        return rk_api_fail_null(error, context ? "name" : "context");
    rk_heap_begin();
    return rk_api_error(error, rk_heap_end(rk_files_put(context->files, name, bytes, n, size, &err), &err), &err);
}

void reckon_context_free(reckon_context **context)
{
    reckon_context *c = context ? *context : NULL;

    if (!c)
        return;
    *context = NULL;
    rk_shelf_free(c->shelf);
    rk_files_free(c->files);
    rk_str_free(&c->text);
    rk_heap_free(c->models);
    rk_heap_free(c);
}

/* ---- questions -------------------------------------------------------------------------------------------------- */

static int put(void *self, const char *file, const char *bytes, size_t n)
{
    reckon_context *c = self;

    if (c->setup.put)
        return c->setup.put(c->setup.self, file, bytes, n);
    if (strcmp(file, "-") != 0) {
        c->other = file;
        return 1;
    }
    rk_str_putn(&c->text, bytes, n);
    return c->text.failed;
}

/* The text of a string as somebody else's, or NULL. */
static char *take_text(rk_str *s)
{
    char *text = s->n > 0 && !s->failed ? s->text : NULL;

    if (text)
        *s = (rk_str){0};
    return text;
}

int reckon_ask(reckon_context *context, const char *const *words, const char *format, reckon_answer *out,
               reckon_error *error)
{
    rk_cmd_answer answer = {0};
    rk_cmd_asker who = {.put = put, .self = context};
    rk_work_meter meter = {0};
    rk_err err = {0};
    bool is_whole;
    int code;

    if (!context || !words || !out)
        return rk_api_fail_null(error, !context ? "context" : !words ? "words" : "out");
    meter.budget = context->setup.budget;
    meter.progress = context->setup.progress;
    meter.self = context->setup.self;
    rk_heap_begin();
    rk_work_begin(&meter);
    who.folder = context->models;
    who.files = context->files;
    who.shelf = context->shelf;
    who.columns = context->setup.columns;
    who.screen = context->setup.screen;
    who.colour = context->setup.colour != 0;
    context->other = NULL;
    rk_str_free(&context->text);
    reckon_answer_free(out);
    code = rk_cmd_ask(&who, words, format, &answer, &err);
    if (code == RK_ESTOPPED && context->other)
        code =
            rk_fail(&err, RK_EUSAGE, "nobody takes the file that is written beside the answer: set reckon_setup.put");
    if (context->text.failed)
        code = rk_fail_memory(&err);
    code = rk_heap_end(code, &err);
    rk_work_end();
    is_whole = code != RK_ESTOPPED && code != RK_ENOMEM;
    /* What was opened while allocations failed may lack something. */
    rk_shelf_trim(context->shelf, is_whole ? RK_SHELF_MODELS_MAX : 0);
    out->command = answer.command;
    out->differs = code == RK_OK && answer.differs;
    out->unfit = code == RK_OK && answer.unfit;
    if (code == RK_OK) {
        out->n_text = context->text.n;
        out->text = take_text(&context->text);
    } else if (is_whole) {
        out->mistakes = take_text(&answer.mistakes);
    }
    rk_str_free(&answer.mistakes);
    return rk_api_error(error, code, &err);
}

void reckon_answer_free(reckon_answer *answer)
{
    if (!answer)
        return;
    rk_heap_free(answer->text);
    rk_heap_free(answer->mistakes);
    *answer = (reckon_answer){0};
}

/* SPDX-License-Identifier: MIT */
/*
 * audit/bind.h - what a text says about a model, against the model's own books.
 *
 * Stage   claims, model -> [bind] -> more claims.
 * Uses    audit/audit.h, audit/index.h.
 * Memory  claims live in the audit; what is opened on the way is freed.
 * Threads as audit/audit.h; the pool of the instance grows.
 *
 * Each figure and each formula of the text is bound to a quantity of the ledger: by the words around it, and by its
 * value.  docs/audit.md says how that is decided.  Numbers that the text gives itself (T = 16,384 in a heading) rule:
 * the model is opened again at these.
 */
#ifndef RK_AUDIT_BIND_H
#define RK_AUDIT_BIND_H

#include "audit/audit.h"
#include "audit/index.h"

#define RK_BIND_LETTERS_MAX 64 /* given on the line */
#define RK_BIND_SIZES_MAX 24   /* different sizes in one text; figures of further ones are not understood */

/* A letter of the text is a symbol of the model: T=S. */
typedef struct rk_bind_letter {
    const char *letter;
    const rk_symbol *symbol;
} rk_bind_letter;

typedef struct rk_bind_source {
    rk_instance *instance;         /* all of its symbols have numbers */
    const rk_open_request *reopen; /* how it was opened */
    rk_bind_letter let[RK_BIND_LETTERS_MAX];
    size_t n_let;
    /* Where no one has said that the text is about the model (audit/taken.h): */
    const bool *piece; /* those of the text that are compared, one for each; NULL: all are */
    const char
        *supposed; /* what is said of a figure that is not the model's, which is doubtful then; NULL: it is wrong */
    bool only_try; /* nothing is claimed */
} rk_bind_source;

/* How the figures of a text stand with a model. */
typedef struct rk_bind_result {
    size_t n_right, n_wrong; /* of those with three digits and more */
} rk_bind_result;

/* "d=D,T=S".  RK_EINPUT: it is not of that form, or the model has no such symbol; the nearest one is named. */
int rk_bind_let(rk_arena *a, const char *text, rk_bind_source *out, rk_err *err);

/*
 * Adds claims about the model to the audit, or says of those that are there which quantity they are about.  `result`
 * may be NULL.
 */
int rk_bind(rk_audit *a, const rk_bind_source *source, rk_bind_result *result, rk_err *err);

#endif

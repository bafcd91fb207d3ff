/* SPDX-License-Identifier: MIT */
/*
 * audit/taken.h - models that a text is taken to speak of, where no one has said which: by name, and by the sizes that
 * it gives.
 *
 * Stage   claims, text -> [taken] -> models, each with its part of the text -> bind -> more claims.
 * Uses    audit/bind.h, audit/mention.h, plan/open.h.
 * Memory  what is found lives in the audit's arena; what is opened on the way is freed.
 * Threads as audit/audit.h.
 *
 * A paragraph, an item or a cell is of the model that it names; where it names none, of the one that its heading, its
 * section or the whole text names, if that is one alone.  A text that names none may give sizes of a known one.  That
 * it is about the model shows in its figures: where they are not the model's, another of the same sizes is tried, and
 * where that is no better, nothing is said.
 */
#ifndef RK_AUDIT_TAKEN_H
#define RK_AUDIT_TAKEN_H

#include "audit/bind.h"
#include "audit/mention.h"

#define RK_TAKEN_MAX 4 /* models of one text that are opened; of others only the names are told */

typedef struct rk_taken {
    const char *name;  /* in the library */
    uint32_t at;       /* byte of the text, from which it is known */
    const char *sizes; /* "S = 1,024", of the run; "": it has none */
    const char *said;  /* by another name, or "": by its sizes; NULL: by its own */
    bool holds;        /* figures of the text are the model's; else nothing was compared */
    rk_bind_result result;
} rk_taken;

typedef struct rk_takens {
    rk_taken at[RK_TAKEN_MAX];
    size_t n;
    const char *unknown; /* sizes that the text gives, which are those of no known model; NULL: it does not */
    uint32_t unknown_at;
} rk_takens;

/* `open` says how models are opened; its words are put in. */
int rk_taken_find(rk_audit *a, rk_callnames *names, rk_arena *of_names, const rk_open_request *open, rk_takens *out,
                  rk_err *err);

#endif

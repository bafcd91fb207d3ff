/* SPDX-License-Identifier: MIT */
/*
 * Files that people write: any bytes, taken for a text, a notebook or HTML, give a text or an error.  Every byte of the
 * text has a place, in its order lines of a text do not go back, and claims of its audit have places as well.
 */
#include "audit/cause.h"
#include "audit/prose.h"
#include "../lexicon.h"
#include "fuzz.h"

#include <string.h>

static void check_places(const rk_prose *p)
{
    rk_prose_walk walk = {0}, alone;
    size_t before = 0;

    for (uint32_t at = 0; at <= p->n; at += 1 + (uint32_t)p->n / 64) {
        rk_prose_place place = rk_prose_find(p, at, &walk), again;

        alone = (rk_prose_walk){0};
        again = rk_prose_find(p, at, &alone);
        MUST(place.line >= 1 && place.line <= p->line.n && place.column >= 1);
        MUST(memcmp(&place.line, &again.line, sizeof place.line) == 0 && place.column == again.column);
        MUST((place.cell > 0) == (p->cell.n > 0));
        MUST(p->kind != RK_PROSE_TEXT || place.line >= before);
        before = place.line;
    }
    for (size_t i = 0; i < p->ignored.n; i++)
        MUST(p->ignored.at[i].from <= p->ignored.at[i].to && p->ignored.at[i].to <= p->n);
}

static void check_claims(rk_arena *arena, const rk_prose *p)
{
    rk_audit *a = NULL;
    rk_cause *cause = NULL;
    size_t n = 0;

    MUST(rk_audit_new(t_lexicon(), p->text, p->n, &a, NULL) == RK_OK);
    MUST(rk_prose_settle(p, a, NULL) == RK_OK && rk_causes_find(arena, a, &cause, NULL) == RK_OK);
    for (size_t i = 0; i < RK_N_CLAIM_STATUS; i++)
        n += a->n_status[i];
    MUST(n == a->claim.n);
    for (size_t i = 0; i < n; i++) {
        MUST(a->claim.at[i].line >= 1 && a->claim.at[i].column >= 1 && a->claim.at[i].to <= p->n);
        MUST(cause[i].kind == RK_CAUSE_NONE || (cause[i].of < i && cause[cause[i].of].kind == RK_CAUSE_NONE));
    }
    rk_audit_free(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const name[] = {"-", "a.ipynb", "a.html"};

    for (size_t i = 0; size <= FUZZ_BYTES_MAX && i < sizeof name / sizeof *name; i++) {
        rk_arena arena = {0};
        rk_prose prose;
        rk_err err = {0};
        char *bytes = rk_arena_copy(&arena, (const char *)data, size);
        int code = bytes ? rk_prose_read(t_lexicon(), &arena, name[i], bytes, size, &prose, &err) : RK_ENOMEM;

        MUST(code == RK_OK || ((code == RK_EINPUT || code == RK_ELIMIT) && err.code == code));
        if (code == RK_OK) {
            check_places(&prose);
            check_claims(&arena, &prose);
        }
        rk_arena_free(&arena);
    }
    return 0;
}

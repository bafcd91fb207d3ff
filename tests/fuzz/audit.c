/* SPDX-License-Identifier: MIT */
/*
 * Written accounts: any bytes give claims or an error.  Claims stand in the text, in order; their numbers agree with
 * their statuses; what is wrong says what holds; and the same text gives the same claims again.
 */
#include "audit/audit.h"
#include "../lexicon.h"
#include "fuzz.h"

#include <string.h>

static void check_claim(const rk_audit *a, const rk_claim *c, const rk_claim *before)
{
    MUST(c->line >= 1 && c->line <= a->scan.line.n && c->column >= 1);
    MUST(!before || before->line < c->line || (before->line == c->line && before->column <= c->column));
    MUST(c->text && c->status < RK_N_CLAIM_STATUS);
    MUST(c->status != RK_CLAIM_WRONG || (c->stated && c->found));
}

static void check_all(rk_audit *a)
{
    size_t n[RK_N_CLAIM_STATUS] = {0};

    for (size_t i = 0; i < a->claim.n; i++) {
        rk_context context;

        check_claim(a, &a->claim.at[i], i ? &a->claim.at[i - 1] : NULL);
        n[a->claim.at[i].status]++;
        MUST(rk_audit_context(a, a->claim.at[i].side, &context, NULL) == RK_OK);
    }
    MUST(memcmp(n, a->n_status, sizeof n) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rk_audit *a = NULL, *again = NULL;
    rk_err err = {0};
    int code;

    if (size > FUZZ_BYTES_MAX)
        return 0;
    code = rk_audit_new(t_lexicon(), (const char *)data, size, &a, &err);
    MUST(code == RK_OK || (code == RK_EINPUT && err.code == code));
    if (code != RK_OK)
        return 0;
    check_all(a);
    MUST(rk_audit_new(t_lexicon(), (const char *)data, size, &again, &err) == RK_OK);
    MUST(a->claim.n == again->claim.n && memcmp(a->n_status, again->n_status, sizeof a->n_status) == 0);
    rk_audit_free(a);
    rk_audit_free(again);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* The words around a figure: what a claim about a model is bound by. */
#include "audit/audit.h"

/* The piece of a token. */
static size_t piece_at(const rk_audit *a, size_t token)
{
    size_t low = 0, high = a->scan.piece.n;

    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;

        if (a->lexed.first[mid] <= token)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static void add_headings(rk_audit *a, uint32_t scope, uint32_t line_from, rk_context *out)
{
    const rk_scope *at = a->scan.scope.at;

    for (; scope != 0 && out->n_heading < RK_CONTEXT_HEADINGS; scope = at[scope].parent)
        if (at[scope].from < line_from)
            out->heading[out->n_heading++] = rk_audit_plain(a, at[scope].from, at[scope].title_to);
}

int rk_audit_context(rk_audit *a, const rk_side *s, rk_context *out, rk_err *err)
{
    const rk_audit_token *t = a->lexed.token.at;
    uint32_t at = t[s->from].at, end = t[s->to - 1].at + t[s->to - 1].n, from, to;

    *out = (rk_context){.line = rk_scan_line(&a->scan, at)};
    rk_scan_line_range(&a->scan, out->line, &from, &to);
    out->before = rk_audit_plain(a, from, at > from ? at : from);
    out->after = rk_audit_plain(a, end < to ? end : to, to);
    add_headings(a, a->scan.piece.at[piece_at(a, s->from)].scope, a->scan.line.at[out->line - 1], out);
    return a->arena.failed ? rk_fail_memory(err) : RK_OK;
}

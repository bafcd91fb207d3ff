/* SPDX-License-Identifier: MIT */
/*
 * audit/given.h - a number as someone typed it, to look for in an index: 6,710,886,400  3.5e12  7.92GiB  69.4%.
 *
 * Stage   the user's word -> [audit] -> queries of an index.
 * Uses    base/, expr/, audit/index.h, audit/lex.h, audit/lexicon.h.
 * Memory  none stays but the text, which is borrowed.
 * Threads no state.
 *
 * A whole number without a unit is exact.  Any other may be rounded, and means every value that rounds to it at the
 * digits given.  A unit narrows what is looked for: bytes, operations, parameters, a share.  Prefixes of bytes and
 * single letters are read in the other way, too: GB as GiB, K as 1,024.
 */
#ifndef RK_AUDIT_GIVEN_H
#define RK_AUDIT_GIVEN_H

#include "audit/index.h"
#include "audit/lexicon.h"

#define RK_GIVEN_BYTES_MAX 4096 /* of a word; no count is that long */

typedef struct rk_given {
    const char *text;
    rk_index_query plain;  /* as it stands there */
    rk_index_query other;  /* its unit in powers of 1,024 instead of 1,000, or the other way round; kinds 0: none */
    rk_index_query coarse; /* an exact number that ends in zeros: as a rounded one; kinds 0: none */
    bool exact;
    bool binary; /* `other` has powers of 1,024 */
} rk_given;

/* RK_EINPUT: it is no number above zero, or nothing that counts; the message says what would do. */
int rk_given_read(const rk_lexicon *l, const char *text, rk_given *out, rk_err *err);

/* The kinds of what a unit counts; 0: it may be anything, or there is no unit. */
unsigned rk_given_kinds(const rk_word_unit *u);

/* Whether a word may stand after a number: GiB, billion, parameters. */
bool rk_given_is_unit(const rk_lexicon *l, const char *word);

/* What an index has for it, ranked.  *rounded: it was exact, and only as a rounded number there is something. */
int rk_given_find(const rk_given *g, const rk_index *x, rk_arena *a, rk_matches *out, bool *rounded, rk_err *err);

#endif

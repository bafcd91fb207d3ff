/* SPDX-License-Identifier: MIT */
/*
 * account/verify_match.h - what the files that compare a model with a checkpoint by names share; private to account/.
 *
 * Stage   ledger, tensor table -> [account] -> what differs.
 * Uses    base/, account/verify.h.
 * Memory  in an arena for the comparison alone; what is found, in that of the result.
 * Threads one comparison, one thread.
 *
 * The way: verify_match.c finds for each tensor under which of the model's namings it is stored; verify_prefix.c finds
 * a prefix that the file's names have and the model's have not, or the other way round; verify_list.c lists what
 * differs; verify.c does all three.
 */
#ifndef RK_ACCOUNT_VERIFY_MATCH_H
#define RK_ACCOUNT_VERIFY_MATCH_H

#include "account/verify.h"
#include "base/map.h"

enum {
    RK_NAMINGS_MAX = 4,
    RK_FORMS_MAX = 2 * RK_NAMINGS_MAX /* each naming as it is, and with a prefix changed */
};

/* A way in which the tensors of the model may be called in the file. */
typedef struct rk_form {
    rk_naming naming;
    const rk_names *names;
    const size_t *first;    /* of each unit, its first name; one more for the end */
    const char *drop, *add; /* a prefix; NULL: none */
} rk_form;

/* How one tensor of the reference layout is stored: whole or in pieces, under which names. */
typedef struct rk_choice {
    uint8_t form;
    bool some, complete; /* at least one piece is there; all are, with the right shapes */
} rk_choice;

typedef struct rk_comparing {
    const rk_ledger *l;
    const rk_store *store;
    rk_verify *v;
    rk_err *err;
    rk_arena arena; /* for the comparison alone */
    rk_names names[RK_NAMINGS_MAX];
    rk_form form[RK_FORMS_MAX];
    size_t n_naming, n_form;
    rk_choice *choice;
    size_t n_unit;
    bool *used, *stands_in; /* of each stored tensor */
    rk_map tied;            /* from the name of an owner to a stored tensor that is tied to it */
    rk_str text;
} rk_comparing;

/* verify_match.c: names in the file, and in which form each tensor is there */
bool rk_verify_begins(const char *text, const char *with);
const char *rk_verify_name_in(rk_comparing *c, const rk_form *f, const char *name);
const rk_stored *rk_verify_find(rk_comparing *c, const rk_form *f, const rk_named *t);
bool rk_verify_same_shape(const rk_named *t, const rk_stored *s);
const rk_form *rk_verify_form_of(const rk_comparing *c, size_t unit);
bool rk_verify_is_own(const rk_comparing *c, size_t unit);
int rk_verify_match(rk_comparing *c);

/* verify_prefix.c: a prefix on every name, or on none */
int rk_verify_add_prefix_forms(rk_comparing *c);

/* verify_list.c: what differs */
int rk_verify_list(rk_comparing *c);

#endif

/* SPDX-License-Identifier: MIT */
#include "plan/ignored_keys.h"

#include "plan/glob.h"

#include <string.h>

#define ASIDE_PATH "keys-ignored.json"

int rk_ignored_keys_read(const rk_library *l, rk_arena *a, rk_ignored_keys *out, rk_err *err)
{
    rk_text t = {0};
    rk_doc *d = NULL;
    int code = rk_library_get(l, a, ASIDE_PATH, &t, err);

    if (code == RK_OK && t.text)
        code = rk_config_parse(a, t.name, t.text, t.n, &d, err);
    if (code == RK_OK)
        out->reasons = d;
    return code;
}

static bool lists(const rk_doc *reason, const char *word)
{
    const rk_doc *keys = rk_doc_key(reason, "keys", strlen("keys"));

    for (size_t i = 0; keys && keys->kind == RK_DOC_LIST && i < keys->n; i++)
        if (keys->item[i].kind == RK_DOC_TEXT && rk_glob_is(keys->item[i].text, word))
            return true;
    return false;
}

const char *rk_ignored_key_reason(const rk_ignored_keys *ignored, const char *path)
{
    const rk_doc *d = ignored->reasons;
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; d && d->kind == RK_DOC_MAP && i < d->n; i++)
        if (lists(&d->item[i], dot ? dot + 1 : path))
            return d->key[i];
    return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "model/layout.h"

#include <string.h>

/* How much of the name the prefix covers, up to a dot or the end; 0: it does not. */
static size_t covers(const char *prefix, const char *name)
{
    size_t n = strlen(prefix);

    return strncmp(prefix, name, n) == 0 && (name[n] == '.' || name[n] == 0) ? n : 0;
}

void rk_layout_rename(const rk_program *p, const char *name, rk_str *out)
{
    size_t longest = 0, which = 0;

    for (size_t i = 0; i < p->n_rename; i++) {
        size_t n = covers(p->rename[i].from, name);

        if (n > longest) {
            longest = n;
            which = i;
        }
    }
    if (longest)
        rk_str_put(out, p->rename[which].to);
    rk_str_put(out, name + longest);
}

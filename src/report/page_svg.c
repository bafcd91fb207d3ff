/* SPDX-License-Identifier: MIT */
/* The writer that draws the picture of a document. */
#include "report/page.h"

void rk_page_svg(rk_page *p, rk_str *out)
{
    const rk_picture *picture = NULL;
    size_t n = 0;

    for (size_t i = 0; i < p->item.n; i++)
        if (p->item.at[i].kind == RK_ITEM_PICTURE && n++ == 0)
            picture = &p->item.at[i].picture;
    if (n == 1)
        picture->svg(picture->data, p->paper.theme, out);
    else if (n == 0)
        p->code = rk_fail(p->err, RK_EINPUT, "%s", p->no_picture ? p->no_picture : "there is no picture of this");
    else
        p->code = rk_fail(p->err, RK_EINPUT, "there are %zu pictures of this: --format html has room for them", n);
}

/* SPDX-License-Identifier: MIT */
/* The same step in other types, and what would lower what it needs: tables of `reckon memory` and `reckon fit`. */
#include "report/savings.h"

#include "report/serving.h"

#define BYTES_COLUMN(title, name, text) RK_COLUMN(title, name, COUNT, text, .right = true, .unit = "B")
#define FITS_COLUMN RK_COLUMN("", "fits", TRUTH, "whether they are there")
#define SCALED_COLUMN                                                                                                  \
    {                                                                                                                  \
        .head = "", .right = true, .drop = 2                                                                           \
    }

#define RECIPE_COLUMNS                                                                                                 \
    RK_COLUMN("", "recipe", TEXT, "its name"),                                                                         \
        RK_COLUMN("bytes a parameter", "bytes_per_parameter", DIGITS, "of weights, gradients and optimizer together",  \
                  .right = true, .drop = 1)
#define CHOSEN_COLUMN RK_COLUMN("", "chosen", TRUTH, "whether it is that of this step")
static const rk_field recipe_field[] = {RECIPE_COLUMNS, BYTES_COLUMN("the peak", "peak", "bytes"), SCALED_COLUMN,
                                        CHOSEN_COLUMN};
static const rk_field recipe_room_field[] = {RECIPE_COLUMNS, BYTES_COLUMN("needs", "needs", "bytes on each device"),
                                             FITS_COLUMN, CHOSEN_COLUMN};
const rk_fields rk_recipe_fields = {recipe_field, 5}, rk_recipe_room_fields = {recipe_room_field, 5};

#define SAVING_COLUMNS                                                                                                 \
    RK_COLUMN("", "option", CODE, "to be added to the line", .typed = true),                                           \
        RK_COLUMN("", "text", TEXT, "what it does", .wraps = true, .drop = 1)
static const rk_field saving_field[] = {
    SAVING_COLUMNS, BYTES_COLUMN("the peak", "peak", "bytes, with this and all before it"), SCALED_COLUMN};
static const rk_field saving_room_field[] = {
    SAVING_COLUMNS, BYTES_COLUMN("needs", "needs", "bytes on each device, with this and all before it"), FITS_COLUMN,
    RK_KEY("fewest_devices", COUNT, "on which it fits then; null: on none")};
const rk_fields rk_saving_fields = {saving_field, 4}, rk_saving_room_fields = {saving_room_field, 5};

/* The bytes, and beside them how large that is; in a room people see the latter alone, and whether it is there. */
static void put_bytes(rk_view *v, rk_cell *cell, rk_i128 bytes, const rk_room *room, bool fits, const char *text)
{
    const char *scaled = rk_view_scaled(v, bytes, "B");

    cell[0] = room ? rk_cell_both(&v->page, rk_cell_count(bytes), rk_view_text(scaled)) : rk_cell_count(bytes);
    cell[1] = room ? rk_cell_both(&v->page, rk_cell_truth(fits), rk_view_text(text)) : rk_view_text(scaled);
}

void rk_view_put_recipes(rk_view *v, rk_cell *in, const rk_recipes *r, const rk_room *room)
{
    rk_table *t = rk_cell_list(&v->page, in, room ? &rk_recipe_room_fields : &rk_recipe_fields);

    for (size_t i = 0; i < r->n; i++) {
        const rk_recipe_row *x = &r->at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_name(x->name);
        if (r->stored > 0)
            cell[1] = rk_cell_digits(rk_view_quotient(v, x->state, r->stored));
        put_bytes(v, &cell[2], x->needs, room, x->fits, x->fits ? "fits" : "");
        cell[4] = rk_cell_both(&v->page, rk_cell_truth(x->chosen), rk_view_text(x->chosen ? "this step" : ""));
    }
    if (r->n == 0)
        return;
    rk_page_gap(&v->page);
    rk_page_put(&v->page, RK_ITEM_HEADING, 0,
                "In other types (--recipe NAME); of a parameter, weight, gradient and optimizer state:");
    rk_page_show(&v->page, t);
}

/* "fits", or the devices that it takes. */
static const char *fits_text(rk_view *v, const rk_saving *x)
{
    if (x->fits)
        return "fits";
    return x->fewest ? rk_view_format(v, "on %s devices", rk_view_grouped(v, x->fewest)) : "on no number";
}

void rk_view_put_savings(rk_view *v, rk_cell *in, const rk_savings *s, const rk_room *room)
{
    rk_table *t = rk_cell_list(&v->page, in, room ? &rk_saving_room_fields : &rk_saving_fields);

    for (size_t i = 0; i < s->n; i++) {
        const rk_saving *x = &s->at[i];
        rk_cell *cell = rk_page_row(&v->page, t, RK_ROW_PLAIN, 0);

        cell[0] = rk_cell_code(x->option);
        cell[1] = rk_view_text(x->text);
        put_bytes(v, &cell[2], x->needs, room, x->fits, fits_text(v, x));
        if (room)
            cell[4] = rk_cell_count_if(x->fits || x->fewest > 0, x->fits ? room->devices : x->fewest);
    }
    if (s->n == 0)
        return;
    rk_page_put(&v->page, RK_ITEM_HEADING, 0, "What would lower it, each on top of those before:");
    rk_page_show(&v->page, t);
}

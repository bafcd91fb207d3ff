/* SPDX-License-Identifier: MIT */
/* Each operation, element by element.  Unhidden results are put; hidden ones are computed, counted and thrown away. */
#include "count.h"

#include <stdlib.h>

/* Sets whether the present indices are a forbidden pair. */
static bool look(world *w, const plan *p)
{
    w->c->hidden = !pair_allowed(w, p);
    return !w->c->hidden;
}

/* ---- products ------------------------------------------------------------------------------------------------ */

static double factors(world *w, const plan *p)
{
    double x = view_get(w, &p->in[0]);

    for (size_t i = 1; i < p->op->n_in; i++)
        x = mul(w, x, view_get(w, &p->in[i]));
    return x;
}

static bool summed_pair(const plan *p)
{
    return !p->masked || labels_has(&p->inner, p->mask.key) || labels_has(&p->inner, p->mask.query);
}

static void product(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double sum = 0;
        bool seen = false;

        WALK(w, &p->inner)
        {
            bool allowed = look(w, p);
            double x = factors(w, p);

            if (p->inner.n > 0)
                x = add(w, sum, x);
            if (allowed)
                sum = x;
            seen |= allowed;
        }
        /* An element that is itself forbidden stays unknown; an empty sum is 0. */
        if (seen || summed_pair(p))
            view_put(w, &p->out, sum);
    }
}

/* ---- element by element -------------------------------------------------------------------------------------- */

static double sigmoid(world *w, double x)
{
    return divide(w, 1, add(w, 1, exponential(w, negative(w, x))));
}

static double gelu(world *w, double x)
{
    return mul(w, mul(w, 0.5, x), add(w, 1, error_function(w, mul(w, x, M_SQRT1_2))));
}

static double gelu_tanh(world *w, double x)
{
    double cube = mul(w, mul(w, x, x), x);
    double inner = mul(w, sqrt(2 / M_PI), add(w, x, mul(w, 0.044715, cube)));

    return mul(w, mul(w, 0.5, x), add(w, 1, tangent(w, inner)));
}

static double hardswish(world *w, double x)
{
    return mul(w, x, divide(w, smaller(w, larger(w, add(w, x, 3), 0), 6), 6));
}

static double unary(world *w, const plan *p, double x)
{
    double y;

    switch (p->passes ? RK_OP_COPY : p->op->row) {
    case RK_OP_SCALE:
        return mul(w, p->op->real, x);
    case RK_OP_SHIFT:
        return add(w, shift_of(w, p->op->real), x);
    case RK_OP_NEG:
        return negative(w, x);
    case RK_OP_RELU:
        return larger(w, x, 0);
    case RK_OP_RELU2:
        y = larger(w, x, 0);
        return mul(w, y, y);
    case RK_OP_GELU:
        return gelu(w, x);
    case RK_OP_GELU_TANH:
    case RK_OP_GELU_NEW:
        return gelu_tanh(w, x);
    case RK_OP_QUICK_GELU:
        return mul(w, x, sigmoid(w, mul(w, 1.702, x)));
    case RK_OP_SILU:
        return mul(w, x, sigmoid(w, x));
    case RK_OP_SIGMOID:
        return sigmoid(w, x);
    case RK_OP_TANH:
        return tangent(w, x);
    case RK_OP_EXP:
        return exponential(w, x);
    case RK_OP_LOG:
        return logarithm(w, x);
    case RK_OP_SOFTPLUS:
        return logarithm(w, add(w, 1, exponential(w, x)));
    case RK_OP_CLAMP:
        return smaller(w, larger(w, x, -clamp_of(w)), clamp_of(w));
    case RK_OP_LEAKY_RELU:
        return choose(w, x > 0, x, mul(w, 0.01, x));
    case RK_OP_HARDSWISH:
        return hardswish(w, x);
    case RK_OP_MISH:
        return mul(w, x, tangent(w, logarithm(w, add(w, 1, exponential(w, x)))));
    case RK_OP_SQRT:
        return root(w, x);
    case RK_OP_POWER:
        return power(w, x, p->op->real);
    case RK_OP_RSQRT:
        return divide(w, 1, root(w, x));
    case RK_OP_ERF:
        return error_function(w, x);
    case RK_OP_SOFTCAP:
        return mul(w, cap_of(w), tangent(w, divide(w, x, cap_of(w))));
    default:
        return x;
    }
}

static void each(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        bool allowed = look(w, p);
        double y = unary(w, p, view_get(w, &p->in[0]));

        if (allowed)
            view_put(w, &p->out, y);
    }
}

static double binary(world *w, rk_op_id row, double a, double b)
{
    switch (row) {
    case RK_OP_ADD:
        return add(w, a, b);
    case RK_OP_SUB:
        return sub(w, a, b);
    case RK_OP_MUL:
        return mul(w, a, b);
    default:
        return divide(w, a, b);
    }
}

static void pairs(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        bool allowed = look(w, p);
        double x = view_get(w, &p->in[0]);

        for (size_t i = 1; i < p->op->n_in; i++)
            x = binary(w, p->op->row, x, view_get(w, &p->in[i]));
        if (allowed)
            view_put(w, &p->out, x);
    }
}

/* A result like the second operand, x, with something that the first, a, says of it. */
static double beside(world *w, rk_op_id row, double a, double x)
{
    switch (row) {
    case RK_OP_AT_LEAST:
        return larger(w, x, a);
    case RK_OP_WHERE_POSITIVE:
        return choose(w, a > 0, x, 0);
    case RK_OP_WEIGH:
        return mul(w, a, x);
    case RK_OP_SWIGLU:
        return mul(w, mul(w, a, sigmoid(w, a)), x);
    case RK_OP_ADD_HERE:
        return add(w, a, x);
    default:
        return x; /* nothing is hidden, and all are in the same order */
    }
}

static void seconds(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        bool allowed = look(w, p);
        double y = beside(w, p->op->row, view_get(w, &p->in[0]), view_get(w, &p->in[1]));

        if (allowed)
            view_put(w, &p->out, y);
    }
}

/* The last axis holds a and b. */
static void clamped_glu(world *w, plan *p)
{
    uint32_t half = p->in[0].at[p->in[0].n - 1].label[0];

    WALK(w, &p->domain)
    {
        double a, b, g;

        look(w, p);
        w->index[half] = 0;
        a = view_get(w, &p->in[0]);
        w->index[half] = 1;
        b = view_get(w, &p->in[0]);
        g = smaller(w, a, 7);
        g = mul(w, g, sigmoid(w, mul(w, 1.702, g)));
        b = smaller(w, larger(w, b, -7), 7);
        view_put(w, &p->out, mul(w, add(w, b, 1), g));
    }
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

static double row_count(const world *w, const plan *p)
{
    double n = 1;

    for (size_t i = 0; i < p->inner.n; i++)
        n *= (double)w->size[p->inner.at[i]];
    return n;
}

/* The mean of a row, which is not counted. */
static double row_mean(world *w, const plan *p)
{
    double sum = 0;

    WALK(w, &p->inner)
    {
        sum += view_get(w, &p->in[0]);
    }
    return sum / row_count(w, p);
}

static bool is_centred(const rk_op *op)
{
    return op->row == RK_OP_LAYERNORM || op->row == RK_OP_GROUPNORM;
}

static double weight_of(const world *w, const plan *p)
{
    double x = view_get(w, &p->in[1]);

    return p->op->row == RK_OP_RMSNORM_1P ? 1 + x : x;
}

static void norm(world *w, plan *p)
{
    bool centred = is_centred(p->op), whole = p->op->row == RK_OP_L2NORM;

    WALK(w, &p->domain)
    {
        double mean = centred ? row_mean(w, p) : 0, sum = 0, scale;

        WALK(w, &p->inner)
        {
            double x = view_get(w, &p->in[0]) - mean;

            look(w, p);
            sum = add(w, sum, mul(w, x, x));
        }
        scale = 1 / sqrt((whole ? sum : sum / row_count(w, p)) + epsilon_of(w));
        WALK(w, &p->inner)
        {
            double y;

            look(w, p);
            y = mul(w, view_get(w, &p->in[0]) - mean, scale);
            if (p->op->n_in > 1)
                y = mul(w, y, weight_of(w, p));
            if (p->op->n_in > 2)
                y = add(w, y, view_get(w, &p->in[2]));
            view_put(w, &p->out, y);
        }
    }
}

/* The largest of a row; forbidden pairs (NaN) are smaller than everything. */
static double row_largest(world *w, const plan *p)
{
    double most = -INFINITY;

    WALK(w, &p->inner)
    {
        double x = view_get(w, &p->in[0]);

        if (pair_allowed(w, p) && x > most)
            most = x;
    }
    return most;
}

static double row_exponentials(world *w, const plan *p, double most)
{
    double sum = 0;

    WALK(w, &p->inner)
    {
        bool allowed = look(w, p);
        double x = view_get(w, &p->in[0]), y = add(w, sum, exponential(w, sub(w, x, most)));

        if (allowed && !isnan(x))
            sum = y;
    }
    return sum;
}

/* A key that a mask forbids gets no weight, also where the mask came to this operation only as NaN. */
static void softmax(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double most = row_largest(w, p), sum = row_exponentials(w, p, most);

        WALK(w, &p->inner)
        {
            bool allowed = look(w, p);
            double x = view_get(w, &p->in[0]), y = divide(w, exp(x - most), sum);

            if (allowed)
                view_put(w, &p->out, isnan(x) ? 0 : y);
        }
    }
}

static void log_softmax(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double most = row_largest(w, p), norm_of = log(row_exponentials(w, p, most));

        WALK(w, &p->inner)
        {
            double y = sub(w, view_get(w, &p->in[0]) - most, norm_of);

            view_put(w, &p->out, y);
        }
    }
}

static void logsumexp(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double most = row_largest(w, p);

        view_put(w, &p->out, most + log(row_exponentials(w, p, most)));
    }
}

static void reduce(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double sum = 0;

        WALK(w, &p->inner)
        {
            bool allowed = look(w, p);
            double y = add(w, sum, view_get(w, &p->in[0]));

            if (allowed)
                sum = y;
        }
        view_put(w, &p->out, p->op->row == RK_OP_MEAN ? sum / row_count(w, p) : sum);
    }
}

/* Of the n - 1 that a sample leaves free; a root of a row is not counted. */
static void deviation(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double mean = row_mean(w, p), sum = 0, n = row_count(w, p);

        WALK(w, &p->inner)
        {
            double x = view_get(w, &p->in[0]) - mean;

            look(w, p);
            sum = add(w, sum, mul(w, x, x));
        }
        view_put(w, &p->out, sqrt(sum / (n > 1 ? n - 1 : 1)));
    }
}

static void cumsum(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double sum = 0;

        WALK(w, &p->inner)
        {
            bool allowed = look(w, p);
            double y = add(w, sum, view_get(w, &p->in[0]));

            if (allowed)
                view_put(w, &p->out, sum = y);
        }
    }
}

/* What a mask over two axes leaves of an element, or over one: all. */
static double masked(const world *w, const plan *p, double x)
{
    const uint32_t *label = p->op->label;

    switch (p->op->row) {
    case RK_OP_BELOW:
        return place_of(w, label[1]) < place_of(w, label[0]) ? x : 0;
    case RK_OP_UPTO:
        return place_of(w, label[1]) <= place_of(w, label[0]) ? x : -INFINITY;
    default:
        return x;
    }
}

static void masks(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        WALK(w, &p->inner)
        {
            if (look(w, p))
                view_put(w, &p->out, masked(w, p, view_get(w, &p->in[0])));
        }
    }
}

static void pull(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        w->index[p->inner.at[0]] = 0;
        if (look(w, p))
            view_put(w, &p->out, view_get(w, &p->in[0]));
    }
}

/* The loss is a mean over all places; each chunk adds what its own have. */
static void put_loss(world *w, const plan *p, double total)
{
    double before = w->chunk != NULL && w->chunk_first > 0 ? view_get(w, &p->out) : 0, n = wanted_count(w, p);

    view_put(w, &p->out, before + (n > 0 ? total / n : 0));
}

static void cross_entropy(world *w, plan *p)
{
    double total = 0;

    WALK(w, &p->domain)
    {
        double most = row_largest(w, p), norm_of = log(row_exponentials(w, p, most));
        long wanted = wanted_class(w, p);

        WALK(w, &p->inner)
        {
            double y = sub(w, view_get(w, &p->in[0]) - most, norm_of);

            if (w->index[p->inner.at[0]] == wanted)
                total -= y;
        }
    }
    put_loss(w, p, total);
}

static void pick(world *w, plan *p)
{
    double total = 0;

    WALK(w, &p->domain)
    {
        long wanted = wanted_class(w, p);

        if (wanted < 0)
            continue;
        w->index[p->inner.at[0]] = wanted;
        total -= view_get(w, &p->in[0]);
    }
    put_loss(w, p, total);
}

/* ---- choosing ------------------------------------------------------------------------------------------------ */

static bool taken(const long *list, long n, long x)
{
    for (long i = 0; i < n; i++)
        if (list[i] == x)
            return true;
    return false;
}

static long largest_left(world *w, const plan *p, uint32_t from, const long *list, long n)
{
    long best = -1;
    double most = 0;

    for (long e = 0; e < w->size[from]; e++) {
        double x;

        w->index[from] = e;
        x = view_get(w, &p->in[0]);
        if (!taken(list, n, e) && !isnan(x) && (best < 0 || x > most)) {
            best = e;
            most = x;
        }
    }
    return best < 0 ? 0 : best; /* all that is left is forbidden */
}

/* All but the largest elements of the last axis are put where they count for nothing. */
static void best(world *w, plan *p)
{
    uint32_t along = p->out.at[p->out.n - 1].label[0];
    labels rest = {0};

    for (size_t i = 0; i < p->domain.n; i++)
        if (p->domain.at[i] != along)
            labels_add(&rest, p->domain.at[i]);
    WALK(w, &rest)
    {
        size_t at = 0;

        w->index[along] = 0;
        if (!view_at(w, &p->out, &at))
            return;
        for (long k = 0; k < p->arg && !w->fixed; k++)
            p->chosen[at + (size_t)k] = largest_left(w, p, along, p->chosen + at, k);
        for (long k = 0; k < w->size[along]; k++) {
            w->index[along] = k;
            view_put(w, &p->out, taken(p->chosen + at, p->arg, k) ? view_get(w, &p->in[0]) : -INFINITY);
        }
    }
}

/* The largest elements of the last axis of the first operand, in order. */
static void top(world *w, plan *p)
{
    uint32_t from = p->in[0].at[p->in[0].n - 1].label[0], to = p->inner.at[0];

    WALK(w, &p->domain)
    {
        size_t at = 0;
        long *list;

        w->index[to] = 0;
        if (!view_at(w, &p->out, &at))
            return;
        list = p->chosen + at;
        for (long k = 0; k < w->size[to]; k++) {
            if (!w->fixed)
                list[k] = largest_left(w, p, from, list, k);
            w->index[from] = list[k];
            w->index[to] = k;
            view_put(w, &p->out, view_get(w, &p->in[0]));
        }
    }
}

/* ---- moving -------------------------------------------------------------------------------------------------- */

static void join(world *w, plan *p)
{
    for (size_t i = 0; i < p->op->n_in; i++) {
        labels l = {0};

        labels_add_view(&l, &p->part[i]);
        WALK(w, &l)
        {
            view_put(w, &p->part[i], view_get(w, &p->in[i]));
        }
    }
}

static void place(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        size_t at;
        const view *from = view_at(w, &p->in[0], &at) ? &p->in[0] : &p->in[1];

        view_put(w, &p->out, view_get(w, from));
    }
}

/* An axis, the first of a table, is read at the number that the index holds; its label may be the index's own. */
static void lookup(world *w, plan *p)
{
    size_t k = p->op->row == RK_OP_LOOKUP ? 0 : p->in[1].n - 1;
    uint32_t row = p->in[1].at[k].label[0];

    WALK(w, &p->domain)
    {
        long here = w->index[row];
        double x;

        w->index[row] = index_at(w, row, (long)view_get(w, &p->in[0]) % w->whole[row]);
        x = view_get(w, &p->in[1]);
        w->index[row] = here;
        view_put(w, &p->out, x);
    }
}

static void constant(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double x = 0;

        if ((p->op->row == RK_OP_POSITION || p->op->row == RK_OP_HELD_POSITION) && p->out.n > 0)
            x = (double)place_of(w, p->out.at[p->out.n - 1].label[0]);
        else if (p->op->row == RK_OP_BUCKET && p->out.n > 1)
            x = (double)labs(place_of(w, p->out.at[0].label[0]) - place_of(w, p->out.at[1].label[0]));
        else if (rk_op_table[p->op->row].torch == RK_TORCH_ROPE_TABLE && p->out.n > 0)
            x = cos((double)place_of(w, p->out.at[0].label[0]));
        view_put(w, &p->out, x);
    }
}

static void stop(world *w, plan *p)
{
    if (w->fixed)
        return;
    each(w, p);
}

/* ---- rope, solve --------------------------------------------------------------------------------------------- */

/* Element e of the first R turns with element e ± R/2; any angle does: it grows with the second axis's place. */
static void rope(world *w, plan *p)
{
    uint32_t last = p->out.at[p->out.n - 1].label[0];
    uint32_t along = p->out.at[p->out.n > 1 ? 1 : 0].label[0];
    long rotated = p->arg, half = rotated / 2;

    WALK(w, &p->domain)
    {
        long e = w->index[last];
        double x = view_get(w, &p->in[0]), angle, other;

        w->c->hidden = false;
        if (e >= rotated) {
            view_put(w, &p->out, x);
            continue;
        }
        angle = 0.3 * (double)place_of(w, along) + 0.1 * (double)(half > 0 ? e % half : 0);
        w->index[last] = (e + half) % rotated;
        other = view_get(w, &p->in[0]);
        w->index[last] = e;
        view_put(w, &p->out, add(w, mul(w, x, cos(angle)), mul(w, other, e < half ? -sin(angle) : sin(angle))));
    }
}

/* (1 + strictly lower triangle of a) y = b, column by column; a is [.. i j]. */
static void solve_column(world *w, plan *p, uint32_t i, uint32_t j, double *y)
{
    for (long row = 0; row < w->size[i]; row++) {
        w->index[i] = row;
        y[row] = view_get(w, &p->in[1]);
        for (long k = 0; k < row; k++) {
            w->index[j] = k;
            y[row] = sub(w, y[row], mul(w, view_get(w, &p->in[0]), y[k]));
        }
    }
    /* Put at the end, so that a nudge of one element is not an error in the others. */
    for (long row = 0; row < w->size[i]; row++) {
        w->index[i] = row;
        view_put(w, &p->out, y[row]);
    }
}

/* A triangle's operation, column by column; y has room for one. */
static void each_column(world *w, plan *p, void (*column)(world *w, plan *p, uint32_t i, uint32_t j, double *y))
{
    uint32_t i = p->in[0].at[p->in[0].n - 2].label[0], j = p->in[0].at[p->in[0].n - 1].label[0];
    rk_arena_mark mark = rk_arena_here(&w->arena);
    double *y = need(w, (size_t)w->size[i] + 1, sizeof *y);
    labels columns = {0};

    for (size_t k = 0; k < p->domain.n; k++)
        if (p->domain.at[k] != i)
            labels_add(&columns, p->domain.at[k]);
    WALK(w, &columns)
    {
        column(w, p, i, j, y);
    }
    rk_arena_rewind(&w->arena, mark);
}

/* Column j of the inverse: the solution where the right side is 1 in row j and 0 elsewhere. */
static void inverse_column(world *w, plan *p, uint32_t i, uint32_t j, double *y)
{
    long column = w->index[j];

    for (long row = 0; row < w->size[i]; row++) {
        w->index[i] = row;
        y[row] = row == column ? 1 : 0;
        for (long k = 0; k < row; k++) {
            w->index[j] = k;
            y[row] = sub(w, y[row], mul(w, view_get(w, &p->in[0]), y[k]));
        }
    }
    w->index[j] = column;
    for (long row = 0; row < w->size[i]; row++) {
        w->index[i] = row;
        view_put(w, &p->out, y[row]);
    }
}

/* ---- all ----------------------------------------------------------------------------------------------------- */

void forward_op(world *w, plan *p)
{
    reset_indices(w, p);
    w->c = &p->forward;
    w->c->hidden = false;
    switch (p->passes ? RK_OP_COPY : p->op->row) {
    case RK_OP_PRODUCT:
        product(w, p);
        break;
    case RK_OP_ADD:
    case RK_OP_SUB:
    case RK_OP_MUL:
    case RK_OP_DIV:
        pairs(w, p);
        break;
    case RK_OP_HIDE_BY:
    case RK_OP_HIDE_HERE:
    case RK_OP_ADD_HERE:
    case RK_OP_GROUPED:
    case RK_OP_GATHER:
    case RK_OP_HOLD:
    case RK_OP_AT_LEAST:
    case RK_OP_WHERE_POSITIVE:
    case RK_OP_WEIGH:
    case RK_OP_SWIGLU:
        seconds(w, p);
        break;
    case RK_OP_CLAMPED_GLU:
        clamped_glu(w, p);
        break;
    case RK_OP_RMSNORM:
    case RK_OP_RMSNORM_1P:
    case RK_OP_LAYERNORM:
    case RK_OP_GROUPNORM:
    case RK_OP_L2NORM:
        norm(w, p);
        break;
    case RK_OP_SOFTMAX:
        softmax(w, p);
        break;
    case RK_OP_LOG_SOFTMAX:
        log_softmax(w, p);
        break;
    case RK_OP_LOGSUMEXP:
        logsumexp(w, p);
        break;
    case RK_OP_SUM:
    case RK_OP_COMBINE:
    case RK_OP_MEAN:
        reduce(w, p);
        break;
    case RK_OP_STD:
        deviation(w, p);
        break;
    case RK_OP_CUMSUM:
        cumsum(w, p);
        break;
    case RK_OP_BELOW:
    case RK_OP_UPTO:
    case RK_OP_RESET:
    case RK_OP_APART:
        masks(w, p);
        break;
    case RK_OP_PULL:
        pull(w, p);
        break;
    case RK_OP_CROSS_ENTROPY:
    case RK_OP_CROSS_ENTROPY_HERE:
        cross_entropy(w, p);
        break;
    case RK_OP_PICK:
    case RK_OP_PICK_NEXT:
        pick(w, p);
        break;
    case RK_OP_BEST:
        best(w, p);
        break;
    case RK_OP_ROUTE:
    case RK_OP_TOP:
        top(w, p);
        break;
    case RK_OP_JOIN:
        join(w, p);
        break;
    case RK_OP_PLACE:
    case RK_OP_STACK:
        place(w, p);
        break;
    case RK_OP_LOOKUP:
    case RK_OP_TAKE_ALONG:
        lookup(w, p);
        break;
    case RK_OP_POSITION:
    case RK_OP_HELD_POSITION:
    case RK_OP_COVER:
    case RK_OP_ORDER:
    case RK_OP_ENDS:
    case RK_OP_NOBODY:
    case RK_OP_HANDED:
    case RK_OP_ROPE_PAIRS:
    case RK_OP_BUCKET:
    case RK_OP_ZEROS:
    case RK_OP_HELD_ZEROS:
    case RK_OP_ROPE_TABLE:
    case RK_OP_ROPE_HALVES:
    case RK_OP_ROPE_COMPLEX:
        constant(w, p);
        break;
    case RK_OP_STOP:
        stop(w, p);
        break;
    case RK_OP_ROPE:
        rope(w, p);
        break;
    case RK_OP_SOLVE:
        each_column(w, p, solve_column);
        break;
    case RK_OP_INVERSE:
    case RK_OP_INVERSE_ROWS:
        each_column(w, p, inverse_column);
        break;
    case RK_OP_SDPA:
    case RK_OP_SDPA_WIDE:
    case RK_OP_SDPA_FLASH:
        if (w->attends)
            attention_forward(w, p);
        else
            each(w, p);
        break;
    default:
        each(w, p);
        break; /* functions of one element, and what only moves elements */
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * The derivative of each operation, in the way that a person would write it: what forward kept is used (the table's
 * SAVES says what), and the rest is computed again.
 */
#include "count.h"

static bool look(world *w, const plan *p)
{
    w->c->hidden = !pair_allowed(w, p);
    return !w->c->hidden;
}

/*
 * The two ends of a recurrence that the gradient pass calls free: the first step reads the start state, the last one
 * is read by no one.  That must be true: the operand lies outside, the gradient that comes in is zero.
 */
static bool is_free(world *w, const plan *p, size_t in)
{
    const rk_grad *g = p->grad[in];
    const cell *c = &w->tensor[p->in[in].tensor];
    size_t at;

    if (c->zero != NULL && view_at(w, &p->in[in], &at) && c->zero[at])
        return true;
    if (g->first_free && w->index[g->shift_label] == 0) {
        if (view_at(w, &p->in[in], &at))
            fail_world(w, "%s: the first step is called free, but it reads a computed element", p->op->name);
        return true;
    }
    if (g->last_free && w->index[g->shift_label] == w->size[g->shift_label] - 1) {
        if (view_grad(w, &p->out) != 0)
            fail_world(w, "%s: the last step is called free, but it has a gradient", p->op->name);
        return true;
    }
    return false;
}

static bool wants(world *w, const plan *p, size_t in)
{
    return in < p->op->n_in && p->want[in] && !is_free(w, p, in);
}

/* ---- products ------------------------------------------------------------------------------------------------ */

static double other_factors(world *w, const plan *p, size_t in, double g)
{
    for (size_t i = 0; i < p->op->n_in; i++)
        if (i != in)
            g = mul(w, g, view_get(w, &p->in[i]));
    return g;
}

/* A product with a summed label is two products: each step multiplies and adds. */
static void product_of(world *w, plan *p, size_t in)
{
    labels all = p->domain;

    for (size_t i = 0; i < p->inner.n; i++)
        labels_add(&all, p->inner.at[i]);
    WALK(w, &all)
    {
        bool allowed = look(w, p);
        double g;

        if (!wants(w, p, in))
            continue;
        g = other_factors(w, p, in, view_grad(w, &p->out));
        if (p->inner.n > 0)
            one(w, 0);
        if (allowed)
            view_add_grad(w, &p->in[in], g);
    }
}

static void product(world *w, plan *p)
{
    for (size_t i = 0; i < p->op->n_in; i++)
        if (p->want[i])
            product_of(w, p, i);
}

/* ---- element by element -------------------------------------------------------------------------------------- */

static double sigmoid(world *w, double x)
{
    return divide(w, 1, add(w, 1, exponential(w, negative(w, x))));
}

/* x·σ(u) with u = kx: its derivative σ(u)·(1 + u·(1 - σ(u))). */
static double swish_slope(world *w, double u, double s)
{
    return mul(w, s, add(w, 1, mul(w, u, sub(w, 1, s))));
}

static double gelu_slope(world *w, double x)
{
    double u = mul(w, x, M_SQRT1_2);
    double share = mul(w, 0.5, add(w, 1, error_function(w, u)));
    double density = mul(w, 1 / sqrt(2 * M_PI), exponential(w, negative(w, mul(w, u, u))));

    return add(w, share, mul(w, x, density));
}

static double gelu_tanh_slope(world *w, double x)
{
    double k = sqrt(2 / M_PI), square = mul(w, x, x);
    double inner = mul(w, k, add(w, x, mul(w, 0.044715, mul(w, square, x))));
    double t = tangent(w, inner);
    double inner_slope = mul(w, k, add(w, 1, mul(w, 3 * 0.044715, square)));
    double left = mul(w, 0.5, add(w, 1, t));
    double right = mul(w, mul(w, mul(w, 0.5, x), sub(w, 1, mul(w, t, t))), inner_slope);

    return add(w, left, right);
}

static double hardswish_slope(world *w, double x)
{
    return choose(w, x < -3, 0, choose(w, x > 3, 1, add(w, divide(w, x, 3), 0.5)));
}

/* t = tanh(log(1 + eˣ)): its slope is σ(x)·(1 - t²). */
static double mish_slope(world *w, double x)
{
    double e = exponential(w, x), sum = add(w, 1, e), t = tangent(w, logarithm(w, sum));

    return add(w, t, mul(w, x, mul(w, divide(w, e, sum), sub(w, 1, mul(w, t, t)))));
}

/* x the operand, y the result, g the gradient of the result; gives the gradient of the operand. */
static double unary(world *w, const plan *p, double x, double y, double g)
{
    double t;

    switch (p->op->row) {
    case RK_OP_SCALE:
        return mul(w, p->op->real, g);
    case RK_OP_NEG:
        return negative(w, g);
    case RK_OP_RELU:
        return choose(w, y > 0, g, 0);
    case RK_OP_RELU2:
        return mul(w, g, mul(w, 2, larger(w, x, 0)));
    case RK_OP_GELU:
        return mul(w, g, gelu_slope(w, x));
    case RK_OP_GELU_TANH:
    case RK_OP_GELU_NEW:
        return mul(w, g, gelu_tanh_slope(w, x));
    case RK_OP_QUICK_GELU:
        t = mul(w, 1.702, x);
        return mul(w, g, swish_slope(w, t, sigmoid(w, t)));
    case RK_OP_SILU:
        return mul(w, g, swish_slope(w, x, sigmoid(w, x)));
    case RK_OP_SIGMOID:
        return mul(w, g, mul(w, y, sub(w, 1, y)));
    case RK_OP_TANH:
        return mul(w, g, sub(w, 1, mul(w, y, y)));
    case RK_OP_EXP:
        return mul(w, g, y);
    case RK_OP_LOG:
        return divide(w, g, x);
    case RK_OP_SOFTPLUS:
        return mul(w, g, sigmoid(w, x));
    case RK_OP_CLAMP:
        return choose(w, x > -clamp_of(w) && x < clamp_of(w), g, 0);
    case RK_OP_LEAKY_RELU:
        return choose(w, x > 0, g, mul(w, 0.01, g));
    case RK_OP_HARDSWISH:
        return mul(w, g, hardswish_slope(w, x));
    case RK_OP_MISH:
        return mul(w, g, mish_slope(w, x));
    case RK_OP_SQRT:
        return divide(w, g, mul(w, 2, y));
    case RK_OP_POWER:
        return mul(w, g, mul(w, p->op->real, power(w, x, p->op->real - 1)));
    case RK_OP_RSQRT:
        return mul(w, mul(w, -0.5, g), mul(w, y, mul(w, y, y)));
    case RK_OP_ERF:
        t = mul(w, 2 / sqrt(M_PI), exponential(w, negative(w, mul(w, x, x))));
        return mul(w, g, t);
    case RK_OP_SOFTCAP:
        t = divide(w, y, cap_of(w));
        return mul(w, g, sub(w, 1, mul(w, t, t)));
    default:
        return g; /* SHIFT, and what only moves elements */
    }
}

/* What the table does not list as kept is not looked at. */
static void each(world *w, plan *p)
{
    unsigned saves = rk_op_table[p->op->row].saves;

    WALK(w, &p->domain)
    {
        bool allowed = look(w, p);
        double g, x = (double)NAN, y = (double)NAN;

        if (!wants(w, p, 0))
            continue;
        if (saves & RK_SAVE_IN)
            x = view_get(w, &p->in[0]);
        if (saves & RK_SAVE_OUT)
            y = view_get(w, &p->out);
        g = unary(w, p, x, y, view_grad(w, &p->out));
        if (allowed)
            view_add_grad(w, &p->in[0], g);
    }
}

/* A result like the second operand, x, with something that the first, a, says of it. */
static double beside(world *w, const plan *p, size_t in)
{
    double g = view_grad(w, &p->out), gate;

    switch (p->op->row) {
    case RK_OP_AT_LEAST:
        return choose(w, view_get(w, &p->in[1]) > view_get(w, &p->in[0]), g, 0);
    case RK_OP_WHERE_POSITIVE:
        return choose(w, view_get(w, &p->in[0]) > 0, g, 0);
    case RK_OP_WEIGH:
        return mul(w, g, view_get(w, &p->in[1 - in]));
    case RK_OP_SWIGLU:
        gate = view_get(w, &p->in[0]);
        return in == 0 ? mul(w, mul(w, g, view_get(w, &p->in[1])), swish_slope(w, gate, sigmoid(w, gate)))
                       : mul(w, g, mul(w, gate, sigmoid(w, gate)));
    default:
        return g;
    }
}

/* What only chooses gives no gradient to the first operand. */
static void seconds(world *w, plan *p)
{
    rk_op_id row = p->op->row;

    for (size_t in = row == RK_OP_WEIGH || row == RK_OP_ADD_HERE || row == RK_OP_SWIGLU ? 0 : 1; in < 2; in++)
        WALK(w, &p->domain)
        {
            bool allowed = look(w, p);
            double g;

            if (!wants(w, p, in))
                continue;
            g = beside(w, p, in);
            if (allowed)
                view_add_grad(w, &p->in[in], g);
        }
}

/* Was the operand repeated over a label of the result?  Then its gradient is a sum along that label. */
static bool repeated(const world *w, const plan *p, size_t in)
{
    labels l = {0};

    labels_add_view(&l, &p->in[in]);
    for (size_t i = 0; i < p->out.n; i++)
        if (!labels_has(&l, p->out.at[i].label[0]))
            return w->p->tensor[p->op->out].axes.at[i].kind != RK_IX_NUMBER;
    return false;
}

/* da = g, db = g or -g; da = g·b, db = g·a; da = g/b, db = -g·y/b, where y = a/b is found from what is kept. */
static double binary(world *w, const plan *p, size_t in)
{
    double g = view_grad(w, &p->out);

    switch (p->op->row) {
    case RK_OP_SUB:
        return in == 0 ? g : negative(w, g);
    case RK_OP_MUL:
        return other_factors(w, p, in, g);
    case RK_OP_DIV:
        if (in == 1)
            g = negative(w, mul(w, g, view_get(w, &p->in[0]) / view_get(w, &p->in[1])));
        return divide(w, g, view_get(w, &p->in[1]));
    default:
        return g;
    }
}

static void pairs(world *w, plan *p)
{
    for (size_t i = 0; i < p->op->n_in; i++) {
        bool sums = repeated(w, p, i);

        if (!p->want[i])
            continue;
        WALK(w, &p->domain)
        {
            bool allowed = look(w, p);
            double g;

            if (!wants(w, p, i))
                continue;
            g = binary(w, p, i);
            if (sums)
                one(w, 0);
            if (allowed)
                view_add_grad(w, &p->in[i], g);
        }
    }
}

static void clamped_glu(world *w, plan *p)
{
    uint32_t half = p->in[0].at[p->in[0].n - 1].label[0];

    WALK(w, &p->domain)
    {
        double g = view_grad(w, &p->out), a, b, c, u, s, da, db;

        look(w, p);
        w->index[half] = 0;
        a = view_get(w, &p->in[0]);
        w->index[half] = 1;
        b = view_get(w, &p->in[0]);
        c = smaller(w, a, 7);
        u = mul(w, 1.702, c);
        s = sigmoid(w, u);
        db = mul(w, g, mul(w, c, s));
        db = choose(w, b > -7 && b < 7, db, 0);
        da = mul(w, g, add(w, 1, smaller(w, larger(w, b, -7), 7)));
        da = mul(w, da, swish_slope(w, u, s));
        da = choose(w, a < 7, da, 0);
        view_add_grad(w, &p->in[0], db);
        w->index[half] = 0;
        view_add_grad(w, &p->in[0], da);
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

/* Mean and scale of a row, which forward kept. */
static void row_statistics(world *w, const plan *p, double *mean, double *scale)
{
    double n = row_count(w, p), square = 0;

    *mean = is_centred(p->op) ? row_mean(w, p) : 0;
    WALK(w, &p->inner)
    {
        double x = view_get(w, &p->in[0]) - *mean;

        square += x * x;
    }
    *scale = 1 / sqrt((p->op->row == RK_OP_L2NORM ? square : square / n) + epsilon_of(w));
}

static double weight_of(const world *w, const plan *p)
{
    double x = view_get(w, &p->in[1]);

    return p->op->row == RK_OP_RMSNORM_1P ? 1 + x : x;
}

/* The normalised element, and its gradient: what comes in times the weight, which only the input's gradient needs. */
static void normalised(world *w, const plan *p, double mean, double scale, double *x, double *g)
{
    if (wants(w, p, 0) || wants(w, p, 1))
        *x = mul(w, view_get(w, &p->in[0]) - mean, scale);
    *g = view_grad(w, &p->out);
    if (p->op->n_in > 1 && wants(w, p, 0))
        *g = mul(w, *g, weight_of(w, p));
}

/* What is in the middle of a row is kept there: x̂ and its gradient are computed once. */
typedef struct row_store {
    double *x, *g;
    size_t n;
} row_store;

static row_store new_row(world *w, const plan *p)
{
    size_t n = (size_t)row_count(w, p);

    return (row_store){need(w, n + 1, sizeof(double)), need(w, n + 1, sizeof(double)), n};
}

/*
 * Weight and bias were repeated over all rows: their gradients are sums.
 * With x̂ = (x - mean)·r and ĝ the gradient of x̂: dx = r·(ĝ - x̂·mean(ĝ·x̂) - mean(ĝ)).  The last mean belongs to
 * centring, which is not counted.  l2norm has sums where the others have means.
 */
static void norm_row(world *w, plan *p, row_store *row)
{
    double mean, r, share = 0, centre = 0, n = row_count(w, p);
    size_t at = 0;

    row_statistics(w, p, &mean, &r);
    WALK(w, &p->inner)
    {
        double g = view_grad(w, &p->out);

        look(w, p);
        normalised(w, p, mean, r, &row->x[at], &row->g[at]);
        if (wants(w, p, 1))
            view_add_grad(w, &p->in[1], one(w, mul(w, g, row->x[at])));
        if (wants(w, p, 2))
            view_add_grad(w, &p->in[2], one(w, g));
        if (wants(w, p, 0))
            share = add(w, share, mul(w, row->g[at], row->x[at]));
        centre += row->g[at++];
    }
    if (p->op->row != RK_OP_L2NORM)
        share /= n;
    centre = is_centred(p->op) ? centre / n : 0;
    at = 0;
    WALK(w, &p->inner)
    {
        double g = row->g[at], x = row->x[at];

        at++;
        if (wants(w, p, 0))
            view_add_grad(w, &p->in[0], mul(w, r, sub(w, g, mul(w, x, share)) - centre));
    }
}

static void norm(world *w, plan *p)
{
    rk_arena_mark mark = rk_arena_here(&w->arena);
    row_store row = new_row(w, p);

    WALK(w, &p->domain)
    {
        norm_row(w, p, &row);
    }
    rk_arena_rewind(&w->arena, mark);
}

/* dx = y·(g - Σ g·y). */
static void softmax(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double sum = 0;

        WALK(w, &p->inner)
        {
            bool allowed = look(w, p);
            double s;

            if (!wants(w, p, 0))
                continue;
            s = add(w, sum, mul(w, view_grad(w, &p->out), view_get(w, &p->out)));
            if (allowed)
                sum = s;
        }
        WALK(w, &p->inner)
        {
            bool allowed = look(w, p);
            double g;

            if (!wants(w, p, 0))
                continue;
            g = mul(w, view_get(w, &p->out), sub(w, view_grad(w, &p->out), sum));
            if (allowed)
                view_add_grad(w, &p->in[0], g);
        }
    }
}

/* dx = g - exp(y)·Σ g. */
static void log_softmax(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double sum = 0;

        WALK(w, &p->inner)
        {
            if (wants(w, p, 0))
                sum = add(w, sum, view_grad(w, &p->out));
        }
        WALK(w, &p->inner)
        {
            double share = exponential(w, view_get(w, &p->out));

            view_add_grad(w, &p->in[0], sub(w, view_grad(w, &p->out), mul(w, share, sum)));
        }
    }
}

/* dx = g·exp(x - y); a pair that a mask forbids has no share. */
static void logsumexp(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        WALK(w, &p->inner)
        {
            bool allowed = look(w, p);
            double x = view_get(w, &p->in[0]), g;

            if (!wants(w, p, 0))
                continue;
            g = mul(w, view_grad(w, &p->out), exponential(w, sub(w, x, view_get(w, &p->out))));
            if (allowed && !isnan(x))
                view_add_grad(w, &p->in[0], g);
        }
    }
}

static void reduce(world *w, plan *p)
{
    double share = p->op->row == RK_OP_MEAN ? 1 / row_count(w, p) : 1;

    WALK(w, &p->domain)
    {
        double g = view_grad(w, &p->out) * share;

        WALK(w, &p->inner)
        {
            if (look(w, p) && wants(w, p, 0))
                view_add_grad(w, &p->in[0], g);
        }
    }
}

/* Where all of a row are equal, nothing passes. */
static void deviation(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        double mean = row_mean(w, p), n = row_count(w, p), y = view_get(w, &p->out);
        double g = y > 0 ? view_grad(w, &p->out) / (y * (n > 1 ? n - 1 : 1)) : 0;

        WALK(w, &p->inner)
        {
            double x = view_get(w, &p->in[0]) - mean;

            if (look(w, p) && wants(w, p, 0))
                view_add_grad(w, &p->in[0], mul(w, g, x));
        }
    }
}

/* From the last element to the first: each gets the gradients of all sums that it is in. */
static void cumsum(world *w, plan *p)
{
    uint32_t along = p->inner.at[0];

    WALK(w, &p->domain)
    {
        double sum = 0;

        for (long i = w->size[along]; i > 0; i--) {
            bool allowed;

            w->index[along] = i - 1;
            allowed = look(w, p);
            if (!wants(w, p, 0))
                continue;
            sum = allowed ? add(w, sum, view_grad(w, &p->out)) : sum;
            view_add_grad(w, &p->in[0], sum);
        }
    }
}

static bool is_masked(const world *w, const plan *p)
{
    const uint32_t *label = p->op->label;

    return (p->op->row == RK_OP_BELOW && place_of(w, label[1]) >= place_of(w, label[0])) ||
           (p->op->row == RK_OP_UPTO && place_of(w, label[1]) > place_of(w, label[0]));
}

static void masks(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        WALK(w, &p->inner)
        {
            if (look(w, p) && wants(w, p, 0) && !is_masked(w, p))
                view_add_grad(w, &p->in[0], view_grad(w, &p->out));
        }
    }
}

static void pull(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        w->index[p->inner.at[0]] = 0;
        if (look(w, p) && wants(w, p, 0))
            view_add_grad(w, &p->in[0], view_grad(w, &p->out));
    }
}

/* Forward kept the logarithm of the softmax; here it is computed again without counting. */
static double log_softmax_base(world *w, const plan *p)
{
    double most = -INFINITY, sum = 0;

    WALK(w, &p->inner)
    {
        most = fmax(most, view_get(w, &p->in[0]));
    }
    WALK(w, &p->inner)
    {
        sum += exp(view_get(w, &p->in[0]) - most);
    }
    return most + log(sum);
}

static void pick(world *w, plan *p)
{
    double share = view_grad(w, &p->out) / wanted_count(w, p);

    WALK(w, &p->domain)
    {
        long wanted = wanted_class(w, p);

        if (wanted < 0)
            continue;
        w->index[p->inner.at[0]] = wanted;
        view_add_grad(w, &p->in[0], -share);
    }
}

static void cross_entropy(world *w, plan *p)
{
    double share = view_grad(w, &p->out) / wanted_count(w, p);

    WALK(w, &p->domain)
    {
        double base = log_softmax_base(w, p);
        long wanted = wanted_class(w, p);

        if (wanted < 0)
            continue;
        WALK(w, &p->inner)
        {
            double g = mul(w, share, exponential(w, view_get(w, &p->in[0]) - base));

            if (w->index[p->inner.at[0]] == wanted)
                g -= share;
            view_add_grad(w, &p->in[0], g);
        }
    }
}

/* ---- choosing and moving ------------------------------------------------------------------------------------- */

/* What was put aside is a constant. */
static void best(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        if (wants(w, p, 0) && isfinite(view_get(w, &p->out)))
            view_add_grad(w, &p->in[0], view_grad(w, &p->out));
    }
}

static void top(world *w, plan *p)
{
    uint32_t from = p->in[0].at[p->in[0].n - 1].label[0];
    labels all = p->domain;

    labels_add(&all, p->inner.at[0]);
    WALK(w, &all)
    {
        size_t at;

        if (!view_at(w, &p->out, &at))
            continue;
        w->index[from] = p->chosen[at];
        if (wants(w, p, 0))
            view_add_grad(w, &p->in[0], w->tensor[p->out.tensor].grad[at]);
    }
}

static void join(world *w, plan *p)
{
    for (size_t i = 0; i < p->op->n_in; i++) {
        labels l = {0};

        if (!p->want[i])
            continue;
        labels_add_view(&l, &p->part[i]);
        WALK(w, &l)
        {
            if (wants(w, p, i))
                view_add_grad(w, &p->in[i], view_grad(w, &p->part[i]));
        }
    }
}

static void place(world *w, plan *p)
{
    WALK(w, &p->domain)
    {
        size_t at, in = view_at(w, &p->in[0], &at) ? 0 : 1;

        if (wants(w, p, in))
            view_add_grad(w, &p->in[in], view_grad(w, &p->out));
    }
}

static void lookup(world *w, plan *p)
{
    size_t k = p->op->row == RK_OP_LOOKUP ? 0 : p->in[1].n - 1;
    uint32_t row = p->in[1].at[k].label[0];

    WALK(w, &p->domain)
    {
        double g = view_grad(w, &p->out);
        long here = w->index[row];

        w->index[row] = index_at(w, row, (long)view_get(w, &p->in[0]) % w->whole[row]);
        if (wants(w, p, 1))
            view_add_grad(w, &p->in[1], g);
        w->index[row] = here;
    }
}

/* ---- rope, solve --------------------------------------------------------------------------------------------- */

/* The rotation turned back. */
static void rope(world *w, plan *p)
{
    uint32_t last = p->out.at[p->out.n - 1].label[0];
    uint32_t along = p->out.at[p->out.n > 1 ? 1 : 0].label[0];
    long rotated = p->arg, half = rotated / 2;

    WALK(w, &p->domain)
    {
        long e = w->index[last], from;
        double g = view_grad(w, &p->out), angle, other, turned;

        if (e >= rotated) {
            view_add_grad(w, &p->in[0], g);
            continue;
        }
        /* Element e was also read by element `from`, at that element's angle. */
        from = (e + rotated - half) % rotated;
        angle = 0.3 * (double)place_of(w, along) + 0.1 * (double)(half > 0 ? e % half : 0);
        turned = 0.3 * (double)place_of(w, along) + 0.1 * (double)(half > 0 ? from % half : 0);
        w->index[last] = from;
        other = view_grad(w, &p->out);
        w->index[last] = e;
        g = add(w, mul(w, g, cos(angle)), mul(w, other, from < half ? -sin(turned) : sin(turned)));
        view_add_grad(w, &p->in[0], g);
    }
}

/* With u the solution of the transposed system: db = u, da[i j] = -Σ u[i]·y[j] below the diagonal. */
static void solve_column(world *w, plan *p, uint32_t i, uint32_t j, double *u)
{
    for (long row = w->size[i]; row-- > 0;) {
        w->index[i] = row;
        u[row] = view_grad(w, &p->out);
        for (long k = row + 1; k < w->size[i]; k++) {
            w->index[i] = k;
            w->index[j] = row;
            u[row] = sub(w, u[row], mul(w, view_get(w, &p->in[0]), u[k]));
        }
        w->index[i] = row;
        if (wants(w, p, 1))
            view_add_grad(w, &p->in[1], u[row]);
    }
    for (long row = 0; wants(w, p, 0) && row < w->size[i]; row++)
        for (long k = 0; k < row; k++) {
            double y;

            w->index[i] = k;
            y = view_get(w, &p->out);
            w->index[i] = row;
            w->index[j] = k;
            one(w, 0);
            view_add_grad(w, &p->in[0], -mul(w, u[row], y));
        }
}

/* A triangle's operation, column by column; u has room for one. */
static void each_column(world *w, plan *p, void (*column)(world *w, plan *p, uint32_t i, uint32_t j, double *u))
{
    uint32_t i = p->in[0].at[p->in[0].n - 2].label[0], j = p->in[0].at[p->in[0].n - 1].label[0];
    rk_arena_mark mark = rk_arena_here(&w->arena);
    double *u = need(w, (size_t)w->size[i] + 1, sizeof *u);
    labels columns = {0};

    for (size_t k = 0; k < p->domain.n; k++)
        if (p->domain.at[k] != i)
            labels_add(&columns, p->domain.at[k]);
    WALK(w, &columns)
    {
        column(w, p, i, j, u);
    }
    rk_arena_rewind(&w->arena, mark);
}

/* With u = yᵀ·g, of which this is one column: da[i k] = -Σ u[i]·y[k] below the diagonal. */
static void inverse_column(world *w, plan *p, uint32_t i, uint32_t j, double *u)
{
    long column = w->index[j];

    for (long row = 0; row < w->size[i]; row++) {
        w->index[i] = row;
        w->index[j] = column;
        u[row] = view_grad(w, &p->out);
        for (long k = row + 1; k < w->size[i]; k++) {
            double g;

            w->index[i] = k;
            w->index[j] = column;
            g = view_grad(w, &p->out);
            w->index[j] = row;
            u[row] = add(w, u[row], mul(w, view_get(w, &p->out), g));
        }
    }
    for (long row = 0; wants(w, p, 0) && row < w->size[i]; row++)
        for (long k = 0; k < row; k++) {
            double y;

            w->index[i] = k;
            w->index[j] = column;
            y = view_get(w, &p->out);
            w->index[i] = row;
            w->index[j] = k;
            one(w, 0);
            view_add_grad(w, &p->in[0], -mul(w, u[row], y));
        }
    w->index[j] = column;
}

/* ---- all ----------------------------------------------------------------------------------------------------- */

void backward_op(world *w, plan *p)
{
    reset_indices(w, p);
    w->c = &p->backward;
    w->c->hidden = false;
    switch (p->op->row) {
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
            attention_backward(w, p);
        else
            each(w, p);
        break;
    default:
        each(w, p);
        break;
    }
}

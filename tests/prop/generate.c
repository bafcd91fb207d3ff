/* SPDX-License-Identifier: MIT */
#include "prop/generate.h"

#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const size_text[N_SIZE] = {"B", "S", "T", "D", "N", "H", "F", "V", "E", "A", "J", "W", "L", "M"};

/* ---- chance ------------------------------------------------------------------------------------------------------ */

static unsigned pick(plan *p, unsigned n)
{
    p->state ^= p->state << 13;
    p->state ^= p->state >> 7;
    p->state ^= p->state << 17;
    return (unsigned)(p->state >> 33) % n;
}

static bool chance(plan *p, unsigned percent)
{
    return pick(p, 100) < percent;
}

#define ONE_OF(p, list) ((list)[pick((p), sizeof(list) / sizeof *(list))])

/* ---- lines ------------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static plan_line *put(plan *p, plan_lines *to, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    plan_line *l = RK_NEW(p->arena, plan_line);
    plan_line **slot = RK_PUSH(p->arena, to);

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    l->text = rk_arena_text(p->arena, text);
    *slot = l;
    return l;
}

static int fresh(plan *p)
{
    return ++p->n_name;
}

/* ---- pieces of a layer: each reads the stream x[B S D] and leaves one -------------------------------------------- */

typedef void piece(plan *p, plan_lines *to, int n);

static const char *activation(plan *p)
{
    static const char *const name[] = {"relu", "relu2", "gelu", "gelu_tanh", "silu", "sigmoid", "tanh", "softplus"};

    return ONE_OF(p, name);
}

static void piece_mlp(plan *p, plan_lines *to, int n)
{
    const char *bias = chance(p, 50) ? "bias" : NULL;

    put(p, to, "up%d[B S F] = x[B S D] * .up%d[F D]", n, n);
    if (bias)
        put(p, to, "up%d = up%d + .up%d.bias[F]", n, n, n);
    put(p, to, "mid%d = %s(up%d)", n, activation(p), n);
    if (chance(p, 30))
        put(p, to, "frozen .up%d", n);
    put(p, to, "down%d[B S D] = mid%d[B S F] * .down%d[D F]", n, n, n);
    put(p, to, "x = x + down%d", n);
}

static void piece_gated(plan *p, plan_lines *to, int n)
{
    if (chance(p, 50))
        put(p, to, "g%d[B S F], u%d[B S F] = x[B S D] * .gu%d[(F + F) D]", n, n, n);
    else
        put(p, to, "g%d[B S F], u%d[B S F] = x[B S D] * .gu%d[D (F + F)] + .gb%d[(F + F)]", n, n, n, n);
    put(p, to, "mid%d = %s(g%d) * u%d", n, activation(p), n, n);
    put(p, to, "x[B S D] = mid%d[B S F] * .down%d[D F]", n, n);
}

static void put_mask(plan *p, plan_lines *to, int n, const char *equation)
{
    static const char *const mask[] = {"causal(S, T)",  "window(S, T, W)", "chunk(S, T, W)",  "prefix(S, T, W)",
                                       "full(S, T)",    "window(S, T, 3)", "prefix(S, T, 0)", "band(S, T, W)",
                                       "band(S, T, 0)", "tile(S, T, W)"};

    (void)n;
    put(p, to, "%s where %s", equation, ONE_OF(p, mask));
}

static void piece_attention(plan *p, plan_lines *to, int n)
{
    char scores[128];
    bool fused = chance(p, 50), turns = chance(p, 40);

    if (fused)
        put(p, to, "q%d[B S N H], k%d[B S N H], v%d[B S N H] = x[B S D] * .qkv%d[(N H + N H + N H) D]", n, n, n, n);
    for (int i = 0; i < 3 && !fused; i++)
        put(p, to, "%c%d[B S N H] = x[B S D] * .%c%d[(N H) D]", "qkv"[i], n, "qkv"[i], n);
    if (turns)
        put(p, to, "q%d = rope(q%d, H)", n, n);
    put(p, to, "keep k%d, v%d over S as T", n, n);
    snprintf(scores, sizeof scores, "s%d[B N S T] = q%d[B S N H] * k%d[B T N H]", n, n, n);
    put_mask(p, to, n, scores);
    put(p, to, "a%d = softmax(s%d, T)", n, n);
    put(p, to, "c%d[B S N H] = a%d[B N S T] * v%d[B T N H]", n, n, n);
    put(p, to, "o%d[B S D] = c%d[B S N H] * .o%d[D (N H)]", n, n, n);
    put(p, to, "x = x + o%d", n);
}

static void piece_norm(plan *p, plan_lines *to, int n)
{
    switch (pick(p, 4)) {
    case 0:
        put(p, to, "x = rmsnorm(x, .norm%d[D])", n);
        break;
    case 1:
        put(p, to, "x = layernorm(x, .norm%d[D], .norm%d.bias[D])", n, n);
        break;
    case 2:
        put(p, to, "x = l2norm(x, D)");
        break;
    default:
        put(p, to, "x = x + rmsnorm_1p(x[B S N H], .norm%d[H])[B S D]", n);
        break;
    }
}

static void piece_experts(plan *p, plan_lines *to, int n)
{
    put(p, to, "r%d[B S E] = x[B S D] * .router%d[E D]", n, n);
    if (chance(p, 50))
        put(p, to, "w%d = route(softmax(r%d, E), A)", n, n);
    else
        put(p, to, "w%d = softmax(top(r%d, A), A)", n, n);
    put(p, to, "e%d[B S A F] = x[B S D] * .eup%d[E@A F D]", n, n);
    put(p, to, "e%d = %s(e%d)", n, activation(p), n);
    put(p, to, "d%d[B S A D] = e%d[B S A F] * .edown%d[E@A D F]", n, n, n);
    put(p, to, "x = x + sum(w%d[B S A] * d%d[B S A D], A)", n, n);
}

static void piece_convolution(plan *p, plan_lines *to, int n)
{
    if (chance(p, 50))
        put(p, to, "x[B S D] = x[B S+J-1 D'] * .conv%d[D D' J]", n);
    else
        put(p, to, "x = x + deep%d(x)", n);
    /* A strided one, of which nothing is read. */
    if (chance(p, 30))
        put(p, to, "z%d[B M D] = x[B 2M+J-1 D'] * .strided%d[D D' J]", n, n);
}

/* The state has the layer in its name: written out, the next layer would read the state of this one. */
static void piece_recurrence(plan *p, plan_lines *to, int n)
{
    static const char *const suffix[] = {"", "_@0", "_@0_@1"};
    char st[32];

    snprintf(st, sizeof st, "st%d%s", n, suffix[p->loop_depth]);
    p->recurrence = true;
    switch (pick(p, 3)) {
    case 0:
        put(p, to, "%s[B S D] = %s[B S-1 D] * .decay%d[D] + x", st, st, n);
        break;
    case 1:
        put(p, to, "%s[B S D] = %s[B S-1 D'] * .turn%d[D D'] + x", st, st, n);
        break;
    default:
        put(p, to, "kept%d[B S D] = .decay%d[D] * %s[B S-1 D]", n, n, st);
        put(p, to, "%s = kept%d + x", st, n);
        break;
    }
    put(p, to, "x = x + %s", st);
}

static void piece_block(plan *p, plan_lines *to, int n)
{
    put(p, to, "l%d = linear(x, 'first%d', F, %s)", n, n, chance(p, 50) ? "True" : "False");
    if (chance(p, 30))
        put(p, to, "l%d = linear(l%d[B S F], 'between%d', F)", n, n, n);
    put(p, to, "x[B S D] = linear(%s(l%d), 'second%d', D)", activation(p), n, n);
}

/* Costs forward, and nothing backward. */
static void piece_dead(plan *p, plan_lines *to, int n)
{
    put(p, to, "dead%d[B S F] = x[B S D] * .dead%d[F D]", n, n);
    if (chance(p, 50))
        put(p, to, "dead%d[B S V] = dead%d[B S F] * .deader%d[V F]", n, n, n);
}

static void piece_summed(plan *p, plan_lines *to, int n)
{
    switch (pick(p, 4)) {
    case 0:
        put(p, to, "t%d[B D] = x[B S D'] * .pool%d[D S D']", n, n);
        break;
    case 1:
        put(p, to, "t%d[B D] = x[B S N H] * .pool%d[D S N H]", n, n);
        break;
    case 2:
        put(p, to, "t%d[B S D] = x[B S D'] * .pool%d[D D']", n, n);
        break;
    default:
        put(p, to, "t%d[S D] = x[B S D'] * .pool%d[B D D']", n, n);
        break;
    }
    put(p, to, "x = x + t%d", n);
}

static void piece_elementwise(plan *p, plan_lines *to, int n)
{
    static const char *const fixed[] = {"x = 0.5 * x",     "x = -x",          "x = x + 1",
                                        "x = 1 - x",       "x = x / 2",       "x = x * x",
                                        "x = x + tanh(x)", "x = x / (x + 3)", "x = x - x * x"};

    if (chance(p, 40))
        put(p, to, "x = x * .scale%d[D] + .shift%d[D]", n, n);
    else
        put(p, to, "%s", ONE_OF(p, fixed));
}

static void piece_split(plan *p, plan_lines *to, int n)
{
    if (chance(p, 50))
        put(p, to, "l%d[B S D'], r%d[B S F] = x[B S D] * .both%d[(D' + F) D]", n, n, n);
    else
        put(p, to, "_, l%d[B S D'], r%d[B S F] = x[B S D] * .both%d[(V + D' + F) D]", n, n, n);
    put(p, to, "j%d[B S (F + D')] = [%s(r%d), l%d]", n, activation(p), n, n);
    put(p, to, "x[B S D] = j%d[B S (F + D')] * .join%d[D (F + D')]", n, n);
}

static void piece_stop(plan *p, plan_lines *to, int n)
{
    put(p, to, "still%d[B S D] = stop(x[B S D']) * .still%d[D D']", n, n);
    put(p, to, "x = x + still%d", n);
    if (chance(p, 30))
        put(p, to, "frozen .still%d", n);
}

static void piece_tied(plan *p, plan_lines *to, int n)
{
    put(p, to, "x[B S D] = x[B S D'] * .one%d[D D']", n);
    put(p, to, "x[B S D] = x[B S D'] * .two%d[D D']", n);
    put(p, to, "tie .two%d to .one%d", n, n);
    if (chance(p, 50))
        put(p, to, "unused .old%d[F D]", n);
    if (chance(p, 50))
        put(p, to, "buffer .table%d[V]", n);
}

static piece *const pieces[] = {piece_mlp,         piece_gated,      piece_attention, piece_norm, piece_experts,
                                piece_convolution, piece_recurrence, piece_block,     piece_dead, piece_summed,
                                piece_elementwise, piece_split,      piece_stop,      piece_tied};

/* ---- what depends on the number of the layer --------------------------------------------------------------------- */

static void put_pieces(plan *p, plan_lines *to, int most);

static void put_choice(plan *p, plan_lines *to)
{
    int d = p->loop_depth - 1;
    plan_line *yes, *no;

    if (d > 0 && chance(p, 50))
        yes = put(p, to, "if @%d %s @%d:", d, chance(p, 50) ? "==" : "<", d - 1);
    else if (chance(p, 50))
        yes = put(p, to, "if @%d %% %u == 1:", d, 2 + pick(p, 3));
    else
        yes = put(p, to, "if @%d == 0 or @%d > 3:", d, d);
    p->by_number = true;
    put_pieces(p, &yes->below, 2);
    if (chance(p, 50)) {
        no = put(p, to, "else:");
        put_pieces(p, &no->below, 2);
    }
}

/* A size that grows with the layer. */
static void put_growing(plan *p, plan_lines *to)
{
    int n = fresh(p), d = p->loop_depth - 1;
    char name[32];

    snprintf(name, sizeof name, "G%d%s", n, d ? "_@0_@1" : "_@0");
    p->by_number = true;
    put(p, to, "let %s = @%d // 2 + 1", name, d);
    put(p, to, "wide%d[B S %s] = x[B S D] * .wide%d[%s D]", n, name, n, name);
    put(p, to, "x[B S D] = wide%d[B S %s] * .narrow%d[D %s]", n, name, n, name);
}

/* Weights that several layers share. */
static void put_shared(plan *p, plan_lines *to)
{
    int n = fresh(p);

    p->by_number |= p->loop_depth > 0;
    if (p->loop_depth == 1 && chance(p, 50))
        put(p, to, "x[B S D] = x[B S D'] * /pairs%d.{@0 // 2}[D D']", n);
    else
        put(p, to, "x[B S D] = x[B S D'] * /shared%d[D D']", n);
}

static void put_loop(plan *p, plan_lines *to)
{
    static const char *const at[] = {"layers", "blocks.h", "deep"};
    int n = fresh(p), d = p->loop_depth;
    plan_line *l = put(p, to, "part p%d at %s%d.{@%d}:", n, ONE_OF(p, at), n, d);

    l->loop = true;
    l->depth = d;
    l->count = d ? SIZE_M : SIZE_L;
    l->grows = d > 0 && chance(p, 40);
    p->by_number |= l->grows;
    p->loop_depth++;
    put_pieces(p, &l->below, d ? 2 : 4);
    p->loop_depth--;
}

static void put_part(plan *p, plan_lines *to)
{
    int n = fresh(p);
    plan_line *l = chance(p, 50) ? put(p, to, "part q%d at inside%d:", n, n) : put(p, to, "part q%d:", n);

    put_pieces(p, &l->below, 3);
}

static void put_one(plan *p, plan_lines *to)
{
    unsigned what = pick(p, 100);

    if (what < 10 && p->loop_depth < 2)
        put_loop(p, to);
    else if (what < 20)
        put_part(p, to);
    else if (what < 30 && p->loop_depth > 0)
        put_choice(p, to);
    else if (what < 34 && p->loop_depth > 0)
        put_growing(p, to);
    else if (what < 38)
        put_shared(p, to);
    else
        ONE_OF(p, pieces)(p, to, fresh(p));
}

static void put_pieces(plan *p, plan_lines *to, int most)
{
    for (int i = 1 + (int)pick(p, (unsigned)most); i > 0; i--)
        put_one(p, to);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* What a layer does to the variables x, y and z; which layers do it depends on their number. */
static void put_carry(plan *p, plan_lines *to)
{
    static const char *const fixed[] = {"x = y",       "y = x",       "z = y",      "y = z",
                                        "x = stop(x)", "y = stop(z)", "x = x + y",  "z = x * z",
                                        "y = relu(y)", "x = x - z",   "z = gelu(x)"};
    static const char name[] = "xyz";
    int n = fresh(p);
    char a = name[pick(p, 3)], b = name[pick(p, 3)];

    if (chance(p, 45)) {
        put(p, to, "%c[B S D] = %c[B S D'] * .w%d[D D']", a, b, n);
        if (chance(p, 25))
            put(p, to, "frozen .w%d", n);
    } else if (chance(p, 10)) {
        ONE_OF(p, pieces)(p, to, n);
    } else {
        put(p, to, "%s", ONE_OF(p, fixed));
    }
}

static void put_carries(plan *p, plan_lines *to)
{
    static const char *const when[] = {"% 3 == 1", "% 2 == 0", "> 2", "== 1", "in [0, 4]"};

    for (int i = 1 + (int)pick(p, 3); i > 0; i--)
        if (p->loop_depth == 1 && chance(p, 12)) {
            int n = fresh(p);
            plan_line *l = put(p, to, "part p%d at deep%d.{@1}:", n, n);

            *l = (plan_line){.text = l->text, .loop = true, .depth = 1, .count = SIZE_M};
            p->loop_depth++;
            put_carries(p, &l->below);
            p->loop_depth--;
        } else if (chance(p, 50)) {
            int d = p->loop_depth - 1;
            plan_line *l = put(p, to, "if @%d %s:", d, ONE_OF(p, when));

            put_carry(p, &l->below);
        } else {
            put_carry(p, to);
        }
}

static void put_carrying_loop(plan *p)
{
    int n = fresh(p);
    plan_line *l = put(p, &p->body, "part p%d at layers%d.{@0}:", n, n);

    l->loop = true;
    l->count = SIZE_L;
    p->loop_depth = 1;
    put_carries(p, &l->below);
    p->loop_depth = 0;
}

static void put_start(plan *p)
{
    switch (pick(p, 3)) {
    case 0:
        put(p, &p->start, "input x[B S D]");
        break;
    case 1:
        put(p, &p->start, "incoming x[B S D]");
        break;
    default:
        put(p, &p->start, "input ids[B S]");
        put(p, &p->start, "x[B S D] = lookup(ids, .embed[V D])");
        break;
    }
}

static void put_end(plan *p)
{
    if (chance(p, 70)) {
        put(p, &p->body, "logits[B S V] = x[B S D] * .head[V D]");
        put(p, &p->body, "output logits");
        if (chance(p, 50))
            put(p, &p->body, "loss cross_entropy(logits)");
    } else {
        put(p, &p->body, "output x");
    }
}

static plan plan_sizes(rk_arena *a, unsigned long long seed)
{
    plan p = {.arena = a, .state = seed * 0x9E3779B97F4A7C15u + 1};

    for (int i = 0; i < N_SIZE; i++)
        p.size[i] = 2 + (int)pick(&p, 7);
    p.size[SIZE_B] = 1 + (int)pick(&p, 3);
    p.size[SIZE_S] = 3 + (int)pick(&p, 12);
    p.size[SIZE_D] = p.size[SIZE_N] * p.size[SIZE_H];
    p.size[SIZE_A] = 1 + (int)pick(&p, (unsigned)p.size[SIZE_E]);
    p.size[SIZE_L] = 1 + (int)pick(&p, 6);
    p.size[SIZE_M] = 1 + (int)pick(&p, 3);
    p.extra = chance(&p, 30) ? (int)pick(&p, 9) : 0;
    p.size[SIZE_T] = p.size[SIZE_S] + p.extra;
    return p;
}

plan plan_loops(rk_arena *a, unsigned long long seed)
{
    static const char *const output[] = {"output x", "output y", "output z", "output x, y", "output y, z"};
    plan p = plan_sizes(a, seed);

    p.by_number = true;
    p.size[SIZE_L] = 1 + (int)pick(&p, 9);
    for (int i = 0; i < 3; i++)
        if (i && chance(&p, 30))
            put(&p, &p.start, "%c = x", "xyz"[i]);
        else
            put(&p, &p.start, "%s %c[B S D]", chance(&p, 70) ? "input" : "incoming", "xyz"[i]);
    put_carrying_loop(&p);
    if (chance(&p, 50))
        put_carrying_loop(&p);
    put(&p, &p.body, "%s", ONE_OF(&p, output));
    return p;
}

plan plan_new(rk_arena *a, unsigned long long seed)
{
    plan p = plan_sizes(a, seed);

    put_start(&p);
    put_pieces(&p, &p.body, 4);
    put_loop(&p, &p.body);
    put_pieces(&p, &p.body, 3);
    put_end(&p);
    return p;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* What "@0" and "@1" stand for: a name, or a number. */
typedef struct writing {
    const plan *p;
    bool unrolled;
    int at[2];
    rk_str *out;
} writing;

static void write_index(const writing *w, int depth)
{
    if (w->unrolled)
        rk_str_format(w->out, "%d", w->at[depth]);
    else
        rk_str_putc(w->out, "ij"[depth]);
}

static void write_text(const writing *w, const char *text, int indent)
{
    rk_str_fill(w->out, ' ', 4 * (size_t)indent);
    for (; *text; text++)
        if (text[0] == '@' && (text[1] == '0' || text[1] == '1'))
            write_index(w, *++text - '0');
        else
            rk_str_putc(w->out, *text);
}

static void write_lines(writing *w, const plan_lines *list, int indent);

static void write_line(writing *w, const plan_line *l, int indent)
{
    write_text(w, l->text, indent);
    rk_str_putc(w->out, '\n');
    write_lines(w, &l->below, indent + 1);
}

/* part p3[i < L] at layers3.{i}: */
static void write_head(const writing *w, const plan_line *l, int indent)
{
    size_t name = strcspn(l->text + strlen("part "), " ") + strlen("part ");
    char head[64];

    snprintf(head, sizeof head, "%.*s[@%d < %s%s]", (int)name, l->text, l->depth, size_text[l->count],
             l->grows ? " + @0" : "");
    write_text(w, head, indent);
    write_text(w, l->text + name, 0);
    rk_str_putc(w->out, '\n');
}

static void write_loop(writing *w, const plan_line *l, int indent)
{
    int count = w->p->size[l->count] + (l->grows ? w->at[0] : 0);

    if (!w->unrolled) {
        write_head(w, l, indent);
        write_lines(w, &l->below, indent + 1);
        return;
    }
    for (int i = 0; i < count; i++) {
        w->at[l->depth] = i;
        write_line(w, l, indent);
    }
}

static void write_lines(writing *w, const plan_lines *list, int indent)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i]->loop)
            write_loop(w, list->at[i], indent);
        else
            write_line(w, list->at[i], indent);
}

static bool is_run(int s)
{
    return s == SIZE_B || s == SIZE_S;
}

static void write_size(const plan *p, spelling how, int s, rk_str *out)
{
    const char *word = is_run(s) ? "run" : "let", *name = size_text[s];

    if (s == SIZE_T)
        rk_str_put(out, "let T = S\n");
    else if (s == SIZE_H)
        rk_str_put(out, "let H = D / N\n");
    else if (how == SPELL_NUMBERS)
        rk_str_format(out, "%s %s = %d\n", word, name, p->size[s]);
    else if (how == SPELL_CONFIG)
        rk_str_format(out, "%s %s = $%s\n", word, name, name);
    else if (is_run(s))
        rk_str_format(out, "run %s = 1\n", name);
    else
        rk_str_format(out, "let %s \"set from outside\"\n", name);
}

/* One depthwise convolution for each that is called: names of blocks are not repeated. */
static void write_blocks(const plan *p, rk_str *out)
{
    rk_str_put(out, "block linear(a[.. I], name, O, bias = False) -> b:\n"
                    "    b[.. O] = a[.. I] * .{name}.weight[O I]\n"
                    "    b       = b + .{name}.bias[O] if bias\n");
    for (int n = 1; n <= p->n_name; n++)
        rk_str_format(out,
                      "block deep%d(a[B S D]) -> b:\n"
                      "    b[B S D] = a[B S+J-2 D] * .deep%d[D 1 J]\n",
                      n, n);
}

void plan_write(const plan *p, spelling how, bool unrolled, rk_str *out)
{
    writing w = {.p = p, .unrolled = unrolled, .out = out};

    rk_str_put(out, "model random: \"made by chance\"\n");
    for (int s = 0; s < N_SIZE; s++)
        write_size(p, how, s, out);
    write_blocks(p, out);
    write_lines(&w, &p->start, 0);
    write_lines(&w, &p->body, 0);
}

void plan_config(const plan *p, rk_str *out)
{
    for (int s = 0; s < N_SIZE; s++)
        rk_str_format(out, "%s\"%s\": %d", s ? ", " : "{", size_text[s], p->size[s]);
    rk_str_putc(out, '}');
}

/* T is set where it is more than S; the others where the file leaves them open. */
size_t plan_settings(const plan *p, spelling how, rk_setting out[N_SIZE])
{
    size_t n = 0;

    for (int s = 0; s < N_SIZE; s++)
        if (s == SIZE_T ? p->extra > 0 : how == SPELL_SET && s != SIZE_H)
            out[n++] = (rk_setting){.name = size_text[s], .value = p->size[s]};
    return n;
}

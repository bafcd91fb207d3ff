/* SPDX-License-Identifier: MIT */
/* Adapters and frozen weights: what words find, what is trained in which layer, what is written out of few bits. */
#include "account/memory.h"
#include "plan/open.h"
#include "t.h"

#include "../profiles.h"

#include <string.h>

static const char mlp[] = "model tiny: \"a table, layers of two matrices, a head that may be tied\"\n"
                          "let L = 4 \"layers\"\n"
                          "let D = 64 \"width\"\n"
                          "let F = 4096 \"width between\"\n"
                          "let V = 100 \"vocabulary\"\n"
                          "run B = 1 \"sequences\"\n"
                          "run S = 2 \"tokens\"\n"
                          "input ids[B S]\n"
                          "tie .head.weight to .embed.weight\n"
                          "part embed:\n"
                          "    x[B S D] = lookup(ids, .embed.weight[V D])\n"
                          "part layers[i < L] at layers.{i}:\n"
                          "    up[B S F]   = x[B S D] * .up_proj.weight[F D]\n"
                          "    up          = up + .up_proj.bias[F]\n"
                          "    hidden      = silu(up)\n"
                          "    down[B S D] = hidden[B S F] * .down_proj.weight[D F]\n"
                          "    x           = x + down\n"
                          "part head:\n"
                          "    logits[B S V] = x[B S D] * .head.weight[V D]\n"
                          "output logits\n"
                          "loss cross_entropy(logits, ids)\n";

static const char nested[] = "model nest: \"layers in layers\"\n"
                             "let L = 3 \"outer layers\"\n"
                             "let M = 2 \"inner layers\"\n"
                             "let D = 8 \"width\"\n"
                             "run B = 1 \"sequences\"\n"
                             "run S = 2 \"tokens\"\n"
                             "let r = 5 \"a symbol of that name\"\n"
                             "input x[B S D]\n"
                             "part outer[i < L] at outer.{i}:\n"
                             "    part inner[j < M] at inner.{j}:\n"
                             "        y[B S D'] = x[B S D] * .q.weight[D' D]\n"
                             "        x[B S D] = x + y[B S D]\n"
                             "output x\n";

static int open_with(const char *text, rk_adapt_request adapt, const char *profile, rk_instance **out, rk_err *err)
{
    rk_open_request r = {.model = {"tiny.rk", text, strlen(text)}, .adapt = adapt, .passes.profile = profile};

    *err = (rk_err){0};
    *out = NULL;
    return rk_open(&r, out, err);
}

/* ---- what words find -------------------------------------------------------------------------------------------- */

static rk_i128 trained(const char *text, rk_adapt_request adapt)
{
    rk_convention c = {0};
    rk_instance *m = NULL;
    rk_ledger *l = NULL;
    rk_i128 n = -1;
    rk_err err;

    if (!CHECK_INT(open_with(text, adapt, NULL, &m, &err), RK_OK)) {
        printf("    %s\n", err.message);
        return -1;
    }
    if (CHECK_INT(rk_ledger_new(m, &c, &l, &err), RK_OK)) {
        rk_binding at = m->at;

        CHECK_INT(rk_ex_eval(m->pool, l->trained, &at, &n, &err), RK_OK);
        rk_ledger_free(l);
    }
    rk_instance_free(m);
    return n;
}

static void check_counts(void)
{
    enum {
        D = 64,
        F = 4096,
        V = 100,
        LAYER = 2 * D * F + F
    };

    /* A and B of one matrix of four layers. */
    CHECK_INT(trained(mlp, (rk_adapt_request){.rank = 3, .targets = "up_proj"}), 4 * 3 * (D + F));
    CHECK_INT(trained(mlp, (rk_adapt_request){.rank = 3, .targets = "up,down"}), 4 * 3 * 2 * (D + F));
    CHECK_INT(trained(mlp, (rk_adapt_request){.rank = 3, .targets = "layers.{i}.down_proj"}), 4 * 3 * (D + F));
    CHECK_INT(trained(mlp, (rk_adapt_request){.rank = 3, .targets = "layers.*"}), 4 * 3 * 2 * (D + F));
    CHECK_INT(trained(mlp, (rk_adapt_request){.rank = 3, .targets = "all-linear"}), 4 * 3 * 2 * (D + F));
    /* The head is asked for by name alone. */
    CHECK_INT(trained(mlp, (rk_adapt_request){.rank = 3, .targets = "head"}), 3 * (D + V));
    CHECK_INT(trained(mlp, (rk_adapt_request){.rank = 3, .targets = "up", .freeze = "lora_A"}), 4 * 3 * F);
    CHECK_INT(trained(mlp, (rk_adapt_request){.rank = 3, .targets = "up", .freeze = "layers.2"}), 3 * 3 * (D + F));

    CHECK_INT(trained(mlp, (rk_adapt_request){.freeze = "embed"}), 4 * LAYER); /* the head is the same tensor */
    CHECK_INT(trained(mlp, (rk_adapt_request){.freeze = "head"}), 4 * LAYER);
    CHECK_INT(trained(mlp, (rk_adapt_request){.freeze = "layers"}), V * D);
    CHECK_INT(trained(mlp, (rk_adapt_request){.freeze = "layers.1,layers.3"}), V * D + 2 * LAYER);
    CHECK_INT(trained(mlp, (rk_adapt_request){.freeze = "*.bias"}), V * D + 4 * 2 * D * F);
    CHECK_INT(trained(mlp, (rk_adapt_request){.freeze = "layers.?.up_proj.*,embed"}), 4 * D * F);
}

/* One inner layer of one outer layer; and a model that has a symbol r of its own. */
static void check_nested(void)
{
    rk_instance *m;
    rk_err err;

    CHECK_INT(trained(nested, (rk_adapt_request){.freeze = "outer.1.inner.0"}), 5 * 64);
    CHECK_INT(trained(nested, (rk_adapt_request){.freeze = "inner.1"}), 3 * 64);
    CHECK_INT(trained(nested, (rk_adapt_request){.rank = 2, .freeze = "outer.1.inner.0"}), 5 * 2 * 16);
    if (CHECK_INT(open_with(nested, (rk_adapt_request){.rank = 2}, NULL, &m, &err), RK_OK)) {
        CHECK_INT(rk_model_symbol(m->model, "r")->value, 5);
        CHECK_INT(rk_model_symbol(m->model, "rank")->value, 2);
    }
    rk_instance_free(m);
}

static void check_mistakes(void)
{
    static const struct {
        rk_adapt_request adapt;
        const char *says;
    } row[] = {
        {{.rank = 65, .targets = "up"},
         "tiny.rk: one side of layers.{i}.up_proj.weight has 64: the rank of an adapter "
         "cannot be above that (--targets names others)"},
        {{.rank = 4}, "--targets q: no linear layer is called so (there are: up_proj down_proj head)"},
        {{.rank = 4, .targets = "upproj"},
         "--targets upproj: no linear layer is called so; did you mean 'up_proj'? "
         "(there are: up_proj down_proj head)"},
        {{.rank = 4, .targets = "up,,down"}, "--targets: words between commas are wanted, not 'up,,down'"},
        {{.rank = 4, .targets = "embed"},
         "--targets embed: this is no linear layer, and adapters stand beside those: "
         "up_proj down_proj head"},
        {{.freeze = "layer"}, "--freeze layer: nothing that is trained is called so; did you mean 'layers'?"},
        {{.freeze = "layers.4"}, "--freeze layers.4: nothing that is trained is called so; did you mean 'layers'?"},
        {{.rank = 4, .targets = "up", .freeze = "embed"}, "--freeze embed: nothing that is trained is called so"},
        {{.freeze = "*"}, "--freeze leaves nothing to train"},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rk_instance *m;
        rk_err err;

        CHECK(open_with(mlp, row[i].adapt, NULL, &m, &err) != RK_OK);
        CHECK_TEXT(err.message, row[i].says);
        CHECK(m == NULL);
    }
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static rk_memory *remember(rk_adapt_request adapt, rk_memory_options o, rk_instance **model)
{
    rk_memory *m = NULL;
    rk_err err;

    o.bytes = 2;
    o.profile = (rk_profile)PROFILE_WITH(1, 0);
    o.loss = true;
    if (!CHECK_INT(open_with(mlp, adapt, "torch", model, &err), RK_OK) ||
        !CHECK_INT(rk_memory_new(*model, &o, &m, &err), RK_OK))
        printf("    %s\n", err.message);
    return m;
}

static const rk_memory_row *row_named(const rk_memory_rows *rows, const char *path)
{
    for (size_t i = 0; i < rows->n; i++)
        if (strcmp(rows->at[i].path, path) == 0)
            return &rows->at[i];
    return NULL;
}

/* What is kept of the first layer, whose input needs no gradient, and of the others. */
static void check_kept(void)
{
    rk_instance *model = NULL;
    rk_memory *m =
        remember((rk_adapt_request){.rank = 4, .targets = "down", .wide = true}, (rk_memory_options){0}, &model);

    if (m) {
        const rk_memory_row *cast = row_named(&m->saved_rows, "layers.down.cast"),
                            *low = row_named(&m->saved_rows, "layers.down.lora_A");

        CHECK(cast && cast->bytes == 4 * 2 * 4096); /* the input of the adapter, in fp32 */
        CHECK(low && low->bytes == 4 * 2 * 4);
        CHECK(!row_named(&m->saved_rows, "layers.hidden")); /* the matrix beside it is not trained */
        CHECK_INT(m->gradients, 4 * 4 * 4 * (64 + 4096));
        CHECK_INT(m->optimizer, 2 * m->gradients);
        CHECK_INT(m->parameters, 2 * (6400 + 4 * (2 * 64 * 4096 + 4096)) + m->gradients);
    }
    rk_memory_free(m);
    rk_instance_free(model);
}

/* The peak holds one matrix of few bits written out, in the type of the run. */
static void check_unpacked(void)
{
    rk_adapt_request adapt = {.rank = 4, .targets = "up,down", .wide = true, .packed = true};
    rk_instance *model = NULL;
    rk_memory *m = remember(adapt, (rk_memory_options){.weights = RK_NUMBER_NF4}, &model);

    if (m) {
        const rk_memory_row *up = row_named(&m->alive, "layers.{i}.up_proj.weight");
        const rk_memory_row *down = row_named(&m->alive, "layers.{i}.down_proj.weight");
        const rk_memory_row *row = up ? up : down;

        CHECK(row && row->times == 1 && row->bytes == 2 * 64 * 4096);
        CHECK_INT(m->parameters,
                  2 * (6400 + 4 * 4096) + 4 * 2 * (64 * 4096 / 2 + 64 * 4096 / 64 * 4) + 4 * 4 * 4 * 2 * (64 + 4096));
    }
    rk_memory_free(m);
    rk_instance_free(model);
}

static rk_i128 times_of(const rk_memory_rows *rows, const char *path)
{
    rk_i128 all = 0;

    for (size_t i = 0; i < rows->n; i++)
        all += strcmp(rows->at[i].path, path) == 0 ? rows->at[i].times : 0;
    return all;
}

/* Where layers are computed again, what goes into the first gets a gradient, and so does all in frozen layers. */
static void check_seeds(void)
{
    for (int input_gradient = 0; input_gradient < 2; input_gradient++) {
        rk_adapt_request adapt = {.freeze = "layers.0,layers.1,embed", .input_gradient = input_gradient};
        rk_instance *model = NULL;
        rk_memory *m = remember(adapt, (rk_memory_options){0}, &model);

        if (m)
            CHECK_INT(times_of(&m->saved_rows, "layers.up.bias"), input_gradient ? 4 : 2);
        rk_memory_free(m);
        rk_instance_free(model);
    }
}

int main(void)
{
    check_counts();
    check_nested();
    check_mistakes();
    check_kept();
    check_unpacked();
    check_seeds();
    return t_done("adapt");
}

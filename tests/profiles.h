/* SPDX-License-Identifier: MIT */
/*
 * tests/profiles.h - the profiles of data/profiles.tsv as initializers, for options that are constants.
 *
 * Stage   above every stage; tests/unit/test_profile.c checks that they say what the table says.
 * Uses    pass/profile.h.
 * Memory  none.
 * Threads no state.
 */
#ifndef RK_TESTS_PROFILES_H
#define RK_TESTS_PROFILES_H

/* PyTorch with an allocator that rounds to `unit` bytes, and a matrix library that takes `space`. */
#define PROFILE_WITH(unit, space)                                                                                      \
    {                                                                                                                  \
        .name = "torch", .rounding = (unit), .small_max = 1 << 20, .small_segment = 2 << 20, .segment = 20 << 20,      \
        .segment_below = 10 << 20, .segment_rounding = 2 << 20, .remainder = 1 << 20, .piece = 32 << 20,               \
        .processors = 132, .sorted_above = 3072, .inner = 1, .workspace = (space), .workspace_bias = 1 << 20,          \
        .workspaces_forward = 1, .workspaces_backward = 2, .window_new = 1, .random_state = 2, .index = 8, .mask = 1,  \
        .statistics = 4                                                                                                \
    }

#define PROFILE_TORCH PROFILE_WITH(512, 32 << 20)

#define PROFILE_TEXTBOOK                                                                                               \
    {                                                                                                                  \
        .name = "textbook", .textbook = 1, .rounding = 1, .workspaces_forward = 1, .workspaces_backward = 2,           \
        .window_new = 1, .index = 8, .mask = 1, .statistics = 4                                                        \
    }

#endif

/* SPDX-License-Identifier: MIT */
/*
 * model/mapping.h - one document made from another: a checkpoint's metadata as the config that a family reads.
 *
 * Stage   mapping file + document -> [model] -> document.
 * Uses    base/, expr/, lang/, read/, model/expand.h.
 * Memory  the document made lives in the arena given; all else is freed before the call ends.
 * Threads no state.
 *
 * A mapping file is written in the language of model files, of which it has the lines that make no tensors:
 *
 *     use gguf/shared/common.rk               # runs the lines of another file here
 *     let D = $embedding_length               # a name for a value
 *     check D == $tensor["x.weight"][1]       # else the document is refused
 *     hidden_size = D                         # a key of the document made; a later line goes before an earlier one
 *     head_dim    = $attention.key_length ?? D // 2
 *     window      = $window ?? None           # None is null, as a config has it
 *     scale       = $scale if given($scale)   # where that does not hold, the line is not there
 *     at rope_parameters:                     # keys of a map inside
 *         rope_type = "default"
 *     part layers[i < $block_count]:          # a list: the line gives an item for each i
 *         layer_types = "full" if $pattern[i] else "sliding"
 *         full_layers = i if $pattern[i]      # an item where that holds
 *     if $expert_count:                       # with elif and else
 *         num_experts = $expert_count
 *
 * A key that is absent and has neither `??` nor given() around it is an error that names it.
 */
#ifndef RK_MODEL_MAPPING_H
#define RK_MODEL_MAPPING_H

#include "model/model.h"

#define RK_MAPPING_BYTES_MAX ((size_t)256 << 20) /* of work; a mapping takes kilobytes */

/*
 * Runs the mapping file source->text over source->config and makes a map of it.  RK_EINPUT: the document lacks
 * something, or the mapping file is wrong; the message names source->config_name and the line.
 */
int rk_mapping_run(const rk_model_source *source, rk_arena *a, rk_doc **out, rk_err *err);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * command/layout_file.h - a file that says how a model lies over devices, in place of the axes on the line.
 *
 * Stage   the user's line, a file -> [command] -> options of the line.
 * Uses    base/, command/command.h, plan/layout.h.
 * Memory  in the arena of the line.
 * Threads one line, one thread.
 */
#ifndef RK_CMD_LAYOUT_FILE_H
#define RK_CMD_LAYOUT_FILE_H

#include "command/command.h"

/*
 * Where --layout names a file, its lines become the options they stand for, unless the line has those itself.
 * RK_EINPUT: the file cannot be read as one; the message has the line and a caret.
 */
int rk_cmd_layout_file(rk_cmd_line *line, rk_err *err);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * reckon completion: the scripts by which shells complete lines.
 *
 * What depends on commands is written from their tables: each becomes a row of a `case`.  The code around the rows does
 * not know any command.  Models and symbols are asked for while the user types (reckon models --names, --symbols).
 */
#include "command/command.h"
#include "command/commands.h"

#include <string.h>

#define SHELLS "bash|zsh"

static const rk_cmd_option option[] = {
    {"-o", "FILE", NULL, "write to FILE, whole or not at all, instead of standard output"},
    {"--help", NULL, NULL, "this text"},
};

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

/* In single quotes, for a shell. */
static void put_quoted(const char *text, rk_str *out)
{
    rk_str_putc(out, '\'');
    for (; *text; text++)
        if (*text == '\'')
            rk_str_put(out, "'\\''");
        else
            rk_str_putc(out, *text);
    rk_str_putc(out, '\'');
}

/* "a|b|c" as "a b c". */
static void put_values(const char *values, rk_str *out)
{
    for (; *values; values++)
        rk_str_putc(out, *values == '|' ? ' ' : *values);
}

static void put_lines(const char *const *line, size_t n, rk_str *out)
{
    for (size_t i = 0; i < n; i++)
        rk_str_format(out, "%s\n", line[i]);
}

static const char *name_of(const rk_cmd_command *c)
{
    return c->name ? c->name : "";
}

/* ---- bash ------------------------------------------------------------------------------------------------------- */

static void bash_options(const rk_cmd_command *c, rk_str *out)
{
    rk_str_format(out, "    '%s') echo '", name_of(c));
    for (size_t i = 0; i < c->n_option; i++)
        rk_str_format(out, "%s%s", i ? " " : "", c->option[i].name);
    rk_str_put(out, "' ;;\n");
}

static void bash_values(const rk_cmd_command *c, rk_str *out)
{
    for (size_t i = 0; i < c->n_option; i++) {
        const rk_cmd_option *o = &c->option[i];

        if (!o->argument)
            continue;
        rk_str_format(out, "    '%s %s') echo '", name_of(c), o->name);
        put_values(o->values ? o->values : o->argument, out);
        rk_str_put(out, "' ;;\n");
    }
}

static void bash_words(const rk_cmd_command *c, rk_str *out)
{
    rk_str_format(out, "    '%s') echo ", name_of(c));
    put_quoted(c->words, out);
    rk_str_put(out, " ;;\n");
}

/* A function that answers from the tables: a `case` with the rows of each command. */
static void bash_table(const char *comment, const char *name, void (*row)(const rk_cmd_command *, rk_str *),
                       rk_str *out)
{
    rk_str_format(out, "\n# %s\n%s() {\n    case $1 in\n", comment, name);
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        row(rk_cmd_command_list[i], out);
    rk_str_put(out, "    *) return 1 ;;\n    esac\n}\n");
}

/* clang-format off */
static const char *const bash_code[] = {
    "",
    "# The words on standard input that begin as the one that is typed.",
    "_reckon_offer() {",
    "    local word",
    "    while IFS= read -r word; do",
    "        [[ $word == \"$cur\"* ]] && COMPREPLY+=(\"$word\")",
    "    done",
    "}",
    "",
    "# Only where a file is offered are the words treated as such: a symbol must not be quoted as a file would be.",
    "_reckon_offer_files() {",
    "    local kind before=${#COMPREPLY[@]}",
    "    for kind in \"$@\"; do",
    "        _reckon_offer < <(compgen -f -X \"!*.$kind\" -- \"$cur\")",
    "    done",
    "    _reckon_offer < <(compgen -d -- \"$cur\")",
    "    ((${#COMPREPLY[@]} > before)) && compopt -o filenames 2> /dev/null",
    "}",
    "",
    "# The value of an option; before its command is known, that of any command.",
    "_reckon_value() {",
    "    local name",
    "    for name in \"$1\" '' $_reckon_commands; do",
    "        _reckon_values \"$name $2\" && return",
    "    done",
    "}",
    "",
    "_reckon_offer_value() {",
    "    case $1 in",
    "    FILE) compopt -o filenames 2> /dev/null; _reckon_offer < <(compgen -f -- \"$cur\") ;;",
    "    *[a-z]*) _reckon_offer < <(printf '%s\\n' $1) ;;",
    "    esac",
    "}",
    "",
    "# SYMBOL= of the model that was named; its config may follow it.  Only plain files are opened.",
    "_reckon_offer_symbols() {",
    "    local model=${word[0]} config=${word[1]} symbol",
    "    [[ $model == - || -e $model && ! -f $model && ! -d $model ]] && return",
    "    [[ -f $config && $config == *.json && $config != *.index.json ]] || config=",
    "    while IFS=$'\\t' read -r symbol _; do",
    "        [[ $symbol= == \"$cur\"* ]] && COMPREPLY+=(\"$symbol=\") && compopt -o nospace 2> /dev/null",
    "    done < <(\"$program\" models --symbols -- \"$model\" ${config:+\"$config\"} 2> /dev/null < /dev/null)",
    "}",
    "",
    "# Rows of the model that was named.",
    "_reckon_offer_paths() {",
    "    local model=${word[0]}",
    "    [[ $model == - || -e $model && ! -f $model && ! -d $model ]] && return",
    "    _reckon_offer < <(\"$program\" derive --format csv -- \"$model\" 2> /dev/null < /dev/null | sed '1d; s/,.*//' | sort -u)",
    "}",
    "",
    "# A word that is no option: $1 is what the usage of the command says of its words.",
    "_reckon_offer_word() {",
    "    local piece",
    "    if [[ $1 == 'NUMBER '* ]]; then",
    "        ((${#word[@]})) || return",
    "        word=(\"${word[@]:1}\")",
    "        set -- \"${1#NUMBER }\"",
    "    fi",
    "    if ((${#word[@]} == 0)); then",
    "        case $1 in MODEL* | *NAME*) _reckon_offer < <(\"$program\" models --names 2> /dev/null) ;; esac",
    "        case $1 in MODEL*) _reckon_offer_files rk json safetensors gguf ;; esac",
    "        case $1 in *COMMAND*) _reckon_offer < <(printf '%s\\n' $_reckon_commands) ;; esac",
    "    else",
    "        case $1 in *SYMBOL=*) _reckon_offer_symbols ;; esac",
    "        case $1 in",
    "        'MODEL PATH'*) ((${#word[@]} == 1)) && _reckon_offer_paths ;;",
    "        'MODEL QUANTITY'*) ((${#word[@]} <= 2)) && _reckon_offer_paths ;;",
    "        esac",
    "        case $1 in",
    "        'MODEL MODEL'*)",
    "            _reckon_offer < <(\"$program\" models --names 2> /dev/null)",
    "            _reckon_offer_files rk json safetensors gguf",
    "            ;;",
    "        *FILE*) _reckon_offer_files json safetensors gguf ;;",
    "        MODEL*) ((${#word[@]} == 1)) && _reckon_offer_files json ;;",
    "        esac",
    "    fi",
    "    # Words to choose from, as in \"[bash|zsh]\": after the model, where there is one.",
    "    [[ $1 == MODEL* && ${#word[@]} == 0 ]] && return",
    "    for piece in ${1//[][]/ }; do",
    "        [[ $piece == *'|'* ]] && _reckon_offer < <(printf '%s\\n' ${piece//|/ })",
    "    done",
    "}",
    "",
    "_reckon() {",
    "    local program=$1 command='' option='' given='' text=${COMP_LINE:0:COMP_POINT} line=() word=() cur i",
    "    COMPREPLY=()",
    "    read -ra line <<< \"$text\"",
    "    [[ $text == *[[:space:]] ]] && line+=('')",
    "    cur=${line[${#line[@]} - 1]}",
    "    for ((i = 1; i < ${#line[@]} - 1; i++)); do",
    "        option=''",
    "        [[ ${line[i]} == -?* ]] && given+=\" ${line[i]%%=*} \"",
    "        case ${line[i]} in",
    "        --*=* | -o?*) ;;",
    "        -?*) [[ $(_reckon_value \"$command\" \"${line[i]}\") ]] && option=${line[i]} && i=$((i + 1)) ;;",
    "        *=*) ;;",
    "        *)",
    "            if [[ ! $command && ${#word[@]} == 0 && \" $_reckon_commands \" == *\" ${line[i]} \"* ]]; then",
    "                command=${line[i]}",
    "            else",
    "                word+=(\"${line[i]}\")",
    "            fi",
    "            ;;",
    "        esac",
    "    done",
    "    # The value of the option before; where the loop passed over it, it is the word that is typed.",
    "    if [[ $option ]] && ((i == ${#line[@]})); then",
    "        _reckon_offer_value \"$(_reckon_value \"$command\" \"$option\")\"",
    "    elif [[ $cur == --*=* ]]; then",
    "        option=${cur%%=*} cur=${cur#*=}",
    "        _reckon_offer_value \"$(_reckon_value \"$command\" \"$option\")\"",
    "        # Readline replaces what stands behind the last break of words.",
    "        [[ $COMP_WORDBREAKS == *=* ]] || COMPREPLY=(\"${COMPREPLY[@]/#/$option=}\")",
    "    elif [[ $cur == -* ]]; then",
    "        for option in $(_reckon_options \"$command\"); do",
    "            [[ $given == *\" $option \"* ]] || _reckon_offer <<< \"$option\"",
    "        done",
    "    elif [[ $cur != *=* ]]; then",
    "        [[ ! $command && ${#word[@]} == 0 ]] && _reckon_offer < <(printf '%s\\n' $_reckon_commands)",
    "        _reckon_offer_word \"$(_reckon_words \"$command\")\"",
    "    fi",
    "}",
    "",
    "complete -F _reckon reckon",
};
/* clang-format on */

static void write_bash(rk_str *out)
{
    rk_str_put(out, "# bash completion of reckon, written by 'reckon completion bash'.\n# shellcheck shell=bash "
                    "disable=SC2046,SC2086 # words are meant\n\n");
    rk_str_put(out, "_reckon_commands='");
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        if (rk_cmd_command_list[i]->name)
            rk_str_format(out, "%s%s", rk_cmd_command_list[i]->name, i + 1 < rk_cmd_n_command ? " " : "");
    rk_str_put(out, "'\n");
    bash_table("The options of a command; '' is reckon MODEL.", "_reckon_options", bash_options, out);
    bash_table("\"COMMAND OPTION\": the words that its value may be, or what its value is.", "_reckon_values",
               bash_values, out);
    bash_table("What the usage says of the words of a command.", "_reckon_words", bash_words, out);
    put_lines(bash_code, sizeof bash_code / sizeof *bash_code, out);
}

/* ---- zsh -------------------------------------------------------------------------------------------------------- */

/* The text of an option as _arguments and _describe read it: brackets and colons have a meaning there. */
static void put_described(const char *text, rk_str *out)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            rk_str_putc(out, '\\');
        if (*text == '\'')
            rk_str_put(out, "'\\''");
        else
            rk_str_putc(out, *text);
    }
}

/* '--count=[text]:WHAT:(matmul all)' */
static void zsh_option(const rk_cmd_option *o, rk_str *out)
{
    const char *joint = !o->argument ? "" : o->name[1] == '-' ? "=" : "+";

    rk_str_format(out, "        '%s%s[", o->name, joint);
    put_described(o->text, out);
    rk_str_putc(out, ']');
    if (o->argument)
        rk_str_format(out, ":%s:", o->argument);
    if (o->values) {
        rk_str_putc(out, '(');
        put_values(o->values, out);
        rk_str_putc(out, ')');
    } else if (o->argument && strcmp(o->argument, "FILE") == 0) {
        rk_str_put(out, "_files");
    }
    rk_str_put(out, "'\n");
}

static void zsh_command(const rk_cmd_command *c, rk_str *out)
{
    rk_str_format(out, "    '%s')\n        usage=", name_of(c));
    put_quoted(c->words, out);
    rk_str_put(out, "\n        option=(\n");
    for (size_t i = 0; i < c->n_option; i++)
        zsh_option(&c->option[i], out);
    rk_str_put(out, "        )\n        ;;\n");
}

/* clang-format off */
static const char *const zsh_head[] = {
    "#compdef reckon",
    "# zsh completion of reckon, written by 'reckon completion zsh'.",
    "",
    "typeset -ga _reckon_commands",
    "typeset -gaU _reckon_takers",
};

static const char *const zsh_code[] = {
    "",
    "_reckon_models() {",
    "    local -a name",
    "    name=(${(f)\"$(_call_program models $program models --names 2> /dev/null)\"})",
    "    _describe -t models 'model' name",
    "}",
    "",
    "# Files of a pattern, and folders; no others where there are none (as _files would).",
    "_reckon_files() {",
    "    local done=1",
    "    _path_files -g $1 && done=0",
    "    _path_files -/ && done=0",
    "    return done",
    "}",
    "",
    "# SYMBOL= of the model that was named; its config may follow it.  Only plain files are opened.",
    "_reckon_symbols() {",
    "    local -a model symbol",
    "    model=(${(Q)word[1]})",
    "    [[ $model == - || -e $model && ! -f $model && ! -d $model ]] && return 1",
    "    [[ -f ${(Q)word[2]} && ${(Q)word[2]} == *.json && ${(Q)word[2]} != *.index.json ]] && model+=(${(Q)word[2]})",
    "    symbol=(${(f)\"$($program models --symbols -- $model 2> /dev/null < /dev/null)\"})",
    "    symbol=(${${symbol//:/\\\\:}/$'\\t'/:})",
    "    _describe -t symbols 'symbol' symbol -qS '='",
    "}",
    "",
    "# Rows of the model that was named.",
    "_reckon_paths() {",
    "    local -aU row",
    "    local model=${(Q)word[1]}",
    "    [[ $model == - || -e $model && ! -f $model && ! -d $model ]] && return 1",
    "    row=(${(f)\"$($program derive --format csv -- $model 2> /dev/null < /dev/null | sed '1d; s/,.*//')\"})",
    "    compadd -- $row",
    "}",
    "",
    "# A word that is no option, by what the usage of the command says of its words.",
    "_reckon_word() {",
    "    local piece done=1",
    "    [[ $PREFIX == *=* ]] && return 1",
    "    if [[ $usage == 'NUMBER '* ]]; then",
    "        (( $#word )) || return 1",
    "        shift word",
    "        usage=${usage#NUMBER }",
    "    fi",
    "    if (( $#word == 0 )); then",
    "        [[ ! $command || $usage == *COMMAND* ]] && _describe -t commands 'command' _reckon_commands && done=0",
    "        [[ $usage == (MODEL*|*NAME*) ]] && _reckon_models && done=0",
    "        [[ $usage == MODEL* ]] && _reckon_files '*.(rk|json|safetensors|gguf)' && done=0",
    "    else",
    "        [[ $usage == *SYMBOL=* ]] && _reckon_symbols && done=0",
    "        [[ $usage == 'MODEL PATH'* && $#word == 1 ]] && _reckon_paths && done=0",
    "        [[ $usage == 'MODEL QUANTITY'* && $#word -le 2 ]] && _reckon_paths && done=0",
    "        if [[ $usage == 'MODEL MODEL'* ]]; then",
    "            _reckon_models && done=0",
    "            _reckon_files '*.(rk|json|safetensors|gguf)' && done=0",
    "        elif [[ $usage == *FILE* ]]; then",
    "            _reckon_files '*.(json|safetensors|gguf)' && done=0",
    "        elif [[ $usage == MODEL* && $#word == 1 ]]; then",
    "            _reckon_files '*.json' && done=0",
    "        fi",
    "    fi",
    "    # Words to choose from, as in \"[bash|zsh]\": after the model, where there is one.",
    "    [[ $usage == MODEL* && $#word == 0 ]] && return done",
    "    for piece in ${=usage//[][]/ }; do",
    "        [[ $piece == *\\|* ]] && compadd -- ${(s:|:)piece} && done=0",
    "    done",
    "    return done",
    "}",
    "",
    "_reckon() {",
    "    local program=${(Q)words[1]} command= usage= i",
    "    local -a word option",
    "    for (( i = 2; i < CURRENT; i++ )); do",
    "        case $words[i] in",
    "        --*=*|-o?*|[^-]*=*) ;;",
    "        -?*) (( $_reckon_takers[(Ie)$words[i]] )) && (( i++ )) ;;",
    "        *)",
    "            if [[ ! $command && $#word -eq 0 && -n ${(M)_reckon_commands:#$words[i]:*} ]]; then",
    "                command=$words[i]",
    "            else",
    "                word+=($words[i])",
    "            fi",
    "            ;;",
    "        esac",
    "    done",
    "    _reckon_table",
    "    _arguments $option '*: :_reckon_word'",
    "}",
    "",
    "_reckon \"$@\"",
};
/* clang-format on */

static void write_zsh(rk_str *out)
{
    put_lines(zsh_head, sizeof zsh_head / sizeof *zsh_head, out);
    rk_str_put(out, "_reckon_commands=(\n");
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        if (rk_cmd_command_list[i]->name) {
            rk_str_format(out, "    '%s:", rk_cmd_command_list[i]->name);
            put_described(rk_cmd_command_list[i]->text, out);
            rk_str_put(out, "'\n");
        }
    rk_str_put(out, ")\n");
    /* Options that take the next word as their value, in any command: the command is found by passing over these. */
    rk_str_put(out, "_reckon_takers=(");
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        for (size_t k = 0; k < rk_cmd_command_list[i]->n_option; k++)
            if (rk_cmd_command_list[i]->option[k].argument)
                rk_str_format(out, " %s", rk_cmd_command_list[i]->option[k].name);
    rk_str_put(out, " )\n");
    rk_str_put(out, "\n# The usage and the options of a command; '' is reckon MODEL.\n"
                    "_reckon_table() {\n    case $command in\n");
    for (size_t i = 0; i < rk_cmd_n_command; i++)
        zsh_command(rk_cmd_command_list[i], out);
    rk_str_put(out, "    esac\n}\n");
    put_lines(zsh_code, sizeof zsh_code / sizeof *zsh_code, out);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static int run(const rk_cmd_line *line, rk_cmd_output *out, rk_err *err)
{
    if (line->n_word == 0)
        return rk_fail(err, RK_EUSAGE, "which shell? (%s)", SHELLS);
    if (rk_words_place(SHELLS, line->word[0]) < 0)
        return rk_words_fail(SHELLS, "the shell", line->word[0], err);
    if (line->n_word + line->n_setting > 1)
        return rk_fail(err, RK_EUSAGE, "'%s' is too much", line->n_word > 1 ? line->word[1] : line->setting[0].name);
    if (rk_words_place(SHELLS, line->word[0]) == 0)
        write_bash(&out->text);
    else
        write_zsh(&out->text);
    return RK_OK;
}

const rk_cmd_command rk_command_completion = {
    .name = "completion",
    .words = SHELLS,
    .text = "the script by which a shell completes lines of reckon",
    .more = "It completes commands, options, their values, models, symbols and files.  Where reckon is installed,\n"
            "the script is in its place already.  Otherwise the shell has to read it when it starts.\n\n"
            "bash: put the line  eval \"$(reckon completion bash)\"  into ~/.bashrc.\n\n"
            "zsh: write it to a file _reckon in a folder of fpath, before compinit is called.",
    .option = option,
    .n_option = sizeof option / sizeof *option,
    .example =
        {
            {"reckon completion bash", "for bash"},
            {"reckon completion zsh -o _reckon", "for zsh, into a file"},
        },
    .run = run,
};

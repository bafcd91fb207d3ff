# bash completion of reckon, written by 'reckon completion bash'.
# shellcheck shell=bash disable=SC2046,SC2086 # words are meant

# What reckon knows of its commands is put in here.

# The words on standard input that begin as the one that is typed.
_reckon_offer() {
    local word
    while IFS= read -r word; do
        [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
    done
}

# Only where a file is offered are the words treated as such: a symbol must not be quoted as a file would be.
_reckon_offer_files() {
    local kind before=${#COMPREPLY[@]}
    for kind in "$@"; do
        _reckon_offer < <(compgen -f -X "!*.$kind" -- "$cur")
    done
    _reckon_offer < <(compgen -d -- "$cur")
    ((${#COMPREPLY[@]} > before)) && compopt -o filenames 2> /dev/null
}

# The value of an option; before its command is known, that of any command.
_reckon_value() {
    local name
    for name in "$1" '' $_reckon_commands; do
        _reckon_values "$name $2" && return
    done
}

_reckon_offer_value() {
    case $1 in
    FILE) compopt -o filenames 2> /dev/null; _reckon_offer < <(compgen -f -- "$cur") ;;
    *[a-z]*) _reckon_offer < <(printf '%s\n' $1) ;;
    esac
}

# SYMBOL= of the model that was named; its config may follow it.  Only plain files are opened.
_reckon_offer_symbols() {
    local model=${word[0]} config=${word[1]} symbol
    [[ $model == - || -e $model && ! -f $model && ! -d $model ]] && return
    [[ -f $config && $config == *.json && $config != *.index.json ]] || config=
    while IFS=$'\t' read -r symbol _; do
        [[ $symbol= == "$cur"* ]] && COMPREPLY+=("$symbol=") && compopt -o nospace 2> /dev/null
    done < <("$program" models --symbols -- "$model" ${config:+"$config"} 2> /dev/null < /dev/null)
}

# Rows of the model that was named.
_reckon_offer_paths() {
    local model=${word[0]}
    [[ $model == - || -e $model && ! -f $model && ! -d $model ]] && return
    _reckon_offer < <("$program" derive --format csv -- "$model" 2> /dev/null < /dev/null | sed '1d; s/,.*//' | sort -u)
}

# A word that is no option: $1 is what the usage of the command says of its words.
_reckon_offer_word() {
    local piece
    if [[ $1 == 'NUMBER '* ]]; then
        ((${#word[@]})) || return
        word=("${word[@]:1}")
        set -- "${1#NUMBER }"
    fi
    # Texts: any file.
    if [[ $1 == 'FILE '* ]]; then
        _reckon_offer_value FILE
        return
    fi
    if ((${#word[@]} == 0)); then
        case $1 in MODEL* | *NAME*) _reckon_offer < <("$program" models --names 2> /dev/null) ;; esac
        case $1 in MODEL*) _reckon_offer_files rk json safetensors gguf ;; esac
        case $1 in *COMMAND*) _reckon_offer < <(printf '%s\n' $_reckon_commands) ;; esac
    else
        case $1 in *SYMBOL=*) _reckon_offer_symbols ;; esac
        case $1 in
        'MODEL PATH'*) ((${#word[@]} == 1)) && _reckon_offer_paths ;;
        'MODEL QUANTITY'*) ((${#word[@]} <= 2)) && _reckon_offer_paths ;;
        esac
        case $1 in
        'MODEL MODEL'*)
            _reckon_offer < <("$program" models --names 2> /dev/null)
            _reckon_offer_files rk json safetensors gguf
            ;;
        *FILE*) _reckon_offer_files json safetensors gguf ;;
        MODEL*) ((${#word[@]} == 1)) && _reckon_offer_files json ;;
        esac
    fi
    # Words to choose from, as in "[bash|zsh]": after the model, where there is one.
    [[ $1 == MODEL* && ${#word[@]} == 0 ]] && return
    for piece in ${1//[][]/ }; do
        [[ $piece == *'|'* ]] && _reckon_offer < <(printf '%s\n' ${piece//|/ })
    done
}

_reckon() {
    local program=$1 command='' option='' given='' text=${COMP_LINE:0:COMP_POINT} line=() word=() cur i
    COMPREPLY=()
    read -ra line <<< "$text"
    [[ $text == *[[:space:]] ]] && line+=('')
    cur=${line[${#line[@]} - 1]}
    for ((i = 1; i < ${#line[@]} - 1; i++)); do
        option=''
        [[ ${line[i]} == -?* ]] && given+=" ${line[i]%%=*} "
        case ${line[i]} in
        --*=* | -o?*) ;;
        -?*) [[ $(_reckon_value "$command" "${line[i]}") ]] && option=${line[i]} && i=$((i + 1)) ;;
        *=*) ;;
        *)
            if [[ ! $command && ${#word[@]} == 0 && " $_reckon_commands " == *" ${line[i]} "* ]]; then
                command=${line[i]}
            else
                word+=("${line[i]}")
            fi
            ;;
        esac
    done
    # The value of the option before; where the loop passed over it, it is the word that is typed.
    if [[ $option ]] && ((i == ${#line[@]})); then
        _reckon_offer_value "$(_reckon_value "$command" "$option")"
    elif [[ $cur == --*=* ]]; then
        option=${cur%%=*} cur=${cur#*=}
        _reckon_offer_value "$(_reckon_value "$command" "$option")"
        # Readline replaces what stands behind the last break of words.
        [[ $COMP_WORDBREAKS == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/$option=}")
    elif [[ $cur == -* ]]; then
        for option in $(_reckon_options "$command"); do
            [[ $given == *" $option "* ]] || _reckon_offer <<< "$option"
        done
    elif [[ $cur != *=* ]]; then
        [[ ! $command && ${#word[@]} == 0 ]] && _reckon_offer < <(printf '%s\n' $_reckon_commands)
        _reckon_offer_word "$(_reckon_words "$command")"
    fi
}

complete -F _reckon reckon

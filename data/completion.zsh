#compdef reckon
# zsh completion of reckon, written by 'reckon completion zsh'.

typeset -ga _reckon_commands
typeset -gaU _reckon_takers
# What reckon knows of its commands is put in here.

_reckon_models() {
    local -a name
    name=(${(f)"$(_call_program models $program models --names 2> /dev/null)"})
    _describe -t models 'model' name
}

# Files of a pattern, and folders; no others where there are none (as _files would).
_reckon_files() {
    local done=1
    _path_files -g $1 && done=0
    _path_files -/ && done=0
    return done
}

# SYMBOL= of the model that was named; its config may follow it.  Only plain files are opened.
_reckon_symbols() {
    local -a model symbol
    model=(${(Q)word[1]})
    [[ $model == - || -e $model && ! -f $model && ! -d $model ]] && return 1
    [[ -f ${(Q)word[2]} && ${(Q)word[2]} == *.json && ${(Q)word[2]} != *.index.json ]] && model+=(${(Q)word[2]})
    symbol=(${(f)"$($program models --symbols -- $model 2> /dev/null < /dev/null)"})
    symbol=(${${symbol//:/\\:}/$'\t'/:})
    _describe -t symbols 'symbol' symbol -qS '='
}

# Rows of the model that was named.
_reckon_paths() {
    local -aU row
    local model=${(Q)word[1]}
    [[ $model == - || -e $model && ! -f $model && ! -d $model ]] && return 1
    row=(${(f)"$($program derive --format csv -- $model 2> /dev/null < /dev/null | sed '1d; s/,.*//')"})
    compadd -- $row
}

# A word that is no option, by what the usage of the command says of its words.
_reckon_word() {
    local piece done=1
    [[ $PREFIX == *=* ]] && return 1
    if [[ $usage == 'NUMBER '* ]]; then
        (( $#word )) || return 1
        shift word
        usage=${usage#NUMBER }
    fi
    if [[ $usage == 'FILE '* ]]; then # texts: any file
        _files
        return
    fi
    if (( $#word == 0 )); then
        [[ ! $command || $usage == *COMMAND* ]] && _describe -t commands 'command' _reckon_commands && done=0
        [[ $usage == (MODEL*|*NAME*) ]] && _reckon_models && done=0
        [[ $usage == MODEL* ]] && _reckon_files '*.(rk|json|safetensors|gguf)' && done=0
    else
        [[ $usage == *SYMBOL=* ]] && _reckon_symbols && done=0
        [[ $usage == 'MODEL PATH'* && $#word == 1 ]] && _reckon_paths && done=0
        [[ $usage == 'MODEL QUANTITY'* && $#word -le 2 ]] && _reckon_paths && done=0
        if [[ $usage == 'MODEL MODEL'* ]]; then
            _reckon_models && done=0
            _reckon_files '*.(rk|json|safetensors|gguf)' && done=0
        elif [[ $usage == *FILE* ]]; then
            _reckon_files '*.(json|safetensors|gguf)' && done=0
        elif [[ $usage == MODEL* && $#word == 1 ]]; then
            _reckon_files '*.json' && done=0
        fi
    fi
    # Words to choose from, as in "[bash|zsh]": after the model, where there is one.
    [[ $usage == MODEL* && $#word == 0 ]] && return done
    for piece in ${=usage//[][]/ }; do
        [[ $piece == *\|* ]] && compadd -- ${(s:|:)piece} && done=0
    done
    return done
}

_reckon() {
    local program=${(Q)words[1]} command= usage= i
    local -a word option
    for (( i = 2; i < CURRENT; i++ )); do
        case $words[i] in
        --*=*|-o?*|[^-]*=*) ;;
        -?*) (( $_reckon_takers[(Ie)$words[i]] )) && (( i++ )) ;;
        *)
            if [[ ! $command && $#word -eq 0 && -n ${(M)_reckon_commands:#$words[i]:*} ]]; then
                command=$words[i]
            else
                word+=($words[i])
            fi
            ;;
        esac
    done
    _reckon_table
    _arguments $option '*: :_reckon_word'
}

_reckon "$@"

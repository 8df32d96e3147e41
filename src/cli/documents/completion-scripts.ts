/** The completion scripts of the shells: tables of static words, and a call of `sandbox` for names of the running sandbox. */
import { CLI } from '../../base/text/command-form.ts';
import type { Completable, CompletedCommand, CompletionShell } from './completion-model.ts';

/** The shells complete both names. The scripts call the first one, which must be in the PATH of the shell. */
const NAME = 'sandbox';
const PROGRAMS = `${NAME} muster-sandbox`;

export const completionScript = (shell: CompletionShell, all: readonly CompletedCommand[]): string =>
  SCRIPTS[shell](all);

const isAction = ({ key }: CompletedCommand): boolean => key.includes(' ');

/** Quotes a text with single quotes, in a form that all these shells accept. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The notation of values in the tables: words, or `@names:people`, `@files`, `@any`, `@commands`. */
const cell = (values: Completable): string =>
  typeof values === 'string' ? `@${values}` : 'names' in values ? `@names:${values.names}` : values.join(' ');

/**
 * Tables for bash and zsh: the values of a flag, and the flags and words of a command. Functions of these shells share
 * the variables of their caller.
 */
function tables(all: readonly CompletedCommand[]): string {
  const values = all.flatMap(({ key, flags }) =>
    flags.flatMap((one) => (one.values === null ? [] : [`    '${key} ${one.flag}') values='${cell(one.values)}' ;;`])),
  );
  const commands = all.map(
    ({ key, flags, words }) =>
      `    '${key}') flags='${flags.map(({ flag }) => flag).join(' ')}' words='${cell(words)}' ;;`,
  );
  return `_muster_sandbox_values() {
  case "$1" in
${values.join('\n')}
  esac
}

_muster_sandbox_command() {
  case "$1" in
${commands.join('\n')}
  esac
}

# Sets "values" for the word "cur" after "prev"; "last" is the last flag of an action, whose fields may be lists.
_muster_sandbox_look() {
  _muster_sandbox_values "$key $prev"
  if [ "$key $prev" = 'snapshot load' ]; then values='@names:snapshots'; fi
  if [ -n "$values" ]; then return; fi
  _muster_sandbox_command "$key"
  case "$cur" in
    -*) values="$flags" ;;
    *) case "$key" in 'trigger '*) _muster_sandbox_values "$key $last" ;; *) values="$words" ;; esac ;;
  esac
}`;
}

/** Bash 3.2, which macOS has, does not have `mapfile` and `compopt`. */
const bash = (all: readonly CompletedCommand[]): string => {
  const names = all.flatMap((one) => (isAction(one) ? [] : [one.key]));
  return `# bash completion of sandbox; into this shell: eval "$(${CLI} completion bash)"
${tables(all)}

_muster_sandbox() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" key="\${COMP_WORDS[1]}"
  local values='' flags='' words='' last='' typed line at
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names.join(' ')} --help --version' -- "$cur"))
    return
  fi
  if [ "$key" = trigger ] && [ "$COMP_CWORD" -gt 2 ]; then key="trigger \${COMP_WORDS[2]//-/_}"; fi
  # Names of actions and steps may be typed with hyphens.
  case "$key $COMP_CWORD $cur" in 'trigger 2 '[a-z]* | 'explain 2 '[a-z]*) cur="\${cur//-/_}" ;; esac
  for ((at = 2; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      --) if [ "$at" -eq $((COMP_CWORD - 1)) ]; then COMPREPLY=($(compgen -c -- "$cur")); fi; return ;;
      --*) last="\${COMP_WORDS[at]}" ;;
    esac
  done
  _muster_sandbox_look
  typed="\${cur//[\\\\\\'\\"]/}"
  case "$values" in
    @names:*)
      while IFS= read -r line; do
        case "$line" in "$typed"*) COMPREPLY+=("$(printf '%q' "$line")") ;; esac
      done < <("\${COMP_WORDS[0]}" completion names "\${values#@names:}" 2>/dev/null) ;;
    @commands) COMPREPLY=($(compgen -W '--' -- "$cur")) ;;
    @files) COMPREPLY=($(compgen -f -- "$cur")) ;;
    @*) ;;
    *) COMPREPLY=($(compgen -W "$values" -- "$cur")) ;;
  esac
  if [ "$values" = @names:scenarios ]; then COMPREPLY+=($(compgen -f -- "$cur")); fi
  case "$values" in @files | @names:scenarios) compopt -o filenames 2>/dev/null ;; esac
}
complete -F _muster_sandbox ${PROGRAMS}
`;
};

const zsh = (all: readonly CompletedCommand[]): string => {
  const described = all.flatMap((one) =>
    isAction(one) ? [] : [quoted(`${one.key}:${one.description.replaceAll(':', '\\:')}`)],
  );
  return `#compdef ${PROGRAMS}
# zsh completion of sandbox; into this shell: eval "$(${CLI} completion zsh)", after compinit
${tables(all)}

_muster_sandbox() {
  local cur="$words[CURRENT]" prev="$words[CURRENT-1]" key="$words[2]" program="$words[1]"
  local values='' flags='' last='' at
  local -a line found
  line=("\${words[@]}")
  if (( CURRENT == 2 )); then
    found=(${described.join(' ')})
    _describe command found
    return
  fi
  if [[ $key == trigger ]] && (( CURRENT > 3 )); then key="trigger \${line[3]//-/_}"; fi
  for (( at = 3; at < CURRENT; at++ )); do
    case "$line[at]" in
      --) if (( at == CURRENT - 1 )); then _command_names; else _files; fi; return ;;
      --*) last="$line[at]" ;;
    esac
  done
  local words=''
  _muster_sandbox_look
  case "$values" in
    @names:*)
      found=("\${(@f)$("$program" completion names "\${values#@names:}" 2>/dev/null)}")
      found=("\${(@)found:#}")
      if (( $#found )); then compadd -a found; fi
      if [[ $values == @names:scenarios ]]; then _files; fi ;;
    @commands) compadd -- -- ;;
    @files) _files ;;
    @*) ;;
    *) found=(\${=values}); compadd -M 'm:-=_' -a -- found ;;
  esac
}
if (( $+functions[compdef] )); then compdef _muster_sandbox ${PROGRAMS}; fi
if [[ "$funcstack[1]" == _sandbox ]]; then _muster_sandbox "$@"; fi
`;
};

const fish = (all: readonly CompletedCommand[]): string => {
  const lines = all.flatMap((one) => {
    const { key, description, flags, words } = one;
    const [command = '', action] = key.split(' ');
    const here = action === undefined ? `__muster_sandbox_in ${command}` : `__muster_sandbox_in ${command} ${action}`;
    const start = action === undefined ? [`-n __fish_use_subcommand -f -a ${command} -d ${quoted(description)}`] : [];
    return [
      ...start,
      ...fishWords(here, words, action),
      ...flags.map(({ flag, description: why, values }) => {
        const takes = values === null ? '' : ` ${fishValues(values)}`;
        return `-n '${here}' -l ${flag.replace(/^--/, '')}${takes} -d ${quoted(why)}`;
      }),
    ];
  });
  return `# fish completion of sandbox; into this shell: ${CLI} completion fish | source
function __muster_sandbox_in
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test "$words[2]" = $argv[1]; or return 1
    test (count $argv) -eq 1; and return 0
    test (count $words) -gt 2; and test (string replace -a -- - _ "$words[3]") = $argv[2]
end
function __muster_sandbox_first
    __muster_sandbox_in $argv; and test (count (commandline -opc)) -eq 2
end
function __muster_sandbox_behind
    string match -q -- '* -- *' (commandline -cp)
end
function __muster_sandbox_command
    complete -C (string replace -r -- '^.*? -- ' '' (commandline -cp))
end
for program in ${PROGRAMS}
    complete -c $program -f
    complete -c $program -n '__muster_sandbox_in snapshot load' -f -a '${fishNames('snapshots')}'
${lines.map((line) => `    complete -c $program ${line}`).join('\n')}
end
`;
};

/** Words of an action are values of its fields. The first word after trigger is the action. */
function fishWords(here: string, words: Completable, action: string | undefined): string[] {
  if (action !== undefined || words === 'any') return [];
  if (words === 'files') return [`-n '${here}' -F`];
  if (words === 'commands') return [`-n '${here}; and __muster_sandbox_behind' -a '(__muster_sandbox_command)'`];
  if (typeof words !== 'string' && 'names' in words) return [`-n '${here}' -F -a '${fishNames(words.names)}'`];
  const first = here.replace('__muster_sandbox_in', '__muster_sandbox_first');
  return [`-n '${first}' -f -a '${(words as readonly string[]).join(' ')}'`];
}

const fishNames = (kind: string): string => `(${NAME} completion names ${kind} 2>/dev/null)`;

function fishValues(values: Completable): string {
  if (values === 'files') return '-r -F';
  if (typeof values === 'string') return '-x';
  return 'names' in values ? `-x -a '${fishNames(values.names)}'` : `-x -a '${values.join(' ')}'`;
}

const SCRIPTS = { bash, zsh, fish };

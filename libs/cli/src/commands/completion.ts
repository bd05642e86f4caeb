import { Argument, type Command } from 'commander';
import type { Runner } from '../runner';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A word that can be completed, and what may follow it. */
interface Word {
  text: string;
  about: string;
  /** True if a value follows it: an option. */
  takesValue: boolean;
  /** The only possible values; empty: any. */
  values: readonly string[];
}

/** A place where words can be completed: the words before it, and the possible ones. */
interface Place {
  after: string;
  words: Word[];
}

/** The option and the commands after which the names of profiles are offered. */
const PROFILE_OPTION = '--profile';
const PROFILE_COMMANDS = ['profiles set', 'profiles use', 'profiles remove'];
/** Takes the names out of the table of `postrider profiles list`, for bash and zsh. */
const NAMES = String.raw`sed -n '2,$s/^[* ] \([^ ]*\).*/\1/p'`;

/** `postrider completion <shell>`: a script that makes a shell complete commands and options. */
export function addCompletion(program: Command, run: Runner): void {
  program
    .command('completion')
    .description('A script for a shell that completes commands and options: source <(postrider completion bash)')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action(
      run((context, _options, shell: (typeof SHELLS)[number]) => {
        const places = placesIn(program);
        const scripts = { bash: () => bash(places), zsh: () => zsh(places), fish: () => fish(places) };
        const script = scripts[shell]();
        context.output.result({ shell, script }, script);
      }),
    );
}

function placesIn(command: Command, after: readonly string[] = []): Place[] {
  const plain = (text: string, about: string): Word => ({ text, about, takesValue: false, values: [] });
  const names = command.commands.map((child) => plain(child.name(), child.description()));
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => plain(text, description)),
  );
  const root = after.length === 0 ? [] : globalOptions(command);
  const options = [...command.options, ...root].map(
    ({ long, short, description, required, argChoices = [] }): Word => ({
      text: long ?? short ?? '',
      about: description,
      takesValue: required,
      values: argChoices,
    }),
  );
  const words = [...names, ...choices, ...options, plain('--help', 'help')];
  return [
    { after: after.join(' '), words },
    ...command.commands.flatMap((child) => placesIn(child, [...after, child.name()])),
  ];
}

function globalOptions(command: Command): Command['options'] {
  return command.parent === null ? [] : [...command.parent.options, ...globalOptions(command.parent)];
}

/** The options that have fixed values: the words before the value, and the values. */
function fixedValues(places: readonly Place[]): { before: string; values: readonly string[] }[] {
  return places.flatMap(({ after, words }) =>
    words.flatMap(({ text, values }) => (values.length === 0 ? [] : [{ before: `${after} ${text}`.trim(), values }])),
  );
}

function bash(places: readonly Place[]): string {
  const cases = places.map(
    ({ after, words }) => `    '${after}') words='${words.map(({ text }) => text).join(' ')}' ;;`,
  );
  const values = fixedValues(places).map(
    ({ before, values: fixed }) => `    '${before}') words='${fixed.join(' ')}' ;;`,
  );
  return `_postrider() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path='' word words=''
  # bash makes words of the parts of --profile=name.
  if [ "$current" = = ]; then current=''; elif [ "$before" = = ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [ "$(_postrider_words "\${path:+$path }$word")" ] && path="\${path:+$path }$word" ;; esac
  done
  words="$(_postrider_words "$path")"
  if [ "$before" = ${PROFILE_OPTION} ]; then
    words="$(_postrider_profiles)"
    compopt +o default 2>/dev/null
  elif [ "$(_postrider_values "\${path:+$path }$before")" ]; then
    words="$(_postrider_values "\${path:+$path }$before")"
    compopt +o default 2>/dev/null
  else
    case "$path" in ${PROFILE_COMMANDS.map(quoted).join('|')}) words+=" $(_postrider_profiles)" ;; esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
_postrider_profiles() {
  "\${COMP_WORDS[0]}" profiles list 2>/dev/null | ${NAMES}
}
${bashWords('_postrider_values', values)}
${bashWords('_postrider_words', cases)}
complete -o default -F _postrider postrider`;
}

/** A function of bash that prints the words for a place. */
function bashWords(name: string, cases: readonly string[]): string {
  return `${name}() {
  local words=''
  case "$1" in
${cases.join('\n')}
  esac
  printf '%s' "$words"
}`;
}

function zsh(places: readonly Place[]): string {
  const cases = places.map(({ after, words }) => {
    const items = words.map(({ text, about }) => quoted(`${text}:${about.replaceAll(':', ' ')}`)).join(' ');
    return `    '${after}') words_=(${items}) ;;`;
  });
  const values = fixedValues(places).map(
    ({ before, values: fixed }) => `    '${before}') words_=(${fixed.map(quoted).join(' ')}) ;;`,
  );
  return `#compdef postrider
${zshWords('_postrider_values', values)}
${zshWords('_postrider_words', cases)}
_postrider_profiles() {
  local -a names_
  names_=(\${(f)"$($words[1] profiles list 2>/dev/null | ${NAMES})"})
  _describe 'profile' names_
}
_postrider() {
  local -a words_
  if [[ $words[CURRENT-1] == ${PROFILE_OPTION} ]] || compset -P '${PROFILE_OPTION}='; then
    _postrider_profiles
    return
  fi
  local place='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    _postrider_words "\${place:+$place }$word"
    (( \${#words_} )) && place="\${place:+$place }$word"
  done
  local option=$words[CURRENT-1]
  [[ $words[CURRENT] == --*=* ]] && option=\${words[CURRENT]%%=*}
  _postrider_values "\${place:+$place }$option"
  if (( \${#words_} )); then
    compset -P '--*='
    _describe 'value' words_
    return
  fi
  case "$place" in ${PROFILE_COMMANDS.map(quoted).join('|')}) _postrider_profiles ;; esac
  _postrider_words "$place"
  _describe 'postrider' words_ || _files
}
compdef _postrider postrider`;
}

/** A function of zsh that puts the words for a place into `words_`. */
function zshWords(name: string, cases: readonly string[]): string {
  return `${name}() {
  words_=()
  case "$1" in
${cases.join('\n')}
  esac
}`;
}

function fish(places: readonly Place[]): string {
  const names = places.map(({ after }) => after).filter((after) => after !== '');
  const lines = places.flatMap(({ after, words }) =>
    words.map(({ text, about, takesValue, values }) => {
      // Where commands are possible, files are not.
      const option = `-l ${text.slice(2)}${takesValue ? valueOf(text, values) : ''}`;
      const what = text.startsWith('--') ? option : `-f -a ${text}`;
      // Names of commands have no character that a shell reads as its own, so double quotes hold them within single ones.
      return `complete -c postrider -n '_postrider_at "${after}"' ${what} -d ${quoted(about)}`;
    }),
  );
  const profiles = PROFILE_COMMANDS.map(
    (after) => `complete -c postrider -n '_postrider_at "${after}"' -f -a '(_postrider_profiles)'`,
  );
  return `function _postrider_profiles
  set -l words (commandline -opc)
  $words[1] profiles list 2>/dev/null | tail -n +2 | string replace -rf '^[* ] (\\S+).*' '$1'
end
function _postrider_at
  set -l place
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    set -l next (string join ' ' $place $word)
    contains -- "$next" ${names.map(quoted).join(' ')}; and set place $place $word
  end
  test "$place" = "$argv[1]"
end
${[...lines, ...profiles].join('\n')}`;
}

/** What fish completes behind an option: the profiles, its fixed values, or a file. */
function valueOf(option: string, values: readonly string[]): string {
  if (values.length > 0) return ` -x -a ${quoted(values.join(' '))}`;
  return option === PROFILE_OPTION ? ` -x -a '(_postrider_profiles)'` : ' -r';
}

/** A word that no shell reads anything into. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}

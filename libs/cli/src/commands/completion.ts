import { Argument, type Command } from 'commander';
import type { Runner } from '../runner';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A word that can be completed, and what may follow it. */
interface Word {
  text: string;
  /** Its other spelling: an option's letter. */
  short?: string;
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
  /** True if an argument is the path of a file. */
  takesFile: boolean;
}

/** The option and the commands after which the names of profiles are offered. */
const PROFILE_OPTION = '--profile';
const PROFILE_COMMANDS = ['profiles set', 'profiles use', 'profiles remove'];
/** The command that commander adds to each group of commands. */
const HELP = 'help';
/** The name of arguments that are paths. */
const FILE_ARGUMENT = 'file';
/** Takes the names out of the table of `postrider profiles list`, for bash and zsh. */
const NAMES = String.raw`sed -n '2,$s/^[* ] \([^ ]*\).*/\1/p'`;

/** `postrider completion <shell>`: a script that makes a shell complete commands and options. */
export function addCompletion(program: Command, run: Runner): void {
  program
    .command('completion')
    .description('Print a script that makes a shell complete commands, options and values')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
To use it in every new shell:
  bash  echo 'source <(postrider completion bash)' >> ~/.bashrc
  zsh   echo 'source <(postrider completion zsh)' >> ~/.zshrc    (after the line with compinit)
  fish  postrider completion fish > ~/.config/fish/completions/postrider.fish`,
    )
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
  const children = command.commands.map((child) => plain(child.name(), child.description()));
  const names = children.length === 0 ? [] : [...children, plain(HELP, 'Show the help of a command')];
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => plain(text, description)),
  );
  const root = after.length === 0 ? [] : globalOptions(command);
  const options = [...command.options, ...root].map(
    ({ long, short, description, required, argChoices = [] }): Word => ({
      text: long ?? short ?? '',
      ...(short !== undefined && { short }),
      about: description,
      takesValue: required,
      values: argChoices,
    }),
  );
  const words = [...names, ...choices, ...options, plain('--help', 'help')];
  const takesFile = command.registeredArguments.some((argument) => argument.name() === FILE_ARGUMENT);
  return [
    { after: after.join(' '), words, takesFile },
    ...(children.length === 0 ? [] : [{ after: [...after, HELP].join(' '), words: children, takesFile: false }]),
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

/** The options behind which a value stands, which is no command even if it is spelled as one. */
function valuedOptions(places: readonly Place[]): string[] {
  return [
    ...new Set(
      places.flatMap(({ words }) =>
        words.flatMap(({ text, short, takesValue }) => (takesValue ? [text, short ?? text] : [])),
      ),
    ),
  ];
}

/** The patterns of `case` for the commands that take a file. */
function fileCommands(places: readonly Place[]): string {
  return places.flatMap(({ after, takesFile }) => (takesFile ? quoted(after) : [])).join('|');
}

/** A branch of a script; none if nothing can lead to it. */
function branch(patterns: string, what: string): string {
  return patterns === '' ? '' : `case "$place" in ${patterns}) ${what} ;; esac`;
}

function bash(places: readonly Place[]): string {
  const cases = places.map(
    ({ after, words }) => `    '${after}') words='${words.map(({ text }) => text).join(' ')}' ;;`,
  );
  const values = fixedValues(places).map(
    ({ before, values: fixed }) => `    '${before}') words='${fixed.join(' ')}' ;;`,
  );
  return `_postrider() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place='' word option='' words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    # bash makes words of the parts of --profile=name.
    if [ "$word" = = ]; then continue; fi
    if [ "$option" ]; then option=''; continue; fi
    case "$word" in
      ${valuedOptions(places).join('|')}) option="$word" ;;
      -*) ;;
      *) [ "$(_postrider_words "\${place:+$place }$word")" ] && place="\${place:+$place }$word" ;;
    esac
  done
  if [ "$current" = = ]; then current=''; fi
  if [ "$option" = ${PROFILE_OPTION} ]; then
    words="$(_postrider_profiles)"
    compopt +o default 2>/dev/null
  elif [ "$option" ]; then
    # Without words bash offers files.
    words="$(_postrider_values "\${place:+$place }$option")"
    if [ "$words" ]; then compopt +o default 2>/dev/null; fi
  else
    words="$(_postrider_words "$place")"
    case "$place" in ${PROFILE_COMMANDS.map(quoted).join('|')}) words+=" $(_postrider_profiles)" ;; esac
    ${branch(fileCommands(places), `if [ "\${current#-}" = "$current" ]; then words=''; fi`)}
  fi
  # Not mapfile, which the bash of macOS does not have. No word has a blank.
  COMPREPLY=($(compgen -W "$words" -- "$current"))
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
  local place='' word option=''
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $option ]]; then option=''; continue; fi
    case "$word" in
      ${valuedOptions(places).join('|')}) option=$word ;;
      -*) ;;
      *)
        _postrider_words "\${place:+$place }$word"
        (( \${#words_} )) && place="\${place:+$place }$word"
        ;;
    esac
  done
  if [[ -z $option && $words[CURRENT] == --*=* ]]; then
    option=\${words[CURRENT]%%=*}
    compset -P '--*='
  fi
  if [[ $option == ${PROFILE_OPTION} ]]; then
    _postrider_profiles
    return
  elif [[ -n $option ]]; then
    _postrider_values "\${place:+$place }$option"
    if (( \${#words_} )); then _describe 'value' words_; else _files; fi
    return
  fi
  ${branch(fileCommands(places), `[[ $words[CURRENT] == -* ]] || { _files; return; }`)}
  _postrider_words "$place"
  case "$place" in ${PROFILE_COMMANDS.map(quoted).join('|')}) _postrider_profiles; _describe 'postrider' words_; return ;; esac
  _describe 'postrider' words_ || _files
}
compdef _postrider postrider
# A file of this text in a folder of fpath is read at the first completion, which it has to answer too.
if [[ $funcstack[1] == _postrider ]]; then _postrider; fi`;
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
  set -l option
  for word in (commandline -opc)[2..-1]
    if test -n "$option"
      set option
      continue
    end
    contains -- $word ${valuedOptions(places).join(' ')}; and set option $word
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

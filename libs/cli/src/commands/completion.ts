import { Argument, type Command } from 'commander';
import type { Runner } from '../runner';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A place where words can be completed: the words before it, and the possible ones. */
interface Place {
  after: string;
  words: { text: string; about: string; takesValue: boolean }[];
}

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
  const names = command.commands.map((child) => ({
    text: child.name(),
    about: child.description(),
    takesValue: false,
  }));
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => ({ text, about: description, takesValue: false })),
  );
  const root = after.length === 0 ? [] : globalOptions(command);
  const options = [...command.options, ...root].map(({ long, short, description, required }) => ({
    text: long ?? short ?? '',
    about: description,
    takesValue: required,
  }));
  const words = [...names, ...choices, ...options, { text: '--help', about: 'help', takesValue: false }];
  return [
    { after: after.join(' '), words },
    ...command.commands.flatMap((child) => placesIn(child, [...after, child.name()])),
  ];
}

function globalOptions(command: Command): Command['options'] {
  return command.parent === null ? [] : [...command.parent.options, ...globalOptions(command.parent)];
}

function bash(places: readonly Place[]): string {
  const cases = places.map(
    ({ after, words }) => `    '${after}') words='${words.map(({ text }) => text).join(' ')}' ;;`,
  );
  return `_postrider() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [ "$(_postrider_words "\${path:+$path }$word")" ] && path="\${path:+$path }$word" ;; esac
  done
  words="$(_postrider_words "$path")"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
_postrider_words() {
  local words=''
  case "$1" in
${cases.join('\n')}
  esac
  printf '%s' "$words"
}
complete -o default -F _postrider postrider`;
}

function zsh(places: readonly Place[]): string {
  const cases = places.map(({ after, words }) => {
    const items = words.map(({ text, about }) => quoted(`${text}:${about.replaceAll(':', ' ')}`)).join(' ');
    return `    '${after}') words_=(${items}) ;;`;
  });
  return `#compdef postrider
_postrider_words() {
  words_=()
  case "$1" in
${cases.join('\n')}
  esac
}
_postrider() {
  local -a words_
  local place='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    _postrider_words "\${place:+$place }$word"
    (( \${#words_} )) && place="\${place:+$place }$word"
  done
  _postrider_words "$place"
  _describe 'postrider' words_ || _files
}
compdef _postrider postrider`;
}

function fish(places: readonly Place[]): string {
  const names = places.map(({ after }) => after).filter((after) => after !== '');
  const lines = places.flatMap(({ after, words }) =>
    words.map(({ text, about, takesValue }) => {
      // Where commands are possible, files are not.
      const option = `-l ${text.slice(2)}${takesValue ? ' -r' : ''}`;
      const what = text.startsWith('--') ? option : `-f -a ${text}`;
      // Names of commands have no character that a shell reads as its own, so double quotes hold them within single ones.
      return `complete -c postrider -n '_postrider_at "${after}"' ${what} -d ${quoted(about)}`;
    }),
  );
  return `function _postrider_at
  set -l place
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    set -l next (string join ' ' $place $word)
    contains -- "$next" ${names.map(quoted).join(' ')}; and set place $place $word
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}`;
}

/** A word that no shell reads anything into. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}

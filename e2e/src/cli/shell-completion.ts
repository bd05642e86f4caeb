import { execFile, spawnSync } from 'node:child_process';

/** The output of a program that does not end well is its error. */
function outputOf(program: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((done, fail) => {
    execFile(program, args, { env }, (error, out, err) => (error === null ? done(out) : fail(new Error(out + err))));
  });
}

/** A test that needs a shell: skipped on a machine without it, failed where `.ci/run` should have installed it. */
export function withShell(shell: 'zsh' | 'fish'): jest.It {
  const isThere = spawnSync(shell, ['--version']).status === 0;
  if (!isThere)
    console.warn(`Completion in ${shell} is not tested: there is no ${shell} here (Debian package "${shell}").`);
  return isThere || process.env.REQUIRE_PROGRAMS === 'true' ? it : it.skip;
}

/**
 * A zsh that reads keys from a terminal, in which a key completes and another one says that this is done. What is offered
 * is what zsh adds to its matches, whatever it then shows. One for all lines, because `compinit` takes seconds.
 */
const ZSH = String.raw`
zmodload zsh/zpty
wait_for() {
  local all=
  while [[ $all != *$1* ]]; do zpty -r z out || exit 1; all+=$out; done
}
zpty z zsh -f -i
zpty -w z "PROMPT= RPROMPT=; autoload -Uz compinit; compinit -u -D; source '$1'; offers='$2'"
zpty -w z 'compadd() { local -a a; builtin compadd -O a "$@"; print -rl -- $a >> $offers; builtin compadd "$@" }'
zpty -w z 'say_done() { zle -I; print DO""NE; BUFFER= }; zle -N say_done; bindkey "^Y" say_done "^X" complete-word'
zpty -w z 'print RE""ADY'
wait_for READY
for line in $argv[3,-1]; do
  : > "$2"
  zpty -wn z "$line"$'\x18\x19'
  wait_for DONE
  print -r -- $(sort -u $2)
done
zpty -d z`;

/**
 * What zsh completes at the ends of lines.
 *
 * @param files the script that completes, and a file for what is offered
 * @returns for each line each word that is offered, in alphabetical order; several if a command and its value are possible
 */
export async function completeInZsh(
  lines: readonly string[],
  { script, offers }: { script: string; offers: string },
  env: Record<string, string>,
): Promise<string[]> {
  const offered = await outputOf('zsh', ['-f', '-c', ZSH, 'zsh', script, offers, ...lines], env);
  return offered.trimEnd().split('\n');
}

/** What fish completes at the end of a line: each word that is offered, in alphabetical order. */
export async function completeInFish(line: string, script: string, env: Record<string, string>): Promise<string> {
  const words = await outputOf(
    'fish',
    ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, line],
    env,
  );
  const offered = words.split('\n').flatMap((word) => (word === '' ? [] : [word.split('\t')[0] as string]));
  return offered.sort().join(' ');
}

import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { type CommandLine, POSTRIDER } from './command-line';
import { completeInFish, completeInZsh, withShell } from './shell-completion';

/** Completion in the shells. */
export function completionScenario(cli: () => CommandLine): void {
  it('completes commands in bash, zsh and fish', async () => {
    const { out } = await cli().run('completion', 'bash');
    const script = cli().file('completion.bash', out);
    const completed = (line: string): Promise<string> =>
      new Promise((done, fail) => {
        const words = line.split(' ').map((word) => `'${word}'`);
        const command = `postrider() { '${process.execPath}' '${POSTRIDER}' "$@"; }`;
        const text = `${command}; source '${script}'; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _postrider; echo "\${COMPREPLY[*]}"`;
        execFile('bash', ['-c', text], { env: { ...cli().env, PATH: process.env.PATH } }, (error, result, err) =>
          error === null ? done(result.trim()) : fail(new Error(err)),
        );
      });
    expect(await completed('postrider se')).toBe('send segments');
    expect(await completed('postrider messages w')).toBe('watch');
    for (const place of [
      '--profile s',
      '--profile = s',
      '--profile =',
      'profiles use s',
      'messages list --profile s',
    ]) {
      expect([place, await completed(`postrider ${place}`)]).toEqual([place, 'shop']);
    }
    expect(await completed('postrider --profile z')).toBe('');
    expect(await completed('postrider completion z')).toBe('zsh');
    expect(await completed('postrider --profile shop segments count --tar')).toBe('--target');
    expect((await cli().run('completion', 'zsh')).out).toContain('#compdef postrider');
    const fish = (await cli().run('completion', 'fish')).out;
    expect(fish).toContain(`complete -c postrider -n '_postrider_at ""' -f -a send -d `);
    expect(fish).toContain(`-n '_postrider_at ""' -l profile -x -a '(_postrider_profiles)' -d `);
    expect(fish).toContain(`complete -c postrider -n '_postrider_at "messages"' -f -a watch -d `);
    expect(fish).toContain(`complete -c postrider -n '_postrider_at "segments count"' -l target -r -d `);
  });

  const OFFERED = [
    ['postrider se', 'segments send'],
    ['postrider messages w', 'watch'],
    ['postrider --profile s', 'shop'],
    ['postrider profiles use s', 'shop'],
    ['postrider completion z', 'zsh'],
    ['postrider --profile shop segments count --tar', '--target'],
    ['postrider devices import --ty', '--type'],
    ['postrider devices import --type n', 'ndjson'],
    ['postrider --profile send mess', 'messages'],
    ['postrider send --user apps --fi', '--file'],
  ] as const;

  /** An environment in which the command is found by its name. */
  const withCommand = (): Record<string, string> => {
    chmodSync(cli().file('postrider', `#!/bin/sh\nexec '${process.execPath}' '${POSTRIDER}' "$@"\n`), 0o755);
    return { ...cli().env, TERM: 'xterm', PATH: `${cli().folder}:${process.env.PATH ?? ''}` };
  };

  withShell('zsh')('completes in a zsh that somebody types into', async () => {
    const script = cli().file('completion.zsh', (await cli().run('completion', 'zsh')).out);
    const offers = cli().file('offers', '');
    const lines = OFFERED.map(([line]) => line);
    const offered = await completeInZsh(lines, { script, offers }, withCommand());
    expect(lines.map((line, place) => [line, offered[place]])).toEqual(OFFERED);
  });

  withShell('fish')('completes in fish', async () => {
    const script = cli().file('completion.fish', (await cli().run('completion', 'fish')).out);
    for (const [line, words] of OFFERED) {
      expect([line, await completeInFish(line, script, withCommand())]).toEqual([line, words]);
    }
  });
}

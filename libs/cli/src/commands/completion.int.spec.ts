import { execFileSync } from 'node:child_process';
import { Command, Option } from 'commander';
import { addCompletion } from './completion';

/** The script for a shell, of a program with fixed values for the options of one command. */
function scriptFor(shell: string): string {
  const program = new Command('postrider').option('--profile <name>', 'the profile');
  const devices = program.command('devices').description('Devices');
  devices
    .command('import <file>')
    .description('Import')
    .addOption(new Option('--type <name>', 'the type').choices(['csv', 'ndjson', 'json']))
    .addOption(new Option('--format <name>', 'the format').choices(['parse', 'tokens']))
    .option('-m, --mapping <json>', 'the mapping');
  devices.command('list').description('List');
  let script = '';
  const output = { result: (_value: object, text: string) => (script = text) };
  addCompletion(program, (work) => async (...given) => {
    await (work as (...words: unknown[]) => unknown)({ output }, given.at(-2), ...given.slice(0, -2));
  });
  program.parse(['completion', shell], { from: 'user' });
  return script;
}

describe('the completion of the fixed values of an option', () => {
  it.each([
    ['devices import --type ', 'csv ndjson json'],
    ['devices import --type c', 'csv'],
    ['devices import list.csv --type nd', 'ndjson'],
    ['devices import --type = js', 'json'],
    ['devices import --type json --format ', 'parse tokens'],
    ['devices import --type csv --fo', '--format'],
    ['devices import --mapping c', ''],
    // Files, which bash offers where it gets no words.
    ['devices import --mapping ', ''],
    ['devices import -m ', ''],
    ['devices import ', ''],
    ['devices import --type csv ', ''],
    ['devices import --type csv --pro', '--profile'],
    ['devices list ', '--profile --help'],
    ['he', 'help'],
    ['help d', 'devices'],
    ['devices help ', 'import list'],
    ['devices list he', ''],
    // Values that are spelled as commands.
    ['--profile devices devices i', 'import'],
    ['devices --profile = import l', 'list'],
    ['devices import -m list --ty', '--type'],
  ])('offers them in bash: %s', (line, offered) => {
    const words = `postrider ${line}`.split(' ').map((word) => `'${word}'`);
    const last = words.length - 1;
    // The bash of macOS has none of the two.
    const text = `enable -n mapfile compopt; eval "$1"; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${last}; _postrider; echo "\${COMPREPLY[*]}"`;
    const found = execFileSync('bash', ['-c', text, 'bash', scriptFor('bash')], { encoding: 'utf8' });
    expect(found.trim()).toBe(offered);
  });

  it('offers them in zsh and fish, and no files', () => {
    expect(scriptFor('zsh')).toContain(`    'devices import --type') words_=('csv' 'ndjson' 'json') ;;`);
    const fish = scriptFor('fish');
    expect(fish).toContain(`-n '_postrider_at "devices import"' -l type -x -a 'csv ndjson json' -d `);
    expect(fish).toContain(`-n '_postrider_at "devices import"' -l mapping -r -d `);
  });
});

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Postrider } from '../support/postrider';
import { CommandLine } from './command-line';
import { completionScenario } from './completion.scenario';
import { doctorScenario } from './doctor.scenario';
import { endingsScenario } from './endings.scenario';
import { importsScenario } from './imports.scenario';
import { messagesScenario } from './messages.scenario';
import { operatorScenario } from './operator.scenario';

const README = resolve(__dirname, '../../../libs/cli/README.md');

/** The command line: the tests of each group of commands are in its `*.scenario.ts`. */
export function cliScenario(system: () => Postrider): void {
  let started: CommandLine;
  const cli = (): CommandLine => started;

  beforeAll(async () => {
    started = await CommandLine.start(system());
  });

  afterAll(() => started?.remove());

  describe('messages', () => messagesScenario(cli));
  describe('the operator', () => operatorScenario(cli));
  describe('endings', () => endingsScenario(cli));
  describe('doctor', () => doctorScenario(cli));
  describe('completion', () => completionScenario(cli));
  describe('devices import', () => importsScenario(cli));

  it('has every command in its README', async () => {
    const { out } = await cli().run('--help');
    const names = [...out.matchAll(/^ {2}(\w+) .*/gm)].map(([, name]) => name).filter((name) => name !== 'help');
    expect(names.length).toBeGreaterThan(9);
    const readme = readFileSync(README, 'utf8');
    expect(
      names.filter(
        (name) => !new RegExp(`^\\| .*\`${name ?? ''} `, 'm').test(readme) && !readme.includes(`\`${name ?? ''}\``),
      ),
    ).toEqual([]);
  });
}

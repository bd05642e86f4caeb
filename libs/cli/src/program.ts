import { Command } from 'commander';
import { addAdministration } from './commands/administration';
import { addApi } from './commands/api';
import { addSegments } from './commands/audience';
import { addCompletion } from './commands/completion';
import { addDoctor } from './commands/doctor';
import { addMessages } from './commands/messages';
import { addProfiles } from './commands/profiles';
import { addSending } from './commands/send';
import { addUploads } from './commands/uploads';
import { type Context, contextOf, type ContextParts } from './context';
import type { Runner } from './runner';
import { EXIT, Interruption, reportOf } from './terminal/failure';
import { Output } from './terminal/output';

type AnyWork = (context: Context, options: unknown, ...words: unknown[]) => void | Promise<void>;

/** Runs a command line. @returns how it ends (`EXIT`) */
export async function runProgram(words: readonly string[], parts: ContextParts, version: string): Promise<number> {
  const isJson = words.includes('--json');
  try {
    const program = makeProgram(parts, version);
    if (isJson) muteErrors(program);
    await program.parseAsync(words, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    return endOf(error, isJson, parts);
  }
}

/** All commands. */
function makeProgram(parts: ContextParts, version: string): Command {
  const program = new Command('postrider')
    .description('Postrider on the command line: send, watch, upload, check')
    .version(version)
    .option('--profile <name>', 'the profile to use (POSTRIDER_PROFILE)')
    .option('--url <address>', 'the gateway (POSTRIDER_URL)')
    .option('--token <token>', 'a token of the application (POSTRIDER_TOKEN)')
    .option('--admin-token <token>', 'the token of the operator (POSTRIDER_ADMIN_TOKEN)')
    .option('--app <id>', 'the application (POSTRIDER_APP)')
    .option('--json', 'write JSON, for programs')
    .configureOutput({
      writeOut: (text) => parts.streams.out.write(text),
      writeErr: (text) => parts.streams.err.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'postrider: ')),
    })
    .addHelpText(
      'after',
      `
First steps:
  postrider profiles set local --url http://127.0.0.1:3000 --token '<server token>' --admin-token '<admin token>' --app demo
  postrider doctor
  postrider send --user ada --content 'Tea at four?' --watch

postrider <command> --help shows the options of a command.`,
    );
  const run: Runner =
    (work) =>
    async (...given) => {
      // Commander gives the arguments, then the options, then the command.
      const command = given.at(-1) as Command;
      await (work as AnyWork)(contextOf(command, parts), given.at(-2), ...given.slice(0, -2), command);
    };
  addSending(program, run);
  addMessages(program, run);
  addSegments(program, run);
  addUploads(program, run);
  addAdministration(program, run);
  addApi(program, run);
  addDoctor(program, run);
  addProfiles(program, run);
  addCompletion(program, run);
  inherit(program);
  return program;
}

/** Makes every command throw in place of ending the process, and show the options of all. Commander's own copy is per command. */
function inherit(command: Command): void {
  command.exitOverride().configureHelp({ showGlobalOptions: true }).showHelpAfterError('(--help shows how)');
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inherit(child);
  }
}

/** Errors in the command line are reported as JSON, not by commander. */
function muteErrors(command: Command): void {
  command.configureOutput({ ...command.configureOutput(), writeErr: () => undefined });
  for (const child of command.commands) muteErrors(child);
}

function endOf(error: unknown, isJson: boolean, { streams, signal }: ContextParts): number {
  if (signal.aborted) return signal.reason instanceof Interruption ? signal.reason.exitCode : EXIT.interrupted;
  const { code, exitCode } = error as { code?: string; exitCode?: number };
  // Help and the version were asked for.
  if (code?.startsWith('commander.') && exitCode === 0) return EXIT.done;
  const report = reportOf(error);
  const isSaid = code?.startsWith('commander.') && !isJson;
  if (!isSaid) new Output(streams, isJson).failure(report);
  return report.exitCode;
}

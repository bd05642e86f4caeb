import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PostriderError } from '@postrider/server';
import type { Command } from 'commander';
import type { Context } from '../context';
import type { Runner } from '../runner';
import { CommandFailure, EXIT } from '../terminal/failure';
import { plain } from '../terminal/output';
import { sayNotImported } from './import-report';

/** `postrider apps export` and `postrider apps import`: an application as one file. */
export function addArchives(apps: Command, run: Runner): void {
  apps
    .command('export <id> [file]')
    .description(
      'Write an application to a file, without secrets and messages: <id>.ndjson.gz; - is the standard output',
    )
    .action(run((context, _options, id: string, file?: string) => exportTo(context, id, file ?? `${id}.ndjson.gz`)));
  apps
    .command('import <id> <file>')
    .description('Import an exported archive into an application. Existing objects stay as they are')
    .option('--create', 'make the application if it does not exist; its tokens are shown once')
    .action(
      run(async (context, { create }: { create?: true }, id: string, file: string) => {
        const made = await findOrMake(context, id, create === true);
        const result = await importFrom(context, id, file).catch((error: unknown) => {
          // The tokens are shown now or never.
          if (made !== null) context.output.result({ application: made }, [`${id} was made`, ...tokensOf(made)]);
          throw error;
        });
        const { users, devices, segments, templates, drafts, trackers, kept } = result;
        // An older service does not say these.
        const { failed = 0, problems = [] } = result as Partial<typeof result>;
        const saved = `${segments} segments, ${templates} templates, ${drafts} drafts and ${trackers} trackers`;
        const text = `${users} users, ${devices} devices, ${saved} are new, ${kept} existed already`;
        const wrong = problems.map(({ line, message }) => `line ${line} ${plain(message)}`);
        const lines = [text, ...wrong, ...tokensOf(made)];
        context.output.result(made === null ? result : { ...result, application: made }, lines);
        if (failed > 0) throw new CommandFailure(sayNotImported(failed), EXIT.notInOrder);
      }),
    );
}

type Imported = ReturnType<Awaited<ReturnType<Context['operator']>>['importApplication']>;

async function importFrom({ operator, signal }: Context, id: string, file: string): Imported {
  const packed = /\.gz$/i.test(file) ? { contentEncoding: 'gzip' } : {};
  return (await operator()).importApplication(id, { path: file }, { signal, ...packed });
}

type Made = Awaited<ReturnType<Awaited<ReturnType<Context['operator']>>['createApplication']>>;

/**
 * Makes the application if it does not exist and may be made. @returns null if it exists already
 *
 * @throws CommandFailure if it does not exist
 */
async function findOrMake(context: Context, id: string, mayMake: boolean): Promise<Made | null> {
  const { signal } = context;
  const api = await context.operator();
  try {
    await api.getApplication(id, { signal });
    return null;
  } catch (error) {
    if (!(error instanceof PostriderError) || error.status !== 404) throw error;
  }
  if (mayMake) return api.createApplication({ id, name: id }, { signal });
  const hint = `\`postrider apps create ${id}\` makes it, and so does --create here.`;
  throw new CommandFailure(`There is no application ${id}`, EXIT.notFound, hint);
}

function tokensOf(made: Made | null): string[] {
  if (made === null) return [];
  const { tokens, identityKey } = made;
  const shown = [`server token  ${tokens.server}`, `client token  ${tokens.client}`, `identity key  ${identityKey}`];
  return [...shown, 'They are shown once.'];
}

/** Where an archive is written. */
interface Target {
  stream: NodeJS.WritableStream;
  /** Makes of it what was asked for, when the archive is whole. */
  keep?: () => Promise<void>;
  /** Removes a part of an archive. */
  drop?: () => Promise<void>;
}

async function exportTo({ output, signal, operator }: Context, id: string, file: string): Promise<void> {
  const { body } = await (await operator()).exportApplication(id, { signal });
  if (body === null) throw new CommandFailure('The gateway sent nothing');
  const { stream, keep, drop } = await targetOf(file).catch(async (error: unknown) => {
    await body.cancel();
    throw error;
  });
  try {
    await pipeline(Readable.fromWeb(body), stream, { signal });
    await keep?.();
  } catch (error) {
    await drop?.();
    signal.throwIfAborted();
    // An error of the file system names its call; any other is of the answer, whose end did not come.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new CommandFailure('The gateway did not send the archive to its end', EXIT.unavailable);
  }
  // Into a pipe the archive is all that is said: it may be the output of this command.
  if (keep) output.result({ file }, `${id} is in ${file}`);
}

/** A file has its name once it is whole. A pipe, a device and the standard output stay what they are. */
async function targetOf(file: string): Promise<Target> {
  if (file === '-') return { stream: process.stdout };
  const isOther = await stat(file).then(
    (found) => !found.isFile(),
    () => false,
  );
  if (isOther) return { stream: (await open(file, 'w')).createWriteStream() };
  const part = `${file}.part`;
  // The file exists before anything can end the stream: a stream that is still opening it makes it after its removal.
  const handle = await open(part, 'w', 0o600);
  return {
    stream: handle.createWriteStream(),
    keep: () => rename(part, file),
    drop: () => rm(part, { force: true }),
  };
}

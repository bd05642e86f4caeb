import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { Context } from '../context';
import type { Runner } from '../runner';
import { CommandFailure } from '../terminal/failure';

/** `postrider apps export` and `postrider apps import`: an application as one file. */
export function addArchives(apps: Command, run: Runner): void {
  apps
    .command('export <id> [file]')
    .description('Write an application to a file, without secrets and messages: <id>.ndjson.gz')
    .action(run((context, _options, id: string, file?: string) => exportTo(context, id, file ?? `${id}.ndjson.gz`)));
  apps
    .command('import <id> <file>')
    .description('Import an exported archive into an application. Existing objects stay as they are')
    .action(
      run(async (context, _options, id: string, file: string) => {
        const operator = await context.operator();
        const packed = file.endsWith('.gz') ? { contentEncoding: 'gzip' } : {};
        const result = await operator.importApplication(id, { path: file }, { signal: context.signal, ...packed });
        const { users, devices, segments, templates, kept } = result;
        const news = `${users} users, ${devices} devices, ${segments} segments and ${templates} templates`;
        const text = `${news} are new, ${kept} existed already`;
        context.output.result(result, text);
      }),
    );
}

/** The file has its name once it is whole. */
async function exportTo({ output, signal, operator }: Context, id: string, file: string): Promise<void> {
  const answer = await (await operator()).exportApplication(id, { signal });
  if (answer.body === null) throw new CommandFailure('The gateway sent nothing');
  const part = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(part, { mode: 0o600 }), {
      signal,
    });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  output.result({ file }, `${id} is in ${file}`);
}

import type { Schemas } from '@postrider/server';
import type { Command } from 'commander';
import type { Runner } from '../runner';
import { CommandFailure } from '../terminal/failure';
import { defined, readJson, readJsonFile } from './message-options';

interface CountOptions {
  segment?: string;
  target?: unknown;
  file?: string;
  channel?: string;
  users?: boolean;
}

/** `postrider segments`. */
export function addSegments(program: Command, run: Runner): void {
  const segments = program
    .command('segments')
    .description('List saved segments, and count the devices that rules select');
  segments
    .command('list')
    .description('The saved segments, with the sizes that were measured last')
    .action(
      run(async (context) => {
        const postrider = await context.application();
        const found: Schemas.SegmentResponse[] = [];
        for await (const segment of postrider.listSegments({}, { signal: context.signal })) found.push(segment);
        context.output.table(
          found,
          ['SEGMENT', 'DEVICES', 'REACHABLE', 'NAME'],
          found.map(({ id, name, size }) => [id, size?.devices, size?.reachable, name]),
        );
      }),
    );
  segments
    .command('count')
    .description('Count the devices that match, and those of them that a message would reach')
    .option('--segment <id>', 'a saved segment')
    .option('--target <json>', 'properties of devices, such as {"deviceType":"ios"}', readJson)
    .option('-f, --file <path>', 'a file with a request as JSON, with segment or target; - is the standard input')
    .option('--channel <name>', 'members of this channel only')
    .option('--users', 'count their users too (slower)')
    .action(
      run(async (context, { segment, target, file, channel, users }: CountOptions) => {
        const given = file === undefined ? {} : await readJsonFile(file);
        const rules = defined({ segment: segment === undefined ? undefined : { id: segment }, target });
        const body = { ...given, ...rules, ...defined({ channel, users }) };
        if (!('segment' in body) && !('target' in body)) {
          throw new CommandFailure('Which devices? Give --segment, --target or --file');
        }
        const postrider = await context.application();
        const counted = await postrider.countGroup(body, { signal: context.signal });
        const people = counted.users === undefined ? [] : [`${counted.users} users`];
        const lines = [`${counted.devices} devices match`, `${counted.count} would get a message`, ...people];
        context.output.result(counted, lines);
      }),
    );
}

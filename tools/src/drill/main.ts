import { Simulator } from '../start/simulator';
import { Arrivals } from './arrivals';
import { type DrillSystem, startDrillSystem } from './drill-system';
import { explainMissing } from './explain-missing';
import { type Fault, faultsOf, numbersFrom } from './faults';
import { Load } from './load';
import { openWork } from './open-work';
import { type DrillWords, HELP, readWords } from './read-words';
import { type Tally, tally } from './tally';

const MESSAGES_A_SECOND = 20;
const CAMPAIGN_EVERY_MS = 15_000;
/** Between two faults: from, and up to. */
const FAULT_AFTER_MS = [4_000, 10_000] as const;
const LATE_AFTER_MS = 10_000;
/** After the last fault everything has to be sent within this. */
const SETTLE_WITHIN_MS = 120_000;
/** The largest number of messages that are named one by one. */
const MOST_NAMED = 10;
/** The largest inbox of the simulator. */
const INBOX = 100_000;

/** A shell's exit code for "ended by SIGINT". */
const INTERRUPTED = 130;

/** Resolves with null at the first SIGINT or SIGTERM, so that what was started is stopped and no disk stays mounted. */
function interruption(): Promise<null> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(null));
  });
}

/** Returns the words of the command, or the exit code after it has said what they may be. */
function readWordsOrSay(): DrillWords | number {
  try {
    const words = readWords(process.argv.slice(2));
    if (words !== 'help') return words;
    console.log(HELP);
    return 0;
  } catch (error) {
    // A stack would say nothing to whoever wrote a word wrong.
    console.error((error as Error).message);
    return 1;
  }
}

/** `npm run drill`. Ends with 1 when a message is missing, or one came that was not sent to the device. */
async function main(): Promise<number> {
  const words = readWordsOrSay();
  if (typeof words === 'number') return words;
  const { minutes, seed, devices, only = '', single, keep } = words;
  const interrupted = interruption();
  const drill = await startDrillSystem(devices, !single);
  try {
    if (drill.clocks === null) console.log('No clock jumps: libfaketime is not installed (Debian package "faketime").');
    if (drill.disk === null) console.log('No disk is filled: only root on Linux can mount a small one.');
    else if (drill.redisDisk === null) console.log('The disk of Redis is not filled: that takes a redis-server.');
    const faults = faultsOf(!single, drill).filter(({ name }) => name.includes(only));
    if (faults.length === 0) throw new Error(`There is no fault "${only}" on this machine.`);
    const running = run(drill, faults, minutes * 60_000, numbersFrom(seed));
    const found = await Promise.race([running, interrupted]);
    if (found === null) return INTERRUPTED;
    print(found);
    await explain(drill, found);
    return isInOrder(found) ? 0 : 1;
  } finally {
    await drill.stop(keep);
    if (keep) console.log(`The logs are in ${drill.system.logFolder}.`);
  }
}

async function explain({ databaseUrl }: DrillSystem, { missing, unasked }: Tally): Promise<void> {
  for (const { messages, fate } of await explainMissing(databaseUrl, missing))
    console.log(`${messages} missing: ${fate}`);
  for (const { text, token } of unasked.slice(0, MOST_NAMED)) console.log(`Not sent to ${token}: ${text}`);
}

function isInOrder({ sent, missing, unasked }: Tally): boolean {
  return sent > 0 && missing.length === 0 && unasked.length === 0;
}

async function run(drill: DrillSystem, faults: Fault[], forMs: number, random: () => number): Promise<Tally> {
  const simulator = new Simulator(drill.system.simulatorUrl);
  await simulator.configure({ inboxSize: INBOX, latencyMs: 20 });
  const load = new Load(drill);
  const arrivals = new Arrivals(simulator, drill.devices);
  const beganAt = Date.now();
  arrivals.begin();
  load.begin(MESSAGES_A_SECOND, CAMPAIGN_EVERY_MS);
  const breakThings = async (): Promise<void> => {
    while (Date.now() - beganAt < forMs) {
      const [least, most] = FAULT_AFTER_MS;
      await new Promise((later) => setTimeout(later, least + random() * (most - least)));
      const fault = faults[Math.floor(random() * faults.length)] as Fault;
      console.log(`${secondsSince(beganAt, Date.now())}  ${fault.name}`);
      await fault.inject(drill);
    }
  };
  await Promise.race([breakThings(), load.refused]);
  await load.end();
  await untilSettled(drill);
  await arrivals.end();
  const found = tally(load.sent, await arrivals.all(), LATE_AFTER_MS);
  const { stoodStillAt } = found;
  if (stoodStillAt !== null) console.log(`The longest standstill began at ${secondsSince(beganAt, stoodStillAt)}.`);
  return found;
}

/** Waits until no work is left, also none that would send a message once more; or for as long as it may take. */
async function untilSettled({ databaseUrl }: DrillSystem): Promise<void> {
  const deadline = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    // It may be starting again.
    const open = await openWork(databaseUrl).catch(() => null);
    if (open?.messages === 0 && open.pages === 0) return;
    if (Date.now() > deadline) {
      const left = open === null ? 'PostgreSQL does not answer' : `${open.messages} messages, ${open.pages} pages`;
      console.log(`Work is left after ${SETTLE_WITHIN_MS / 1_000} s: ${left}.`);
      return;
    }
    await new Promise((later) => setTimeout(later, 1_000));
  }
}

function secondsSince(begin: number, moment: number): string {
  return `${((moment - begin) / 1_000).toFixed(1).padStart(6)} s`;
}

function print({ sent, missing, repeated, unasked, late, stoodStillMs }: Tally): void {
  console.log(
    `${sent} sent: ${missing.length} missing, ${repeated} repeated, ${unasked.length} not sent to the device, ` +
      `${late} later than ${LATE_AFTER_MS / 1_000} s, ` +
      `stood still for ${(stoodStillMs / 1_000).toFixed(1)} s at most`,
  );
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    process.exit(1);
  },
);

import { parseArgs } from 'node:util';
import { acceptRow } from './accept.row';
import type { BenchResult, BenchRow } from './bench-row';
import { countRow } from './count.row';
import { eventsRow } from './events.row';
import { importRow } from './import.row';
import { fanOutRow } from './fan-out.row';
import { firstPushRow } from './first-push.row';
import { mixedRow } from './mixed.row';
import { pacedRow } from './paced.row';
import { workersRow } from './workers.row';
import { mqttHeldRow } from './mqtt-held.row';
import { mqttBroadcastRow } from './mqtt-broadcast.row';
import { mqttRow } from './mqtt.row';
import { trackerRow } from './tracker.row';
import { neighbourRow } from './neighbour.row';
import { pagesRow } from './pages.row';
import { peerRow } from './peer.row';
import { promoRow } from './promo.row';
import { cappedRow } from './capped.row';
import { languagesRow } from './languages.row';
import { personalRow } from './personal.row';
import { registerRow } from './register.row';
import { singlesRow } from './singles.row';

const ROWS: readonly BenchRow[] = [
  acceptRow,
  singlesRow,
  mixedRow,
  fanOutRow,
  firstPushRow,
  peerRow,
  workersRow,
  pacedRow,
  personalRow,
  cappedRow,
  languagesRow,
  countRow,
  neighbourRow,
  promoRow,
  importRow,
  eventsRow,
  trackerRow,
  mqttRow,
  mqttHeldRow,
  mqttBroadcastRow,
  pagesRow,
  registerRow,
];

const USAGE = 'npm run bench [-- [--only <row>] [--json]]';

/** `npm run bench [-- --only <row>] [--json]`: the speed table, each row beside its yardstick in this very run. */
async function main(): Promise<void> {
  const { rows, isJson } = readCommand();
  const results: BenchResult[] = [];
  for (const row of rows) {
    console.error(`${row.name}: ${row.about}`);
    const result = await row.run((line) => console.error(`  ${line}`));
    results.push(result);
    if (isJson) console.log(JSON.stringify(result));
  }
  if (!isJson) printTable(results);
}

/** What the command line asks for. If it asks for what there is not, the process ends with one line that says so. */
function readCommand(): { rows: readonly BenchRow[]; isJson: boolean } {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'boolean', default: false } } });
    const rows = values.only === undefined ? ROWS : ROWS.filter(({ name }) => name === values.only);
    if (rows.length > 0) return { rows, isJson: values.json };
    throw new Error(`There is no row "${values.only}". Rows: ${ROWS.map(({ name }) => name).join(', ')}`);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(1);
  }
}

function printTable(results: readonly BenchResult[]): void {
  console.log(
    `\n${'row'.padEnd(12)}${'ours'.padStart(12)}${'yardstick'.padStart(12)}  ${'unit'.padEnd(12)}${'ratio'.padStart(7)}  goal`,
  );
  for (const { row, ours, yardstick, unit, ratio, goal, met, further } of results) {
    const numbers = `${ours.toLocaleString('en').padStart(12)}${yardstick.toLocaleString('en').padStart(12)}`;
    console.log(
      `${row.padEnd(12)}${numbers}  ${unit.padEnd(12)}${ratio.toFixed(2).padStart(7)}  ${goal} ${met ? 'met' : 'NOT MET'}`,
    );
    if (further === undefined) continue;
    const beside = further.yardstick.toLocaleString('en').padStart(24);
    console.log(
      `${''.padEnd(12)}${beside}  ${unit.padEnd(12)}${further.ratio.toFixed(2).padStart(7)}  ${further.about}`,
    );
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    process.exit(1);
  },
);

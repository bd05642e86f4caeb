import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, type BenchRow } from './bench-row';
import { AedesProcess } from './mqtt/aedes-process';
import { startConnectedCrowd } from './mqtt/connected-crowd';
import { CrowdProcess } from './mqtt/crowd-process';

const DEVICES = 15_000;
const HUNDRED_MIB = 100 * 1024;
/** How long it takes until the memory that connecting used is collected. */
const SETTLE_MS = 5_000;

/** Connected devices for 100 MiB of the process that holds them; and how quickly a message reaches all of them. */
export const mqttHeldRow: BenchRow = {
  name: 'mqtt-held',
  about: `${DEVICES} idle connected devices for 100 MiB of memory, beside a bare aedes; and one message to all of them`,
  run: async (progress) => {
    const theirs = await heldByAedes();
    progress(`aedes: ${theirs.toFixed(0)} devices for 100 MiB`);
    const ours = await startConnectedCrowd(DEVICES);
    try {
      await pause(SETTLE_MS);
      const held = DEVICES / (residentKib(ours.bench.system.pidOf('device-edge') ?? 0) / HUNDRED_MIB);
      const begun = performance.now();
      const body = { user: '*', content: 'To everybody' };
      await ours.server.call('POST', '/api/push/toUsers', body);
      await ours.crowd.until(DEVICES);
      progress(
        `one message to ${DEVICES} devices in ${Math.round(performance.now() - begun)} ms, from the call to the last of them`,
      );
      return atLeast(1, 'mqtt-held', 'devices', held, theirs);
    } finally {
      await ours.stop();
    }
  },
};

async function heldByAedes(): Promise<number> {
  const aedes = await AedesProcess.start();
  const members = Array.from({ length: DEVICES }, (_, n) => ({ clientId: `crowd-${n}`, topic: 'all' }));
  const crowd = await CrowdProcess.start(aedes.port, 'nobody', members);
  try {
    await pause(SETTLE_MS);
    return DEVICES / (residentKib(aedes.pid) / HUNDRED_MIB);
  } finally {
    crowd.stop();
    aedes.stop();
  }
}

/** Returns the memory of a process, in KiB. */
function residentKib(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../embedded/temporary-folder';
import { FakeClocks } from './fake-clocks';

const HOUR_MS = 3_600_000;
const SCRIPT = `setInterval(() => console.log(JSON.stringify([Date.now(), performance.now()])), 50)`;

describe('clocks that jump', () => {
  it('are put forward and right again while the process runs, and only its time of day (skipped without libfaketime)', async () => {
    const folder = await temporaryFolder('clocks');
    const clocks = await FakeClocks.find(folder);
    if (clocks === null) return;
    const env = { ...process.env, ...(await clocks.environmentOf('node')) };
    const child = spawn(process.execPath, ['-e', SCRIPT], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const lines = createInterface({ input: child.stdout });
      const offBy = async (): Promise<number> => {
        const [line] = (await once(lines, 'line')) as [string];
        const [now] = JSON.parse(line) as [number, number];
        return Math.round((now - Date.now()) / HOUR_MS);
      };
      while ((await offBy()) !== 0);
      await clocks.jump('node', 3_600, async () => {
        while ((await offBy()) !== 1);
      });
      while ((await offBy()) !== 0);
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});

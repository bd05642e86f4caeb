import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { PROGRESS_FD, type SandboxRequest } from './sandbox-protocol';
import { TemplateWork } from './template-work';

/** Without its parent this process has nothing to do, but during an endless computation it does not notice that. */
const ENDS_WITH_PARENT = `
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500);
`;

const work = new TemplateWork((index) => {
  try {
    writeSync(PROGRESS_FD, Buffer.of(index + 1));
  } catch {
    // Nobody reads it any more, or not fast enough. It only tells where this process was when it was lost.
  }
});

// The parent is told to stop at the same moment, and decides when this process ends.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (request: SandboxRequest) => process.send?.(work.answer(request)));
new Worker(ENDS_WITH_PARENT, { eval: true }).unref();
process.send?.('ready');

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CrowdMember } from './crowd';

/** A crowd of devices in a process of its own. */
export class CrowdProcess {
  #received = 0;
  readonly #waiting: { count: number; resolve: () => void }[] = [];

  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when all of them are connected and have subscribed. */
  static async start(port: number, token: string, members: readonly CrowdMember[]): Promise<CrowdProcess> {
    const child = spawn(process.execPath, [join(__dirname, 'crowd.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
    const crowd = new CrowdProcess(child);
    child.stdin.end(JSON.stringify({ port, token, members }));
    await new Promise<void>((ready, fail) => {
      child.once('exit', (code) => fail(new Error(`The crowd ended with ${code}`)));
      createInterface(child.stdout).on('line', (line) => (line === 'connected' ? ready() : crowd.#heard(Number(line))));
    });
    return crowd;
  }

  get received(): number {
    return this.#received;
  }

  /** Resolves when this many messages have come in all. */
  until(count: number): Promise<void> {
    if (this.#received >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  stop(): void {
    this.child.removeAllListeners('exit');
    this.child.kill('SIGKILL');
  }

  #heard(received: number): void {
    this.#received = received;
    for (const one of this.#waiting) if (received >= one.count) one.resolve();
  }
}

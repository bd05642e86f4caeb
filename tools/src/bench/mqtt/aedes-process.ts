import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A bare aedes in a process of its own. */
export class AedesProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(): Promise<AedesProcess> {
    const child = spawn(process.execPath, [join(__dirname, '..', 'yardsticks', 'bare-aedes.js')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return new AedesProcess(child, Number(line.toString()));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  publish(topic: string, times: number, payload: string): void {
    this.child.stdin?.write(`${topic} ${times} ${payload}\n`);
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { backoffMs } from '@postrider/domain';
import { LogFile } from './log-file';

/** How to run one of the apps. */
interface AppToRun {
  name: string;
  /** The Node.js that runs it; left out: the one that runs this. */
  node?: string | undefined;
  /** The program, relative to the workspace. */
  script: string;
  env: NodeJS.ProcessEnv;
  /** Settings of Node.js itself. */
  nodeFlags?: readonly string[];
  /** Answers 200 when the app is ready. */
  readyUrl: string;
}

/** Scripts that are loaded before each program: the built files, also if this one runs from source. */
const PRELOADED = ['die-with-parent.js', 'keep-compiled.js'].map((name) =>
  join(__dirname, '..', '..', 'dist', 'start', name),
);
const STOP_TIMEOUT_MS = 25_000;
/** Only ends a start that hangs: a busy machine takes over a minute for several processes. */
const READY_TIMEOUT_MS = 300_000;
const RESTARTS = { firstMs: 500, maxMs: 30_000 };
/** A process that ran for this long ends a series of crashes. */
const RAN_WELL_MS = 60_000;
/** Somebody ended it: it did not crash. */
const ENDED_BY_OTHERS = new Set<NodeJS.Signals | null>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/**
 * One of Postrider's processes: its output goes to a log file. If it dies without being asked to, it is started again,
 * as Kubernetes would do, after longer and longer times if it dies again and again. A process that dies before it was
 * ever ready stays down: it would only die again.
 */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private stopping = false;
  private wasReady = false;
  private readonly log: LogFile;
  private lastOutput = '';
  /** Why it could not be started. */
  private failure: string | null = null;
  private startedAt = 0;
  /** How often in a row it died soon after its start. */
  private crashes = 0;

  /** @param later calls a function after a time, instead of `setTimeout` */
  constructor(
    private readonly app: AppToRun,
    logFolder: string,
    private readonly later: (work: () => void, ms: number) => unknown = setTimeout,
  ) {
    this.log = new LogFile(join(logFolder, `${app.name}.log`));
    this.launch();
  }

  /**
   * Resolves when the app answers that it is ready.
   *
   * @throws Error with its last output if it stops or takes too long
   */
  async untilReady(): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (performance.now() < deadline) {
      const how = this.#howItEnded();
      if (how !== null) throw new Error(`${this.app.name} stopped (${how}):\n${this.lastOutput.trim()}`);
      const answer = await fetch(this.app.readyUrl, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
      if (answer?.ok) {
        this.wasReady = true;
        return;
      }
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error(`${this.app.name} is not ready after ${READY_TIMEOUT_MS / 1_000} s:\n${this.lastOutput.trim()}`);
  }

  /** Returns null while it runs. A process that a signal ended has no exit code. */
  #howItEnded(): string | null {
    const { exitCode = null, signalCode = null } = this.child ?? {};
    return this.failure ?? signalCode ?? (exitCode === null ? null : `exit code ${exitCode}`);
  }

  /** Its process id, while it runs. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Kills the app without warning, or with another signal. It is started again. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child?.kill(signal);
  }

  /** Asks the app to stop, waits, and kills it when it does not. */
  async stop(): Promise<void> {
    this.stopping = true;
    const child = this.child;
    if (!child || this.#howItEnded() !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.kill('SIGTERM');
    await gone;
    clearTimeout(killTimer);
    this.log.end();
  }

  /** Detached, so that Ctrl-C reaches only the parent; the IPC channel tells the child when the parent is gone. */
  private launch(): void {
    const preloaded = PRELOADED.flatMap((file) => ['--require', file]);
    const flags = [...(this.app.nodeFlags ?? []), ...preloaded, '--enable-source-maps'];
    const words = [...flags, this.app.script];
    const child = spawn(this.app.node ?? process.execPath, words, {
      env: this.app.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child = child;
    this.failure = null;
    this.startedAt = performance.now();
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: Buffer) => {
        this.log.write(text);
        this.lastOutput = (this.lastOutput + text.toString()).slice(-2_000);
      });
    }
    child.once('exit', (code, signal) => this.onExit(signal ?? `exit code ${code}`, ENDED_BY_OTHERS.has(signal)));
    child.on('error', (error) => {
      // Other errors are about a signal or the IPC channel of a process that runs.
      if (child.pid === undefined) this.onExit((this.failure = error.message), false);
    });
  }

  private onExit(how: string, wasEnded: boolean): void {
    if (this.stopping || !this.wasReady) return;
    const isCrash = !wasEnded && performance.now() - this.startedAt < RAN_WELL_MS;
    this.crashes = isCrash ? this.crashes + 1 : 0;
    const delayMs = backoffMs(RESTARTS, Math.max(1, this.crashes));
    console.error(`${this.app.name} stopped (${how}) and is started again in ${delayMs / 1_000} s.`);
    this.later(() => {
      if (!this.stopping) this.launch();
    }, delayMs);
  }
}

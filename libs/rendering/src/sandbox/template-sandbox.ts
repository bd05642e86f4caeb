import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { MINUTE_MS } from '@postrider/domain';
import { SANDBOX_FILE } from './sandbox-file';
import { PROGRESS_FD, type RenderRequest, type SandboxAnswer, type SandboxRequest } from './sandbox-protocol';

/** The memory limits of a sandbox: parsed templates, and the data of one request. */
const MEMORY = ['--max-old-space-size=128', '--max-semi-space-size=16'];
/** The time limit for loading its sources, on a busy machine. */
const STARTS_WITHIN_MS = MINUTE_MS;
/** How many characters of templates a sandbox keeps parsed. */
const KEPT_CHARACTERS = 262_144;

/** A sandbox ended in the middle of a request. */
export class SandboxLost extends Error {
  constructor(
    /** The text or person of the request that it was at; -1: none yet. */
    readonly index: number,
    readonly reason: string,
    /** True if somebody else killed the process, such as the kernel when memory is short: the request may be innocent. */
    readonly isFromOutside: boolean,
  ) {
    super(`A template sandbox was lost: ${reason}`);
    this.name = 'SandboxLost';
  }
}

/** A program that is rendered for many people, as sandboxes know it. */
export interface LoadedProgram {
  readonly name: number;
  /** Total length of all its texts. */
  readonly length: number;
  readonly load: NonNullable<RenderRequest['load']>;
}

interface Pending {
  resolve(answer: SandboxAnswer): void;
  reject(error: Error): void;
}

/**
 * One process that parses and renders callers' templates. It answers one request at a time, and has no secret or other
 * data of the service. A template that never ends is stopped by killing the process, and one that takes too much memory
 * crashes it. A thread is not enough: running out of memory can crash the whole process.
 */
export class TemplateSandbox {
  readonly #child: ChildProcess;
  readonly #progressPipe: Readable;
  readonly #known = new Map<number, number>();
  readonly #startTimer: NodeJS.Timeout;
  #watch: SandboxWatch | null = null;
  #pending: Pending | null = null;
  #isReady = false;
  #progress = 0;
  #reason: string | null = null;

  /** @param ended called once, when the process is gone */
  constructor(ended: () => void) {
    this.#child = fork(SANDBOX_FILE, [], {
      env: {},
      execArgv: MEMORY,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
    });
    this.#progressPipe = this.#child.stdio[PROGRESS_FD] as Readable;
    this.#progressPipe.on('data', (bytes: Buffer) => (this.#progress = bytes.at(-1) ?? 0));
    this.#progressPipe.on('error', () => undefined);
    this.#child.on('message', (message) => this.#receive(message));
    this.#child.on('error', (error) => (this.#reason ??= error.message));
    this.#child.on('close', (_code, signal) => {
      this.#lose(signal);
      ended();
    });
    this.#startTimer = setTimeout(() => this.#kill('did not start'), STARTS_WITHIN_MS).unref();
    this.#keepsParent(false);
  }

  /**
   * Renders a program for some people, and loads it if necessary. @throws SandboxLost @throws Error if it did not start
   */
  render(
    program: LoadedProgram,
    request: Pick<RenderRequest, 'people' | 'now' | 'collectsMissing'>,
  ): Promise<SandboxAnswer> {
    const isKnown = this.#known.delete(program.name);
    this.#known.set(program.name, program.length);
    const load = isKnown ? null : program.load;
    return this.ask({ ...request, kind: 'render', program: program.name, load, forget: this.#forget() });
  }

  /** @throws SandboxLost @throws Error if it did not start */
  ask(request: SandboxRequest): Promise<SandboxAnswer> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#keepsParent(true);
      if (this.#isReady) this.#startWatch();
      this.#child.send(request, (error) => {
        // The process is gone: how it ended says why.
        if (error !== null) this.#child.kill('SIGKILL');
      });
    });
  }

  /** Ends the process. Its current request is lost. */
  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      this.#kill('was ended');
    });
  }

  /** Evicts the least recently used programs, except the one in use. */
  #forget(): number[] {
    const [newest, ...others] = [...this.#known].reverse();
    let length = newest?.[1] ?? 0;
    const forgotten = others.filter(([, itsLength]) => (length += itsLength) > KEPT_CHARACTERS).map(([name]) => name);
    for (const name of forgotten) this.#known.delete(name);
    return forgotten;
  }

  #receive(message: unknown): void {
    if (this.#isReady) {
      this.#settle()?.resolve(message as SandboxAnswer);
      return;
    }
    this.#isReady = true;
    clearTimeout(this.#startTimer);
    if (this.#pending !== null) this.#startWatch();
  }

  #startWatch(): void {
    const { pid } = this.#child;
    this.#watch = new SandboxWatch(
      pid ?? 0,
      () => this.#progress,
      () => this.#kill('takes too long'),
    );
  }

  #kill(reason: string): void {
    this.#reason ??= reason;
    this.#child.kill('SIGKILL');
  }

  #lose(signal: NodeJS.Signals | null): void {
    clearTimeout(this.#startTimer);
    const isFromOutside = this.#reason === null && signal === 'SIGKILL';
    const reason = this.#reason ?? (signal === 'SIGABRT' ? 'takes too much memory' : 'was ended');
    const error = this.#isReady
      ? new SandboxLost(this.#progress - 1, reason, isFromOutside)
      : new Error(`A template sandbox ${reason} before it was ready`);
    this.#settle()?.reject(error);
  }

  #settle(): Pending | null {
    this.#watch?.end();
    this.#watch = null;
    const pending = this.#pending;
    this.#pending = null;
    this.#keepsParent(false);
    return pending;
  }

  /** An idle sandbox does not keep its parent process alive. */
  #keepsParent(keeps: boolean): void {
    const change = keeps ? 'ref' : 'unref';
    this.#child[change]();
    this.#child.channel?.[change]();
    (this.#progressPipe as Readable & { ref(): void; unref(): void })[change]();
  }
}

/** How often the progress of a sandbox is checked. */
const LOOK_EVERY_MS = 50;
/** A text takes a millisecond. One that is still running after this many checks and this much computing never ends. */
const MOST_LOOKS = 20;
const MOST_CPU_MS = 800;
/** If the computing time is not available, elapsed time is used. */
const MOST_LOOKS_ALONE = 200;
/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;

/**
 * Watches a working process, and tells if it has been at the same place for too long. Computing time counts, because a
 * process that gets no time on a busy machine has done nothing wrong.
 */
class SandboxWatch {
  readonly #timer: NodeJS.Timeout;
  #place = -1;
  #looks = 0;
  #cpuMs: number | null = null;

  constructor(
    private readonly pid: number,
    private readonly placeOf: () => number,
    private readonly tooLong: () => void,
  ) {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const place = this.placeOf();
    if (place !== this.#place) {
      this.#place = place;
      this.#looks = 0;
      this.#cpuMs = cpuMsOf(this.pid);
    }
    this.#looks += 1;
    if (this.#looks > MOST_LOOKS && this.#hasComputed()) this.tooLong();
  }

  #hasComputed(): boolean {
    const cpuMs = cpuMsOf(this.pid);
    if (cpuMs === null || this.#cpuMs === null) return this.#looks > MOST_LOOKS_ALONE;
    return cpuMs - this.#cpuMs > MOST_CPU_MS;
  }
}

/** The computing time of a process, from proc(5). Null if there is no such file system. */
function cpuMsOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [, ...fields] = stat.slice(stat.lastIndexOf(')')).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}

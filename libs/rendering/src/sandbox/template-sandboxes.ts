import { type LoadedProgram, SandboxLost, TemplateSandbox } from './template-sandbox';
import type { Inspection, MadeTexts, RenderRequest } from './sandbox-protocol';

/** More would not help: requests to them are small, or blocked anyway. */
const MOST_SANDBOXES = 2;
/** A sandbox without requests for this long ends. */
const IDLE_MS = 30_000;

/**
 * The sandboxes of this process in which callers' templates are parsed and rendered, except plain ones. They start on
 * demand, do not keep the process alive, and are replaced if they are lost. Requests wait in order. A request whose sandbox
 * is killed from outside goes to another one, once.
 */
export class TemplateSandboxes {
  readonly #idle: TemplateSandbox[] = [];
  readonly #waiting: ((sandbox: TemplateSandbox) => void)[] = [];
  readonly #all = new Set<TemplateSandbox>();
  #idleTimer: NodeJS.Timeout | undefined;

  /** @throws SandboxLost @throws Error if no sandbox can be started */
  inspect(texts: readonly string[]): Promise<Inspection[]> {
    return this.#ask((sandbox) => sandbox.ask({ kind: 'inspect', texts })) as Promise<Inspection[]>;
  }

  /**
   * @returns the results for the first of the people, at least one @throws SandboxLost @throws Error if no sandbox can
   * be started
   */
  render(
    program: LoadedProgram,
    request: Pick<RenderRequest, 'people' | 'now' | 'collectsMissing'>,
  ): Promise<MadeTexts[]> {
    return this.#ask((sandbox) => sandbox.render(program, request)) as Promise<MadeTexts[]>;
  }

  /** How many sandboxes there are. */
  get size(): number {
    return this.#all.size;
  }

  /** Ends all sandboxes. Later requests start new ones. */
  async end(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#idle.length = 0;
    await Promise.all([...this.#all].map((sandbox) => sandbox.end()));
  }

  /** A sandbox that somebody else killed says nothing about the request: another one is asked, once. */
  async #ask<T>(work: (sandbox: TemplateSandbox) => Promise<T>): Promise<T> {
    try {
      return await this.#with(work);
    } catch (error) {
      if (!(error instanceof SandboxLost && error.isFromOutside)) throw error;
      return this.#with(work);
    }
  }

  async #with<T>(work: (sandbox: TemplateSandbox) => Promise<T>): Promise<T> {
    const sandbox = await this.#take();
    try {
      return await work(sandbox);
    } finally {
      this.#give(sandbox);
    }
  }

  #take(): TemplateSandbox | Promise<TemplateSandbox> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#all.size < MOST_SANDBOXES) return this.#start();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** One that was ended counts until it is gone, so that there are never too many. */
  #give(sandbox: TemplateSandbox): void {
    if (!this.#all.has(sandbox)) return;
    const next = this.#waiting.shift();
    if (next !== undefined) next(sandbox);
    else this.#idle.push(sandbox);
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => this.#endIdle(), IDLE_MS).unref();
  }

  #start(): TemplateSandbox {
    const sandbox: TemplateSandbox = new TemplateSandbox(() => this.#ended(sandbox));
    this.#all.add(sandbox);
    return sandbox;
  }

  #ended(sandbox: TemplateSandbox): void {
    this.#all.delete(sandbox);
    const place = this.#idle.indexOf(sandbox);
    if (place >= 0) this.#idle.splice(place, 1);
    const next = this.#waiting.shift();
    if (next !== undefined) next(this.#start());
  }

  #endIdle(): void {
    for (const sandbox of this.#idle.splice(0)) void sandbox.end();
  }
}

/** The sandboxes of this process. */
export const TEMPLATE_SANDBOXES = new TemplateSandboxes();

/* eslint-disable no-restricted-properties -- the command reads the environment of its process */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runProgram } from '../program';

/** A command in this process, beside a gateway that answers as a test says. The person who types has no profile. */
export class CommandWithGateway {
  answer: RequestListener = (_, response) => response.end();
  /** Ctrl-C. */
  readonly interrupted = new AbortController();
  out = '';
  err = '';
  readonly #profiles = process.env.POSTRIDER_PROFILES;

  private constructor(private readonly gateway: Server) {}

  static async start(): Promise<CommandWithGateway> {
    const gateway = createServer((request, response) => command.answer(request, response));
    const command = new CommandWithGateway(gateway);
    process.env.POSTRIDER_PROFILES = '/nowhere/profiles.json';
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
    return command;
  }

  stop(): void {
    this.gateway.close();
    this.gateway.closeAllConnections();
    if (this.#profiles === undefined) delete process.env.POSTRIDER_PROFILES;
    else process.env.POSTRIDER_PROFILES = this.#profiles;
  }

  /** Runs the command as an operator who has a token of the application too. @returns its exit code */
  run(...words: string[]): Promise<number> {
    const url = `http://127.0.0.1:${(this.gateway.address() as AddressInfo).port}`;
    const streams = {
      out: { write: (text: string | Uint8Array) => (this.out += Buffer.from(text).toString()) },
      err: { write: (text: string) => (this.err += text) },
    } as never;
    const token = 'a'.repeat(16);
    const program = ['--url', url, '--token', token, '--admin-token', token, ...words];
    return runProgram(program, { streams, signal: this.interrupted.signal }, '0');
  }
}

import { execFile, type ExecFileException } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Postrider } from '../support/postrider';

/** The published command. */
export const POSTRIDER = resolve(__dirname, '../../../libs/cli/bin/postrider.cjs');

/** How a command ended, and what it wrote. */
export interface Ended {
  exitCode: number;
  out: string;
  err: string;
}

/** A running Postrider, and the command line of a person who has the profile `shop` for it. */
export class CommandLine {
  private constructor(
    readonly postrider: Postrider,
    /** The home of that person. */
    readonly folder: string,
    readonly env: Record<string, string>,
  ) {}

  /** Makes an application `shop`, whose user `ada` has one device with Android. */
  static async start(postrider: Postrider): Promise<CommandLine> {
    const folder = mkdtempSync(join(tmpdir(), 'postrider-cli-'));
    const env = { POSTRIDER_PROFILES: join(folder, 'config/profiles.json'), HOME: folder };
    const line = new CommandLine(postrider, folder, env);
    const app = await postrider.createApplication('shop');
    await app.client.call('POST', '/api/installations', { userId: 'ada', deviceType: 'android', deviceToken: 'ada-1' });
    const where = ['--url', postrider.system.gatewayUrl, '--app', 'shop'];
    await line.run('profiles', 'set', 'shop', ...where, '--token', app.serverToken);
    await line.run('profiles', 'set', 'shop', '--admin-token', postrider.adminToken);
    return line;
  }

  /** Removes the home of the person. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  run(...words: string[]): Promise<Ended> {
    return runIn(this.env, words);
  }

  /** Runs the command with `--json`. Expects that it succeeds. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test looks into whatever came
  async json<Value = any>(...words: string[]): Promise<Value> {
    const { exitCode, out, err } = await this.run('--json', ...words);
    expect([exitCode, err]).toEqual([0, '']);
    return JSON.parse(out) as Value;
  }

  /** Writes a file. @returns its path */
  file(name: string, text: string | Buffer): string {
    writeFileSync(join(this.folder, name), text);
    return join(this.folder, name);
  }
}

/** Runs the command in an environment of its own. */
export function runIn(env: Record<string, string>, words: readonly string[], input = ''): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [POSTRIDER, ...words],
      { env: { PATH: process.env.PATH ?? '', ...env } },
      (error: ExecFileException | null, out, err) =>
        done({ exitCode: error === null ? 0 : Number(error.code), out, err }),
    );
    // A command that ends without reading its input closes the pipe.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** Waits until a server listens. @returns its address */
export async function addressOf(server: Server): Promise<string> {
  if (!server.listening) await new Promise((listening) => server.once('listening', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

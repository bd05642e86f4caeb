import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

const SCRIPT = join(__dirname, '../../../libs/client/example/build.mjs');
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** The client's example page, bundled as an application would be, on an address of its own. */
export interface ExampleSite {
  url: string;
  close(): Promise<void>;
}

/** Bundles the page with Vite and serves it. */
export async function startExample(): Promise<ExampleSite> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-example-'));
  await promisify(execFile)(process.execPath, [SCRIPT, folder]);
  const server: Server = createServer((request, answer) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname === '/' ? '/index.html' : pathname;
    readFile(join(folder, path)).then(
      (bytes) => answer.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(bytes),
      () => answer.writeHead(404).end(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A notification as the browser tells it. Runs in the page. */
export interface ShownNotification {
  title: string;
  body: string;
  tag: string;
}

/** The example page, used as a person would. */
export class ExamplePage {
  constructor(readonly page: Page) {}

  /** Fills the form in and connects. @returns the installation's id */
  async connect(site: string, fields: Record<string, string>): Promise<string> {
    await this.page.goto(`${site}/?${new URLSearchParams(fields).toString()}`);
    await this.page.getByRole('button', { name: 'Connect' }).click();
    await this.untilConnected();
    return (await this.page.locator('#identity').textContent()) ?? '';
  }

  async untilConnected(): Promise<void> {
    await this.page
      .getByRole('status')
      .filter({ hasText: /^Connected as/ })
      .waitFor();
  }

  /** Waits until so many messages stand on the page. @returns what a person reads of them */
  async untilMessages(count: number): Promise<string[]> {
    await this.page
      .locator('#messages li')
      .nth(count - 1)
      .waitFor();
    const lines = await this.page.locator('#messages li').allInnerTexts();
    return lines.map((line) => line.replace(/\s*Open$/, ''));
  }

  /** Waits for a line of what happened. */
  async untilLogged(text: string): Promise<void> {
    await this.page.locator('#log li', { hasText: text }).first().waitFor();
  }

  async notifications(): Promise<ShownNotification[]> {
    return this.page.evaluate(async () => {
      const { navigator } = globalThis as unknown as {
        navigator: { serviceWorker: { ready: Promise<{ getNotifications(): Promise<ShownNotification[]> }> } };
      };
      const shown = await (await navigator.serviceWorker.ready).getNotifications();
      return shown.map(({ title, body, tag }) => ({ title, body, tag }));
    });
  }

  /** Presses the button beside a message. */
  async open(messageId: string): Promise<void> {
    await this.page.locator(`li[data-id="${messageId}"] button`).click();
  }
}

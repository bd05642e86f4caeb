import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the build of the panel lies, beside the gateway's own. */
export const PANEL_FOLDER = join(__dirname, '..', '..', '..', 'panel', 'dist');

/** What the build writes where a nonce belongs (apps/panel/vite.config.mjs). */
const PLACE_OF_NONCE = 'POSTRIDER_NONCE';

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Postrider</title></head>
<body><h1>The panel is not built</h1><p>Run <code>npx nx run-many -t build</code> and start the gateway again.</p></body></html>
`;

/** The panel's page, with a new nonce each time: its styles may be written under it, and no others. */
export class PanelPage {
  readonly #page: string | null;

  constructor(folder = PANEL_FOLDER) {
    const file = join(folder, 'index.html');
    this.#page = existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  get isBuilt(): boolean {
    return this.#page !== null;
  }

  /** The page and its content security policy. */
  render(): { html: string; policy: string } {
    const nonce = randomBytes(16).toString('base64');
    return { html: (this.#page ?? NOT_BUILT).replaceAll(PLACE_OF_NONCE, nonce), policy: policyOf(nonce) };
  }
}

/** Scripts and styles from here only, nothing inline but styles under the nonce, no frame around it, no form elsewhere. */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

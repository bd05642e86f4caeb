import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Controls } from '../controls';
import { escapeHtml, renderCards } from './cards';
import { PAGE_SCRIPT } from './page-script';
import { PAGE_STYLE } from './page-style';

/** Only the page's own style and script may load or run here, by their hashes. */
export const PAGE_HEADERS: OutgoingHttpHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hashOf(PAGE_STYLE)}'`,
    `script-src 'sha256-${hashOf(PAGE_SCRIPT)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/** Returns the inbox as a page: the messages that the vendors have accepted, kept up to date by a short script. */
export function renderPage(controls: Controls, cards: number): string {
  const messages = controls.messages({ limit: cards });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Postrider · what the vendors received</title>
<style>${PAGE_STYLE}</style>
</head>
<body data-generation="${controls.generation}" data-last="${messages[0]?.id ?? 0}" data-most="${cards}">
<main>
<header class="page">
  <h1>What the vendors received</h1>
  <p>Stand-ins for FCM, APNs and the others, on the real wire formats. A card appears here for each message they accept.</p>
  <p class="count" role="status"><output>${controls.accepted}</output> accepted <span class="live" hidden>not connected</span></p>
  ${phonesLine(controls)}
</header>
<search class="tools">
  <input type="search" id="search" placeholder="Search user, title, text, token" aria-label="Search the messages">
  <button type="button" id="clear">Clear</button>
</search>
<details class="faults"><summary>Faults</summary>
  <fieldset><legend>Switch on what the vendors do wrong</legend>${switches(controls)}</fieldset>
</details>
<ol id="cards" aria-label="Messages, newest first">${renderCards(messages)}</ol>
<p class="empty">Nothing yet. Send a message, and it will appear here by itself.</p>
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function phonesLine(controls: Controls): string {
  const { phones } = controls.phones();
  if (phones === 0) return '';
  return `<p>${phones.toLocaleString('en')} phones report what happens to their messages. Tap one, and it reports that too.</p>`;
}

function switches(controls: Controls): string {
  return controls
    .switches()
    .map(
      ({ name, label, isOn }) =>
        `<label><input type="checkbox" data-switch="${escapeHtml(name)}"${isOn ? ' checked' : ''}> ${escapeHtml(label)}</label>`,
    )
    .join('');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

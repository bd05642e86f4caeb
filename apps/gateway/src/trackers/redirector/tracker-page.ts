import { createHash } from 'node:crypto';

/** How long an app has to open before the page goes on. */
const WAIT_MS = 1_500;

/**
 * Tries the app once the page is loaded, and goes on if the page is still visible a while after that. The wait begins with the try:
 * a try that came after it would end the navigation to the fallback, and the page would stay. Links are in
 * attributes, never in the script: the script is the same for every click, and the policy allows this text only.
 */
const SCRIPT =
  `(function(){var a=document.getElementById('open'),f=document.getElementById('next'),gone=false;` +
  `function leave(){gone=true}` +
  `document.addEventListener('visibilitychange',function(){if(document.hidden)leave()});` +
  `window.addEventListener('pagehide',leave);` +
  `function next(){if(!gone&&!document.hidden)location.replace(f.href)}` +
  `function open(){location.href=a.getAttribute('data-link');if(f)setTimeout(next,${WAIT_MS})}` +
  `window.addEventListener('load',function(){setTimeout(open,0)})})()`;

const STYLE =
  `body{font:17px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;` +
  `background:#f6f7f9;color:#1a1d21}main{padding:2rem;max-width:26rem;text-align:center}h1{font-size:1.35rem;margin:0 0 .5rem}` +
  `a{display:block;margin:1rem 0 0;padding:.75rem 1rem;border-radius:.6rem;text-decoration:none;color:#1a4fd6}` +
  `a.first{background:#1a4fd6;color:#fff}p{margin:.5rem 0;color:#4d545c}` +
  `@media(prefers-color-scheme:dark){body{background:#14171a;color:#eef0f2}p{color:#b4bac1}a{color:#8fb0ff}}`;

/**
 * The policy of every page here: nothing is loaded, framed or sent anywhere, and only our own script and style apply.
 */
export const PAGE_POLICY =
  `default-src 'none'; script-src '${digest(SCRIPT)}'; style-src '${digest(STYLE)}'; base-uri 'none'; ` +
  `form-action 'none'; frame-ancestors 'none'`;

/**
 * The page that tries to open an app.
 *
 * @param link where the script goes; on Android an intent
 * @param shown the link that a person can click
 * @param fallback where the page goes if the app does not open; a browser without scripts goes there at once
 */
export function openingPage({ link, shown, fallback }: OpeningPage): string {
  const next = fallback === null ? '' : `<a id="next" href="${escapeHtml(fallback)}">Continue without the app</a>`;
  const refresh =
    fallback === null ? '' : `<noscript><meta http-equiv="refresh" content="0;url=${escapeHtml(fallback)}"></noscript>`;
  return page(
    'Opening the app…',
    refresh,
    `<h1>Opening the app…</h1><a class="first" id="open" href="${escapeHtml(shown)}" data-link="${escapeHtml(link)}">Open the app</a>` +
      `${next}<script>${SCRIPT}</script>`,
  );
}

/** The links of an opening page. */
interface OpeningPage {
  link: string;
  shown: string;
  fallback: string | null;
}

/** The page for a link that leads nowhere. */
export const NOT_FOUND_PAGE = page(
  'Link not found',
  '',
  '<h1>This link leads nowhere</h1><p>It may have been removed, or a part of the address is missing.</p>',
);

function page(title: string, head: string, body: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">` +
    `<meta name="referrer" content="no-referrer">${head}<style>${STYLE}</style></head><body><main>${body}</main></body></html>`
  );
}

/** Text inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`=]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}

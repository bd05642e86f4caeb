import type { InboxMessage } from '../../inbox/inbox';
import type { ReportKind } from '../../phones/plan-reports';
import { readShownMessage } from '../../phones/shown-message';
import type { VendorApiName } from '../../vendors/vendor-api';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it may stand in HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const SHOWN_OF_TOKEN = 10;

const VENDOR_NAMES: Partial<Record<VendorApiName, string>> = {
  fcm: 'FCM',
  apns: 'APNs',
  hms: 'Huawei',
  webpush: 'Web Push',
  twilio: 'Twilio SMS',
  kavenegar: 'Kavenegar SMS',
  sms: 'SMS',
};

/** Messages as notification cards, newest first. Whatever they contain is text. */
export function renderCards(messages: readonly InboxMessage[]): string {
  return messages.map(card).join('');
}

function card(message: InboxMessage): string {
  const { id, vendor, token, title, body, acceptedAt, userId } = message;
  const silent = title === '' && body === '';
  return `<li class="card" data-id="${id}" data-vendor="${escapeHtml(vendor)}">
  <header>
    <span class="vendor">${escapeHtml(VENDOR_NAMES[vendor] ?? vendor)}</span>
    <span class="to">${userId === undefined ? '' : `<strong dir="auto">${escapeHtml(userId)}</strong> `}<code class="token" title="${escapeHtml(token)}">${escapeHtml(shortened(token))}</code></span>
    <time datetime="${escapeHtml(acceptedAt)}">${escapeHtml(acceptedAt.slice(11, 19))} UTC</time>
  </header>
  ${title === '' ? '' : `<h2 dir="auto">${escapeHtml(title)}</h2>`}
  ${body === '' ? '' : `<p dir="auto">${escapeHtml(body)}</p>`}
  ${silent ? '<p class="silent">A silent message: data only, nothing to show.</p>' : ''}
  ${userId === undefined ? '' : taps(message)}
  <details><summary>As it was sent</summary><pre dir="ltr">${escapeHtml(asSent(message))}</pre></details>
</li>`;
}

/** The user's actions on the notification; the page's script reports them as the phone would. */
function taps({ payload }: InboxMessage): string {
  const shown = readShownMessage(payload);
  if (shown === null || shown.silent) return '';
  const buttons = [
    tap('OPENED', 'Tap'),
    ...shown.actions.map(({ id, title }) => tap('ACTION_TAKEN', title, id)),
    tap('DISMISSED', 'Dismiss'),
  ];
  return `<div class="taps">${buttons.join('')}<output></output></div>`;
}

function tap(kind: ReportKind, label: string, actionId?: string): string {
  const action = actionId === undefined ? '' : ` data-action="${escapeHtml(actionId)}"`;
  return `<button type="button" data-tap="${kind}"${action} dir="auto">${escapeHtml(label)}</button>`;
}

function asSent({ vendorMessageId, details, payload }: InboxMessage): string {
  const headers = Object.entries(details).map(([name, value]) => `${name}: ${value}\n`);
  return `${headers.join('')}${JSON.stringify(payload, null, 2)}\n\naccepted as ${vendorMessageId}`;
}

function shortened(token: string): string {
  if (token.length <= SHOWN_OF_TOKEN * 2) return token;
  return `${token.slice(0, SHOWN_OF_TOKEN)}…${token.slice(-SHOWN_OF_TOKEN / 2)}`;
}

import type { InboxMessage } from '../../inbox/inbox';
import type { VendorApiName } from '../../vendors/vendor-api';
import { escapeHtml } from './escape-html';

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
  const { id, vendor, token, title, body, acceptedAt } = message;
  const silent = title === '' && body === '';
  return `<li class="card" data-id="${id}" data-vendor="${escapeHtml(vendor)}">
  <header>
    <span class="vendor">${escapeHtml(VENDOR_NAMES[vendor] ?? vendor)}</span>
    <code class="token" title="${escapeHtml(token)}">${escapeHtml(shortened(token))}</code>
    <time datetime="${escapeHtml(acceptedAt)}">${escapeHtml(acceptedAt.slice(11, 19))} UTC</time>
  </header>
  ${title === '' ? '' : `<h2 dir="auto">${escapeHtml(title)}</h2>`}
  ${body === '' ? '' : `<p dir="auto">${escapeHtml(body)}</p>`}
  ${silent ? '<p class="silent">A silent message: data only, nothing to show.</p>' : ''}
  <details><summary>As it was sent</summary><pre dir="ltr">${escapeHtml(asSent(message))}</pre></details>
</li>`;
}

function asSent({ vendorMessageId, details, payload }: InboxMessage): string {
  const headers = Object.entries(details).map(([name, value]) => `${name}: ${value}\n`);
  return `${headers.join('')}${JSON.stringify(payload, null, 2)}\n\naccepted as ${vendorMessageId}`;
}

function shortened(token: string): string {
  if (token.length <= SHOWN_OF_TOKEN * 2) return token;
  return `${token.slice(0, SHOWN_OF_TOKEN)}…${token.slice(-SHOWN_OF_TOKEN / 2)}`;
}

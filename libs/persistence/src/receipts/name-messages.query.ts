import { type Executor, rows } from '../database/executor';
import { MESSAGE_LINKS } from './find-message-links.query';
import { heldLink } from './held-link';
import type { Receipt } from './receipt';

/** Messages of a campaign, and deliveries of a device, that are looked through, newest first. */
const LOOKED_THROUGH = 50;

/**
 * Finds the message of each receipt that names none: the device's latest one with the tracking id that it names, or with the
 * link that was opened, which may be what a template of the message became. What is not found stays without.
 */
export async function nameMessages(
  executor: Executor,
  appId: string,
  deviceId: string,
  receipts: readonly Receipt[],
): Promise<Receipt[]> {
  const named: Receipt[] = [];
  const known = new Map<string, string | null>();
  for (const receipt of receipts) {
    const { messageId, trackId, kind, link } = receipt;
    if (messageId !== null) named.push(receipt);
    else if (trackId)
      named.push(await found(`t ${trackId}`, receipt, () => byTrackId(executor, appId, deviceId, trackId)));
    else if (kind === 'link' && link)
      named.push(await found(`l ${link}`, receipt, () => byLink(executor, appId, deviceId, link)));
  }
  return named;

  async function found(key: string, receipt: Receipt, find: () => Promise<string | null>): Promise<Receipt> {
    const messageId = known.has(key) ? (known.get(key) ?? null) : await find();
    known.set(key, messageId);
    return { ...receipt, messageId };
  }
}

async function byTrackId(executor: Executor, appId: string, deviceId: string, trackId: string): Promise<string | null> {
  const found = await rows<{ id: string }>(
    executor,
    `SELECT m.id FROM (
       SELECT id FROM messages WHERE app_id = $1 AND track_id = $3 ORDER BY id DESC LIMIT $4
     ) m
     WHERE EXISTS (SELECT 1 FROM deliveries d WHERE d.app_id = $1 AND d.message_id = m.id AND d.device_id = $2::bigint)
     ORDER BY m.id DESC LIMIT 1`,
    [appId, deviceId, trackId, LOOKED_THROUGH],
  );
  return found[0]?.id ?? null;
}

async function byLink(executor: Executor, appId: string, deviceId: string, link: string): Promise<string | null> {
  const held = await rows<{ id: string; links: string[] }>(
    executor,
    `SELECT m.id, m.links FROM (
       SELECT message_id FROM deliveries WHERE app_id = $1 AND device_id = $2::bigint ORDER BY message_id DESC LIMIT $3
     ) d
     CROSS JOIN LATERAL (
       SELECT m.id, ${MESSAGE_LINKS} AS links FROM messages m WHERE m.app_id = $1 AND m.id = d.message_id LIMIT 1
     ) m
     ORDER BY m.id DESC`,
    [appId, deviceId, LOOKED_THROUGH],
  );
  return held.find(({ links }) => heldLink(links.filter(isText), link) !== undefined)?.id ?? null;
}

function isText(link: unknown): link is string {
  return typeof link === 'string';
}

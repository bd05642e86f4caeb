/** The facts about a received message that a phone needs to report about it. */
export interface ShownMessage {
  messageId: string;
  trackId?: string;
  /** Nothing is shown. */
  silent: boolean;
  /** The buttons of the notification: their ids and their texts. */
  actions: { id: string; title: string }[];
}

interface Envelope {
  messageId?: unknown;
  mid?: unknown;
  id?: unknown;
  trackId?: unknown;
  silent?: unknown;
  actions?: unknown;
  notification?: { actions?: unknown };
}

const MOST_ACTIONS = 5;

/**
 * Reads the payload of any push vendor as the app on the phone does. @returns null for a payload that Postrider did not
 * write, or that is not a push
 */
export function readShownMessage(payload: unknown): ShownMessage | null {
  const envelope = envelopeOf(payload);
  const messageId = envelope === null ? null : idOf(envelope);
  if (envelope === null || messageId === null) return null;
  const { trackId, silent, actions, notification } = envelope;
  return {
    messageId,
    ...(typeof trackId === 'string' && { trackId }),
    silent: silent === true,
    actions: actionsOf(actions ?? notification?.actions),
  };
}

function idOf({ messageId, mid, id }: Envelope): string | null {
  const found = messageId ?? mid ?? id;
  return typeof found === 'string' && found !== '' ? found : null;
}

/** FCM's is the text in `data.m`, Huawei's the text that `data` is; APNs and browsers get the fields themselves. */
function envelopeOf(payload: unknown): Envelope | null {
  const message = membersOf(membersOf(payload).message);
  const { data } = message;
  const text = typeof data === 'string' ? data : membersOf(data).m;
  if (typeof text !== 'string') return membersOf(payload);
  try {
    return membersOf(JSON.parse(text));
  } catch {
    return null;
  }
}

function actionsOf(actions: unknown): ShownMessage['actions'] {
  if (!Array.isArray(actions)) return [];
  return actions.slice(0, MOST_ACTIONS).flatMap((action: unknown) => {
    const { id, title } = membersOf(action);
    return typeof id === 'string' && id !== '' ? [{ id, title: typeof title === 'string' ? title : id }] : [];
  });
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The name of a channel, without `public/` or `private/`, has 1 to this many characters. */
export const MAX_CHANNEL_NAME_LENGTH = 128;
const NAME = new RegExp(`^[A-Za-z0-9_.-]{1,${MAX_CHANNEL_NAME_LENGTH}}$`);

/** A channel as it is stored and compared: `public/<name>` or `private/<name>`. */
export type Channel = `public/${string}` | `private/${string}`;

/** The channel of whoever names none. */
export const USUAL_CHANNEL = 'public/default' satisfies Channel;

/** Every device is a member of both of these, so membership of them is never stored. */
export const DEFAULT_CHANNELS: readonly Channel[] = [USUAL_CHANNEL, 'private/default'];

/**
 * Reads a channel as senders and devices write it: `sport` and `public/sport` are public; `private/alerts` and
 * `/private/alerts` are private.
 *
 * @returns the canonical channel, or null if the name is not 1-128 of letters, digits, `_ - .`
 */
export function parseChannel(text: string): Channel | null {
  const [, visibility = 'public', name = ''] = /^(?:\/?(public|private)\/)?(.*)$/s.exec(text) ?? [];
  if (!NAME.test(name)) return null;
  return visibility === 'private' ? `private/${name}` : `public/${name}`;
}

/**
 * Reads an entry of a registration's `subscriptions`, where a bare name means a private channel.
 */
export function parseSubscription(text: string): Channel | null {
  return text.includes('/') ? parseChannel(text) : parseChannel(`private/${text}`);
}

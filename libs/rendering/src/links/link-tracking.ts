import type { MessageContent } from '@postrider/domain';
import { type LinkTracking, trackedLinkKey, type TrackedLinkKey, trackLinks } from './tracked-link';

/** The addresses that links can be led past, and the key of all processes. */
export interface LinkTrackingSettings {
  secretKey: { reveal(): string };
  trackerUrl: string | undefined;
  publicUrl: string | undefined;
}

/** The content, as it is for everybody or rendered for one, with its web links led past the tracker for one installation. */
export type TrackedContent = (content: MessageContent, installationId: string) => MessageContent;

/** Makes the tracked links of messages that ask for them (`trackLinks`). */
export class LinkTracker {
  readonly #key: TrackedLinkKey;
  readonly #base: string | undefined;

  constructor({ secretKey, trackerUrl, publicUrl }: LinkTrackingSettings) {
    this.#key = trackedLinkKey(secretKey.reveal());
    this.#base = trackerUrl?.replace(/\/+$/, '') ?? (publicUrl && `${publicUrl.replace(/\/+$/, '')}/t`);
  }

  /**
   * What makes the tracked links of a message for each device; null when its devices all get the same links: it does not ask
   * for tracking, has no web link, or nobody knows where the tracker is reached.
   */
  trackingOf(
    appId: string,
    { id: messageId, content }: { id: string; content: MessageContent },
  ): TrackedContent | null {
    const tracking = content.trackLinks === true && hasWebLink(content) ? this.#trackingOf(content) : null;
    if (tracking === null) return null;
    return (own, installationId) => trackLinks(own, tracking, { appId, messageId, installationId });
  }

  #trackingOf({ linkBase }: MessageContent): LinkTracking | null {
    const base = this.#base ?? linkBase;
    return base === undefined ? null : { key: this.#key, base };
  }
}

/** A template may become one. */
function hasWebLink({ notification }: MessageContent): boolean {
  const links = [notification?.clickUrl, ...(notification?.actions?.map(({ url }) => url) ?? [])];
  return links.some((link) => link !== undefined && (/^https?:\/\//i.test(link) || link.includes('{')));
}

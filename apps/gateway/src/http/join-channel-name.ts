/** A channel of either kind, written as two parts of a path; `/public/` and `/private/` are what a name may begin with. */
const IN_TWO_PARTS = /^\/api\/channels\/(public|private)\/([^/?#]+)(?=\/members\/?(?:[?#]|$)|\/?(?:[?#]|$))/;

/**
 * Lets `/api/channels/private/alerts` be written as it is read: the slash of the channel's name becomes `%2F`, so that the
 * name is one part of the path. `/api/channels/private/members` is the private channel `members`.
 */
export function joinChannelName(url: string): string {
  return url.startsWith('/api/channels/p') ? url.replace(IN_TWO_PARTS, '/api/channels/$1%2F$2') : url;
}

/** A request's URL behind its base address, and the application that the base names. */
interface BaseAddress {
  /** The URL without the base. */
  url: string;
  /** Undefined: the path names none. Null: its encoding is bad. */
  appId: string | null | undefined;
}

const IN_PATH = /^\/apps\/([^/?#]+)(?=[/?#]|$)/;

/** Removes `/apps/<app_id>` from a URL. */
export function readBasePath(url: string): BaseAddress {
  const found = url.startsWith('/apps/') ? IN_PATH.exec(url) : null;
  if (!found) return { url, appId: undefined };
  const rest = url.slice(found[0].length);
  // The bare address of an application has no route; in particular it is not `/`.
  return { url: rest.startsWith('/') ? rest : url, appId: decodeOnce(found[1] ?? '') };
}

/**
 * The first label of a host name that has several (`shop.push.example:3000` → `shop`); undefined for a bare name or an
 * address, which name no application.
 */
export function readHostLabel(host: string | undefined): string | undefined {
  if (host === undefined || host.startsWith('[') || /^[\d.]+(?::\d+)?$/.test(host)) return undefined;
  const dot = host.indexOf('.');
  return dot > 0 ? host.slice(0, dot).toLowerCase() : undefined;
}

function decodeOnce(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

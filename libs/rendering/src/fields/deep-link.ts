import type { NotificationAction } from '@postrider/domain';

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const WEB_SCHEMES = new Set(['http', 'https']);
const FOREGROUND = 4;

/** Whether a link opens a screen of an application rather than a web page. */
export function isDeepLink(url: string): boolean {
  const scheme = SCHEME.exec(url)?.[1];
  return scheme !== undefined && !WEB_SCHEMES.has(scheme.toLowerCase());
}

/** An action as iOS needs it: a deep link runs only when the application opens. */
export function withForegroundFlag(action: NotificationAction): NotificationAction {
  if (action.url === undefined || !isDeepLink(action.url)) return action;
  return { ...action, options: (action.options ?? 0) | FOREGROUND };
}

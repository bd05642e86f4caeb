import type { RestApi } from '../rest/rest-api';
import type { DeferredDeepLink, Installation } from './installation';

/** The link that was clicked before the application was there, as a registration brought it; null: there is none. */
export function deferredDeepLinkOf(
  { id, deferredDeepLink: link }: Installation,
  api: RestApi,
): DeferredDeepLink | null {
  if (typeof link !== 'string') return null;
  return {
    link,
    report: async (opened) => {
      await api.call('POST', 'installations/deferredDeepLink', { body: { installationId: id, opened } });
    },
  };
}

import { useAppId } from '../../api/application';
import type { ApplicationResponse } from '../../api/generated/document';
import { useAdminRead } from '../../api/reading';
import { useSession } from '../../api/session';

/** The application as far as this session may know it: the operator its settings, anybody else its id. */
export function useApplication(): {
  name: string;
  defaultAlertText: string | undefined;
  promoExhausted: ApplicationResponse['promoExhausted'] | undefined;
} {
  const appId = useAppId();
  const session = useSession();
  const found = useAdminRead('/api/admin/apps/{id}', {
    params: { path: { id: appId } },
    enabled: session.kind === 'operator',
  });
  const application = found.data;
  return {
    name: application?.name ?? appId,
    defaultAlertText: application?.defaultAlertText,
    promoExhausted: application?.promoExhausted,
  };
}

import { createContext, use, useMemo } from 'react';
import { ADMIN_API, type AdminApi, type ApplicationApi, applicationApi } from './client';

/** The id of the application that the pages below show. */
export const ApplicationContext = createContext<string | null>(null);

/** The application whose pages are shown. */
export function useAppId(): string {
  const appId = use(ApplicationContext);
  if (appId === null) throw new Error('No application is chosen here');
  return appId;
}

/** The API of that application. */
export function useApi(): ApplicationApi {
  const appId = useAppId();
  return useMemo(() => applicationApi(appId), [appId]);
}

/** The operator's API. */
export function useAdminApi(): AdminApi {
  return ADMIN_API;
}

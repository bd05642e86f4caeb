import { createContext, use, useMemo } from 'react';
import { Api } from './api';

/** The id of the application that the pages below show. */
export const ApplicationContext = createContext<string | null>(null);

/** The application whose pages are shown. */
export function useAppId(): string {
  const appId = use(ApplicationContext);
  if (appId === null) throw new Error('No application is chosen here');
  return appId;
}

/** The API of that application. */
export function useApi(): Api {
  const appId = useAppId();
  return useMemo(() => Api.ofApplication(appId), [appId]);
}

/** The operator's API. */
export function useAdminApi(): Api {
  return useMemo(() => Api.ofOperator(), []);
}

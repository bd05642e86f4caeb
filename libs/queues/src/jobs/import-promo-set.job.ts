import { defineJob } from './job';

/** Work for the promo worker: make an upload the set in force. */
export type ImportPromoSetPayload = { appId: string; setId: string };

/** One job an upload: the worker goes on where the set's `position` says. */
export const importPromoSet = defineJob<ImportPromoSetPayload>({
  queue: 'promo',
  name: 'import-promo-set',
  id: ({ setId }) => `promo-${setId}`,
});

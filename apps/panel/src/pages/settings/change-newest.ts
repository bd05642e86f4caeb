import type { ApplicationChangesRequest, ApplicationResponse } from '@postrider/server/document';
import { isEditConflict } from '../../api/api-error';
import { type AdminApi, answerOf } from '../../api/client';

/**
 * Changes settings that are stored as a whole, by the newest ones: nothing that others save meanwhile is overwritten.
 *
 * @param changesOf the changes, made from the newest settings; called again when somebody else was faster. It throws if the two
 *   cannot both be saved
 */
export async function changeNewest(
  api: AdminApi,
  id: string,
  changesOf: (newest: ApplicationResponse) => ApplicationChangesRequest,
): Promise<void> {
  const path = { id };
  let newest = await answerOf(api.GET('/api/admin/apps/{id}', { params: { path } }));
  for (;;) {
    const body = changesOf(newest);
    try {
      await api.PATCH('/api/admin/apps/{id}', { params: { path, query: { revision: newest.revision } }, body });
      return;
    } catch (error) {
      if (!isEditConflict(error) || error.current === null) throw error;
      newest = error.current as ApplicationResponse;
    }
  }
}

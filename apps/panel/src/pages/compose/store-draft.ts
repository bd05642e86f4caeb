import { ApiError, isEditConflict } from '../../api/api-error';
import { answerOf, type ApplicationApi } from '../../api/client';
import type { DraftResponse } from '@postrider/server/document';
import {
  draftName,
  draftOfStored,
  MAX_DRAFT_NAME,
  type MessageDraft,
  printOf,
  type SavedAs,
  storedForm,
} from '../../model/message-draft';

/**
 * Saves a draft over the revision that is known. If the server has it already as it is here, because the answer to an
 * earlier save did not arrive, that is no conflict.
 *
 * @throws ApiError 404 when the draft was sent or deleted; EDIT_CONFLICT when somebody else has saved another content
 */
export async function storeDraft(api: ApplicationApi, draft: MessageDraft): Promise<SavedAs> {
  const text = storedForm(draft);
  const body = { name: draftName(draft), message: JSON.parse(text) as DraftResponse['message'] };
  try {
    const { id, revision } = await put(api, draft, body);
    return { id, revision, print: printOf(text) };
  } catch (error) {
    const there = error instanceof ApiError ? (error.current as DraftResponse | null) : null;
    const saved = there === null ? undefined : draftOfStored(there, draft.draftId).saved;
    if (saved === undefined || saved.print !== printOf(text)) throw error;
    return saved;
  }
}

async function put(
  api: ApplicationApi,
  { saved }: MessageDraft,
  body: { name: string; message: DraftResponse['message'] },
): Promise<DraftResponse> {
  if (saved === undefined) return answerOf(api.POST('/api/drafts', { body }));
  const params = { path: { id: saved.id } };
  return answerOf(api.PUT('/api/drafts/{id}', { params, body: { ...body, revision: saved.revision } }));
}

/**
 * Saves a draft that this page leaves. If somebody else has saved, sent or deleted it in the meantime, it becomes a
 * draft of its own.
 *
 * @returns the name of the draft that was made; null: it is saved under the name that it had
 * @throws ApiError
 */
export async function storeOrKeepMine(api: ApplicationApi, draft: MessageDraft): Promise<string | null> {
  try {
    await storeDraft(api, draft);
    return null;
  } catch (error) {
    if (!isTaken(error)) throw error;
    const mine = { ...draft, saved: undefined, name: nameOfMine(draft) };
    await storeDraft(api, mine);
    return mine.name;
  }
}

/** True if somebody else has saved, sent or deleted a draft. */
function isTaken(error: unknown): boolean {
  return isEditConflict(error) || (error instanceof ApiError && error.status === 404);
}

const MINE = ' (my version)';

/** Names the content of this page beside the other one: the list of drafts shows both, and their names must differ. */
export function nameOfMine(draft: MessageDraft): string {
  const name = draftName(draft);
  return name.endsWith(MINE) ? name : `${[...name].slice(0, MAX_DRAFT_NAME - MINE.length).join('')}${MINE}`;
}

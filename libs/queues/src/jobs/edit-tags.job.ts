import { defineJob } from './job';

/** Work for the audience worker: change tags as an uploaded file says. */
export type EditTagsPayload = { appId: string; jobId: string };

/** Behind messages: whoever is sent to waits, a file does not. */
const FILE_PRIORITY = 10;

/** One job a file: the worker goes on where the file's `position` says. */
export const editTags = defineJob<EditTagsPayload>({
  queue: 'audience',
  name: 'edit-tags',
  id: ({ jobId }) => `tags-${jobId}`,
  priority: () => FILE_PRIORITY,
});

import { Injectable, type PipeTransform } from '@nestjs/common';
import { Problems, readSend } from '@postrider/contracts';
import { templateProblems } from '@postrider/rendering';
import { type ErrorDetail, InvalidRequest, isJsonObject, type JsonObject } from '@postrider/domain';
import type { ReceivedSend } from './send-body.pipe';

/** A notification that was sent alone; `to` makes the message. */
export interface NotificationFor {
  /** @param userId the user who gets it */
  to(userId: string): ReceivedSend;
}

const INSIDE = 'notification.';
/** Placeholders for the user whom the path names, and for a text that is missing. */
const SOMEBODY = 'somebody';
const SOMETHING = 'something';

/** Reads the body of `notifyUser`: a notification and nothing around it. Errors name the notification's own fields. */
@Injectable()
export class NotificationBody implements PipeTransform<unknown, Promise<NotificationFor>> {
  /** @throws InvalidRequest that names every bad field */
  async transform(body: unknown): Promise<NotificationFor> {
    if (!isJsonObject(body)) throw new InvalidRequest([{ path: '', message: 'must be a JSON object' }]);
    const notification = body;
    const problems = new Problems(body);
    if ((notification.title ?? null) === null) problems.add('title', 'is required');
    const shown = shownText(notification);
    const content = shown === null ? SOMETHING : notification[shown];
    const { message, problems: found } = readSend({ user: SOMEBODY, content, notification }, 'named', 1);
    const add = (details: readonly ErrorDetail[]): void => {
      problems.addAll(details.map(({ path, message: text }) => ({ path: ownPath(path, shown), message: text })));
    };
    add(found);
    if (message !== null && !problems.isFull) add(await templateProblems([message]));
    problems.throwIfAny();
    return {
      to: (userId) => ({
        messages: message === null ? [] : [{ ...message, recipients: { kind: 'users', userIds: [userId] } }],
        isBatch: false,
        body: { user: userId, notification },
      }),
    };
  }
}

/**
 * Returns the field of the notification that is also the text of the message, for a client that keeps messages. Null:
 * no field has a text.
 */
function shownText({ title, body }: JsonObject): 'body' | 'title' | null {
  if (typeof body === 'string' && body !== '') return 'body';
  return typeof title === 'string' && title !== '' ? 'title' : null;
}

function ownPath(path: string, shown: string | null): string {
  if (path === 'content') return shown ?? 'title';
  return path.startsWith(INSIDE) ? path.slice(INSIDE.length) : path;
}

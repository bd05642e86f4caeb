import type { Notification, NotificationAction } from '@postrider/domain';
import { FieldReader, isJsonObject } from '../fields/field-reader';
import { readFilledText, readLink, type Reading } from '../validation/values';

const NOTIFICATION_FIELDS = new Set([
  'title',
  'body',
  'groupId',
  'icon',
  'sound',
  'clickUrl',
  'ledColor',
  'smallIcon',
  'actions',
  'mediaType',
  'mediaUrl',
  'contentAvailable',
  'mutableContent',
  'category',
]);
const ACTION_FIELDS = new Set(['id', 'title', 'options', 'icon', 'url']);
const MAX_ACTION_OPTIONS = 7;
const LED_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** A notification that shows nothing: the app is woken up to update itself (push-api, Notification, `contentAvailable`). */
export function isSilentUpdate(notification: Notification): boolean {
  return notification.contentAvailable === true && notification.title === undefined && notification.body === undefined;
}

/** Reads `notification`: every field of the contract, and what it does not name as `extra`. */
export function readNotification(fields: FieldReader): Notification {
  const notification: Notification = {
    title: fields.optional('title', readFilledText),
    body: fields.text('body'),
    groupId: fields.text('groupId'),
    icon: fields.optional('icon', readLink),
    sound: fields.text('sound'),
    clickUrl: fields.optional('clickUrl', readLink),
    ledColor: fields.optional('ledColor', readLedColor),
    smallIcon: fields.optional('smallIcon', readLink),
    actions: readActions(fields),
    mediaType: fields.text('mediaType'),
    mediaUrl: fields.optional('mediaUrl', readLink),
    contentAvailable: fields.boolean('contentAvailable'),
    mutableContent: fields.boolean('mutableContent'),
    category: fields.text('category'),
    extra: fields.rest(NOTIFICATION_FIELDS),
  };
  checkPictures(fields);
  if (!fields.has('title') && !isSilentUpdate(notification)) fields.report('title', 'is required');
  return notification;
}

/** What browsers load besides, should it be a link; an app may mean anything else by these names. */
function checkPictures(fields: FieldReader): void {
  for (const name of ['badge', 'image']) if (typeof fields.object[name] === 'string') fields.optional(name, readLink);
}

function readActions(fields: FieldReader): NotificationAction[] | undefined {
  const actions = fields.raw('actions');
  if (actions === undefined) return undefined;
  if (!Array.isArray(actions)) {
    fields.report('actions', 'must be an array of objects');
    return undefined;
  }
  return actions.flatMap((action, index) => {
    const path = `${fields.pathOf('actions')}[${index}]`;
    if (isJsonObject(action)) return [readAction(new FieldReader(action, path, fields.problems, fields.unknown))];
    fields.problems.add(path, 'must be an object');
    return [];
  });
}

function readAction(fields: FieldReader): NotificationAction {
  return {
    id: fields.text('id'),
    title: fields.text('title'),
    options: fields.integer('options', 0, MAX_ACTION_OPTIONS),
    icon: fields.optional('icon', readLink),
    url: fields.optional('url', readLink),
    extra: fields.rest(ACTION_FIELDS),
  };
}

function readLedColor(value: unknown): Reading<string> {
  if (typeof value === 'string' && LED_COLOR.test(value)) return { value };
  return { problem: 'must be a color: #RGB, #RRGGBB or #AARRGGBB' };
}

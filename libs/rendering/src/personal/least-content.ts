import type { JsonValue, MessageContent } from '@postrider/domain';
import { isTemplate } from '../templates/is-template';

/** Where nothing would be replaced by a text of the application's. */
const SHORTEST = '.';

/**
 * The content with every template as short as it may come out. What is too big like this is too big for everybody; what the
 * others come to shows when they are rendered.
 */
export function leastContent(content: MessageContent): MessageContent {
  const { notification } = content;
  return {
    ...content,
    ...given('content', least(content.content)),
    ...given('alertText', least(content.alertText, SHORTEST)),
    ...given('data', leastJson(content.data)),
    ...given(
      'notification',
      notification && {
        ...notification,
        ...given('title', least(notification.title, SHORTEST)),
        ...given('body', least(notification.body, SHORTEST)),
        ...given('clickUrl', least(notification.clickUrl)),
        ...given(
          'actions',
          notification.actions?.map((action) => ({ ...action, ...given('url', least(action.url)) })),
        ),
      },
    ),
  };
}

function least(text: string | undefined, shortest = ''): string | undefined {
  return text !== undefined && isTemplate(text) ? shortest : text;
}

function leastJson(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string') return least(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => leastJson(element) ?? null);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, leastJson(member) ?? null]));
}

/** A member that stays away when it is not set. */
function given<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}

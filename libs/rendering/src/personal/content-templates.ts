import type { ErrorDetail, JsonValue, MessageContent, Notification, NotificationAction } from '@postrider/domain';
import { dangerousScheme } from '@postrider/domain';
import { isTemplate } from '../templates/plain-template';
import { TemplateFailure } from '../templates/template-failure';
import type { TextSource } from '../sandbox/sandbox-protocol';

/** Longer than any text of a payload, with room for branches that are not chosen. */
const MAX_LENGTH = 16_384;
/** All templates of a message together. */
const MAX_TOTAL_LENGTH = 65_536;

/** Makes a part of the content from the results of its templates. */
type Made<T> = (texts: readonly string[]) => T;

/** One text of the content that is a template. */
interface Slot extends TextSource {
  readonly isLink: boolean;
}

/**
 * The templates of one message's content: in `content`, `alertText`, the notification's title, body and links, and
 * every text in `data`; separately, because it goes to users and not to devices, in `fallback.content`.
 */
export class ContentTemplates {
  /**
   * Their problems before anybody parses them, under the caller's own field names. If there are any, nothing may be
   * rendered.
   */
  readonly problems: ErrorDetail[] = [];
  /** The template of the SMS, if it is one. */
  readonly fallback: TextSource | null;
  readonly #slots: Slot[] = [];
  readonly #parts: Made<Partial<MessageContent>>[] = [];
  #length = 0;

  constructor(
    private readonly fields: MessageContent,
    private readonly path = '',
  ) {
    this.#member('content', this.#text(fields.content, 'content'));
    this.#member('alertText', this.#text(fields.alertText, 'alertText'));
    this.#member('data', this.#json(fields.data, 'data'));
    this.#member('notification', this.#notification(fields.notification));
    this.fallback = this.#source(fields.fallback?.content, 'fallback.content');
  }

  /** The devices' templates. */
  get sources(): readonly TextSource[] {
    return this.#slots;
  }

  /** For each text that is a template, true if it is a link. */
  get links(): readonly boolean[] {
    return this.#slots.map(({ isLink }) => isLink);
  }

  /** Checks the rendered links again. @throws TemplateFailure `link_refused` */
  checkLinks(texts: readonly string[]): void {
    for (const [place, { isLink, path }] of this.#slots.entries()) {
      if (isLink) checkLink(texts[place] as string, path);
    }
  }

  /** The content with these texts in place of its templates. */
  contentWith(texts: readonly string[]): MessageContent {
    if (this.#slots.length === 0) return this.fields;
    const rendered: MessageContent = { ...this.fields };
    for (const part of this.#parts) Object.assign(rendered, part(texts));
    return rendered;
  }

  #member<K extends keyof MessageContent>(name: K, made: Made<MessageContent[K]> | null): void {
    if (made !== null) this.#parts.push((texts) => ({ [name]: made(texts) }));
  }

  #notification(notification: Notification | undefined): Made<Notification> | null {
    if (notification === undefined) return null;
    const members: [keyof Notification, Made<unknown> | null][] = [
      ['title', this.#text(notification.title, 'notification.title')],
      ['body', this.#text(notification.body, 'notification.body')],
      ['clickUrl', this.#link(notification.clickUrl, 'notification.clickUrl')],
      [
        'actions',
        this.#list(
          notification.actions?.map((action, place) => this.#action(action, place)),
          notification.actions,
        ),
      ],
    ];
    return withMembers(notification, members);
  }

  #action(action: NotificationAction, place: number): Made<NotificationAction> | null {
    return withMembers(action, [['url', this.#link(action.url, `notification.actions[${place}].url`)]]);
  }

  #link(text: string | undefined, name: string): Made<string> | null {
    return this.#text(text, name, true);
  }

  /** @returns null for a value that is the same for everybody */
  #json(value: JsonValue | undefined, name: string): Made<JsonValue> | null {
    if (typeof value === 'string') return this.#text(value, name);
    if (typeof value !== 'object' || value === null) return null;
    if (Array.isArray(value)) {
      return this.#list(
        value.map((element, place) => this.#json(element, `${name}[${place}]`)),
        value,
      );
    }
    return withMembers(
      value,
      Object.entries(value).map(([key, member]) => [key, this.#json(member, `${name}.${key}`)]),
    );
  }

  #list<T>(made: (Made<T> | null)[] | undefined, plain: readonly T[] | undefined): Made<T[]> | null {
    if (made === undefined || plain === undefined || made.every((element) => element === null)) return null;
    return (texts) => plain.map((element, place) => made[place]?.(texts) ?? element);
  }

  #text(text: string | undefined, name: string, isLink = false): Made<string> | null {
    const source = this.#source(text, name);
    if (source === null) return null;
    const place = this.#slots.push({ ...source, isLink }) - 1;
    return (texts) => texts[place] as string;
  }

  #source(text: string | undefined, name: string): TextSource | null {
    if (text === undefined || !isTemplate(text)) return null;
    this.#length += text.length;
    if (text.length > MAX_LENGTH) this.#report(name, `is a template and has at most ${MAX_LENGTH} characters`);
    else if (this.#length > MAX_TOTAL_LENGTH) {
      this.#report(name, `is one template too many: together they have at most ${MAX_TOTAL_LENGTH} characters`);
    } else return { text, path: this.#pathOf(name) };
    return null;
  }

  #report(name: string, message: string): void {
    this.problems.push({ path: this.#pathOf(name), message });
  }

  #pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

function checkLink(link: string, path: string): void {
  const scheme = dangerousScheme(link);
  if (scheme === null) return;
  throw new TemplateFailure('link_refused', `The link in ${path} must not use the scheme ${scheme}:`);
}

/** The same object with some members made for each person. Null if there are none. */
function withMembers<T extends object>(
  plain: T,
  members: readonly (readonly [PropertyKey, Made<unknown> | null])[],
): Made<T> | null {
  const made = members.filter((member): member is [PropertyKey, Made<unknown>] => member[1] !== null);
  if (made.length === 0) return null;
  return (texts) => {
    const copy = { ...plain };
    for (const [name, make] of made) (copy as Record<PropertyKey, unknown>)[name] = make(texts);
    return copy;
  };
}

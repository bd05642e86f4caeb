import type { ErrorDetail, JsonValue, MessageContent, Notification, NotificationAction } from '@postrider/domain';
import { dangerousScheme } from '@postrider/domain';
import type { RenderScope } from '../templates/render-scope';
import { isTemplate, parseTemplate, type Template } from '../templates/template';
import { TemplateFailure } from '../templates/template-failure';

/** All templates of a message together. */
const MAX_TOTAL_LENGTH = 65_536;

/** Makes a part of the content from the texts that its templates came to. */
type Made<T> = (texts: readonly string[]) => T;

/** One text of the content that is a template. */
interface Slot {
  readonly template: Template;
  readonly path: string;
  readonly isLink: boolean;
}

/**
 * The templates of one message's content, parsed: in `content`, `alertText`, the notification's title, body and links, and
 * every text in `data`; apart from them, because it goes to users and not to devices, in `fallback.content`.
 */
export class ContentTemplates {
  /** What is wrong with them, by the caller's own field names. Nothing may be rendered then. */
  readonly problems: ErrorDetail[] = [];
  readonly #slots: Slot[] = [];
  readonly #parts: Made<Partial<MessageContent>>[] = [];
  readonly #fallback: Template | null;
  #length = 0;

  constructor(
    private readonly content: MessageContent,
    private readonly path = '',
  ) {
    this.#member('content', this.#text(content.content, 'content'));
    this.#member('alertText', this.#text(content.alertText, 'alertText'));
    this.#member('data', this.#json(content.data, 'data'));
    this.#member('notification', this.#notification(content.notification));
    this.#fallback = this.#parse(content.fallback?.content, 'fallback.content');
  }

  /** Whether anything differs from device to device. */
  get isPersonal(): boolean {
    return this.#slots.length > 0;
  }

  /** The variables that devices' templates name: `user`, `promoCode`, … */
  get globals(): ReadonlySet<string> {
    return new Set(this.#slots.flatMap(({ template }) => [...template.globals]));
  }

  /** The user's attributes that they may read; null: any. */
  get attributes(): ReadonlySet<string> | null {
    const all = this.#slots.map(({ template }) => template.attributes);
    return all.includes(null) ? null : new Set(all.flatMap((names) => [...(names ?? [])]));
  }

  /** The template of the SMS, if it is one. */
  get fallback(): Template | null {
    return this.#fallback;
  }

  /** For each text that is a template, whether it is a link. */
  get links(): readonly boolean[] {
    return this.#slots.map(({ isLink }) => isLink);
  }

  /** @throws TemplateFailure */
  render(scope: RenderScope): MessageContent {
    return this.contentWith(this.texts(scope));
  }

  /** What each text that is a template comes to, in the order of `links`. @throws TemplateFailure */
  texts(scope: RenderScope): string[] {
    const texts: string[] = [];
    for (const { template, path, isLink } of this.#slots) {
      const text = renderTemplate(template, scope, path);
      texts.push(isLink ? checkedLink(text, path) : text);
    }
    return texts;
  }

  /** The content with these in the places of its templates. */
  contentWith(texts: readonly string[]): MessageContent {
    const rendered: MessageContent = { ...this.content };
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

  /** @returns null for what is the same for everybody */
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
    const template = this.#parse(text, name);
    if (template === null) return null;
    const place = this.#slots.push({ template, path: this.#pathOf(name), isLink }) - 1;
    return (texts) => texts[place] as string;
  }

  #parse(text: string | undefined, name: string): Template | null {
    if (text === undefined || !isTemplate(text)) return null;
    this.#length += text.length;
    if (this.#length > MAX_TOTAL_LENGTH) {
      this.#report(name, `is one template too many: together they have at most ${MAX_TOTAL_LENGTH} characters`);
      return null;
    }
    try {
      return parseTemplate(text);
    } catch (error) {
      this.#report(
        name,
        `is not a template that can be rendered: ${error instanceof Error ? error.message : 'unknown'}`,
      );
      return null;
    }
  }

  #report(name: string, message: string): void {
    this.problems.push({ path: this.#pathOf(name), message });
  }

  #pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

/** Renders one text. @throws TemplateFailure that names the field */
export function renderTemplate(template: Template, scope: RenderScope, path: string): string {
  try {
    return template.render(scope);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TemplateFailure(
      'template_failed',
      `The template in ${path} cannot be rendered for this recipient: ${reason}`,
    );
  }
}

/** What was checked as a template is checked again as the link it became. */
function checkedLink(link: string, path: string): string {
  const scheme = dangerousScheme(link);
  if (scheme === null) return link;
  throw new TemplateFailure('link_refused', `The link in ${path} must not use the scheme ${scheme}:`);
}

/** The same object with some members made for each; null when none is. */
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

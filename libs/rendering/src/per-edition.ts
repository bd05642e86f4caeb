import { contentOfEdition, type Edition, editionKey } from '@postrider/domain';
import type { RenderableMessage } from './renderable';

/** A message in one edition: the input of every renderer of this library. */
export function messageOfEdition<Message extends Pick<RenderableMessage, 'content'>>(
  message: Message,
  edition: Edition,
): Message {
  const content = contentOfEdition(message.content, edition);
  return content === message.content ? message : { ...message, content };
}

/** Makes something once for each edition of a message that is used. */
export class PerEdition<Message extends Pick<RenderableMessage, 'content'>, Made> {
  readonly #made = new Map<string, Made>();

  constructor(
    private readonly message: Message,
    private readonly make: (message: Message) => Made,
  ) {}

  /** The same object for every call with an equal edition. */
  of(edition: Edition): Made {
    const key = editionKey(edition);
    let made = this.#made.get(key);
    if (made === undefined) this.#made.set(key, (made = this.make(messageOfEdition(this.message, edition))));
    return made;
  }
}

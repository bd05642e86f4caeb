import { contentOfEdition, type Edition, editionKey } from '@postrider/domain';
import type { RenderableMessage } from './renderable';

/** A message as those get it who get one edition: what every renderer of this library takes. */
export function messageOfEdition<Message extends Pick<RenderableMessage, 'content'>>(
  message: Message,
  edition: Edition,
): Message {
  const content = contentOfEdition(message.content, edition);
  return content === message.content ? message : { ...message, content };
}

/** Makes something once for each edition of a message that anybody gets. */
export class PerEdition<Message extends Pick<RenderableMessage, 'content'>, Made> {
  readonly #made = new Map<string, Made>();

  constructor(
    private readonly message: Message,
    private readonly make: (message: Message) => Made,
  ) {}

  /** The very same for every call with an equal edition. */
  of(edition: Edition): Made {
    const key = editionKey(edition);
    let made = this.#made.get(key);
    if (made === undefined) this.#made.set(key, (made = this.make(messageOfEdition(this.message, edition))));
    return made;
  }
}

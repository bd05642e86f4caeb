import type { Registrar } from '../registration/registrar';

const CHANNEL = /^(?:public|private)\/[A-Za-z0-9_.-]{1,128}$/;

/** The channels of which this device is a member, beside its own and the public one. */
export class Channels {
  constructor(private readonly registrar: Registrar) {}

  /** @param channels `public/<name>` or `private/<name>`; a bare name is a public one @throws PostriderError, TypeError */
  subscribe(...channels: string[]): Promise<string[]> {
    return this.#change(channels, (now, named) => [...new Set([...now, ...named])]);
  }

  /** @throws PostriderError, TypeError */
  unsubscribe(...channels: string[]): Promise<string[]> {
    return this.#change(channels, (now, named) => now.filter((channel) => !named.includes(channel)));
  }

  /** As the service told them last. */
  async list(): Promise<string[]> {
    return (await this.registrar.registered()).channels;
  }

  async #change(
    channels: readonly string[],
    change: (now: string[], named: readonly string[]) => string[],
  ): Promise<string[]> {
    const named = channels.map(canonical);
    const installation = await this.registrar.register({}, (now) => change(now, named));
    return installation.subscriptions;
  }
}

function canonical(text: string): string {
  const channel = text.includes('/') ? text.replace(/^\//, '') : `public/${text}`;
  if (CHANNEL.test(channel)) return channel;
  throw new TypeError(
    `${text} is not a channel name: 1 to 128 letters, digits, _, - or ., optionally after public/ or private/`,
  );
}

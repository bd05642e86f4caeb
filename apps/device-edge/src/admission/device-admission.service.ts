import { Inject, Injectable } from '@nestjs/common';
import { type Clock, covers } from '@postrider/domain';
import { type ConnectingDevice, DATABASE, type Database, findConnectingDevices } from '@postrider/persistence';
import { Batcher, CLOCK, LOGGER, type Logger, Secret } from '@postrider/platform';
import { type ClientId, readClientId } from './client-id';
import type { Admission, ConnectAsk } from '../session/device-session';
import { ConnectionLimit } from '../ledger/connection-limit.service';
import { Credentials, type KnownToken } from './access-tokens.service';
import { PresenceKeeper } from '../presence/presence-writer.service';

interface Asked {
  appId: string;
  installationId: string;
}

/**
 * Decides who connects: a registered installation, under its own user's name, with a token of its application that covers
 * devices. Whoever is let in is present from then on.
 */
@Injectable()
export class Doorkeeper {
  readonly #devices: Batcher<Asked, ConnectingDevice | null>;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly credentials: Credentials,
    private readonly presence: PresenceKeeper,
    private readonly limit: ConnectionLimit,
  ) {
    this.#devices = new Batcher((asked) => this.#find(asked), 500, 2);
  }

  /** Never rejects: without the ledger nobody is let in. */
  async admit(ask: ConnectAsk): Promise<Admission> {
    try {
      return await this.#admit(ask);
    } catch (error) {
      this.logger.warn({ err: error }, 'connection.not-admitted');
      return { kind: 'refused', refusal: 'unavailable' };
    }
  }

  async #admit(ask: ConnectAsk): Promise<Admission> {
    const client = readClientId(ask.clientId);
    if (client === null) return { kind: 'refused', refusal: 'bad_client_id' };
    if (this.limit.isReached) return { kind: 'refused', refusal: 'busy' };
    // The published client sends its token as both.
    const token = ask.username === ask.password ? await this.credentials.find(ask.username) : null;
    if (token === null) return { kind: 'refused', refusal: 'bad_credentials' };
    if (token.appId !== client.appId || !covers(token.scopes, 'devices')) {
      return { kind: 'refused', refusal: 'not_authorized' };
    }
    return this.#enter(client, token, ask.username);
  }

  async #enter(client: ClientId, token: KnownToken, text: string): Promise<Admission> {
    const { appId, userId, userText } = client;
    await this.presence.hasLeft(appId, client.installationId);
    const device = await this.#devices.add({ appId, installationId: client.installationId.toLowerCase() });
    if (device?.userId !== userId) return { kind: 'refused', refusal: 'not_authorized' };
    const { deviceId, deviceType, channels, subscriptions, inFlight } = device;
    const present = await this.presence.enter({ appId, deviceId, userId });
    if (present === null) return { kind: 'refused', refusal: 'not_authorized' };
    return {
      kind: 'admitted',
      subscriptions,
      inFlight,
      identity: {
        appId,
        installationId: client.installationId,
        deviceId,
        userId,
        userText,
        deviceType,
        channels,
        epoch: present.epoch,
        userSinceMs: present.userSince.getTime(),
        hasChangedHands: present.hasChangedHands,
        mayRead: covers(token.scopes, 'read'),
        sendingToken: covers(token.scopes, 'send') ? new Secret(text) : null,
        tokenKey: token.key,
      },
    };
  }

  async #find(asked: Asked[]): Promise<(ConnectingDevice | null)[]> {
    const found = await findConnectingDevices(this.database, asked, this.clock.now());
    const byKey = new Map(found.map((device) => [`${device.appId}/${device.installationId}`, device]));
    return asked.map(({ appId, installationId }) => byKey.get(`${appId}/${installationId}`) ?? null);
  }
}

import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { UserResponse } from '@postrider/contracts';
import { NO_DEVICE } from '@postrider/domain';
import {
  DevicesRepository,
  PromoAssignmentsRepository,
  RemovedTokensRepository,
  UserHistoryRepository,
} from '@postrider/persistence';
import { showDevice } from '../devices/show-installation';
import { readEntries } from '../http/read-parts';
import { FindUsers } from './find-users.service';

const AT_ONCE = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Exports everything that is stored about a user. */
@Injectable()
export class ExportUser {
  constructor(
    private readonly findUsers: FindUsers,
    private readonly devices: DevicesRepository,
    private readonly history: UserHistoryRepository,
    private readonly promoAssignments: PromoAssignmentsRepository,
    private readonly removedTokens: RemovedTokensRepository,
  ) {}

  /**
   * Returns one JSON object as text: the user, their installations, the messages for them with their deliveries, the
   * links that they opened, the promo codes that they got, the devices that were uninstalled. Memory holds one part
   * of it.
   *
   * @throws DomainError NOT_FOUND
   */
  async open(appId: string, userId: string): Promise<Readable> {
    const { tags, tagValues, attributes } = await this.findUsers.find(appId, userId);
    return Readable.from(this.#write(appId, { userId, tags, tagValues, attributes }), { objectMode: false });
  }

  async *#write(appId: string, user: Omit<UserResponse, 'devices'>): AsyncGenerator<string> {
    const { userId } = user;
    yield JSON.stringify(user).slice(0, -1);
    yield ',"installations":[';
    yield* separated(this.#installations(appId, userId));
    yield '],"messages":[';
    yield* separated(this.#messages(appId, userId));
    yield '],"openedLinks":[';
    yield* separated(this.#links(appId, userId));
    yield '],"promoCodes":[';
    yield* separated(this.#promoCodes(appId, userId));
    yield '],"uninstalls":[';
    yield* separated(this.#uninstalls(appId, userId));
    yield ']}';
  }

  async *#installations(appId: string, userId: string): AsyncGenerator<object> {
    const devices = readEntries({
      first: NO_DEVICE,
      limit: AT_ONCE,
      read: (afterDeviceId, limit) => this.devices.listOfUser(appId, userId, { afterDeviceId, limit }),
      placeOf: ({ deviceId }) => deviceId,
    });
    for await (const device of devices) yield showDevice(appId, device);
  }

  /** Messages that named them, and messages to groups that reached their devices. */
  async *#messages(appId: string, userId: string): AsyncGenerator<object> {
    for (const which of ['named', 'groups'] as const) {
      const messages = readEntries({
        first: FIRST_ID,
        limit: AT_ONCE,
        read: (afterId, limit) => this.history.readMessages(appId, userId, { which, afterId, limit }),
        placeOf: ({ id }) => id,
      });
      for await (const message of messages) if (which === 'named' || message.deliveries.length > 0) yield message;
    }
  }

  async *#links(appId: string, userId: string): AsyncGenerator<object> {
    const links = readEntries({
      first: '0',
      limit: AT_ONCE,
      read: (afterId, limit) => this.history.listLinks(appId, userId, { afterId, limit }),
      placeOf: ({ id }) => id,
    });
    for await (const { link, openedAt } of links) yield { link, openedAt };
  }

  #promoCodes(appId: string, userId: string): AsyncGenerator<object> {
    return readEntries({
      first: FIRST_ID,
      limit: AT_ONCE,
      read: (afterId, limit) => this.promoAssignments.listOfUser(appId, userId, { afterId, limit }),
      placeOf: ({ messageId }) => messageId,
    });
  }

  async *#uninstalls(appId: string, userId: string): AsyncGenerator<object> {
    const tokens = readEntries({
      first: '0',
      limit: AT_ONCE,
      read: (afterId, limit) => this.removedTokens.listOfUser(appId, userId, { afterId, limit }),
      placeOf: ({ id }) => id,
    });
    for await (const { deadAt, installationId, deviceType } of tokens) {
      yield { time: deadAt, installationId, deviceType };
    }
  }
}

async function* separated(objects: AsyncGenerator<object>): AsyncGenerator<string> {
  let separator = '';
  for await (const object of objects) {
    yield `${separator}${JSON.stringify(object)}`;
    separator = ',';
  }
}

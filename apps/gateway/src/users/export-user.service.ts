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
import { FindUsers } from './find-users.service';
import { showDevice } from '../devices/show-installation';

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
    for (let afterDeviceId = NO_DEVICE; ;) {
      const devices = await this.devices.listOfUser(appId, userId, { afterDeviceId, limit: AT_ONCE });
      for (const device of devices) yield showDevice(appId, device);
      const last = devices.at(-1);
      if (!last || devices.length < AT_ONCE) return;
      afterDeviceId = last.deviceId;
    }
  }

  /** Messages that named them, and messages to groups that reached their devices. */
  async *#messages(appId: string, userId: string): AsyncGenerator<object> {
    for (const which of ['named', 'groups'] as const) {
      for (let afterId = FIRST_ID; ;) {
        const messages = await this.history.readMessages(appId, userId, { which, afterId, limit: AT_ONCE });
        for (const message of messages) if (which === 'named' || message.deliveries.length > 0) yield message;
        const last = messages.at(-1);
        if (!last || messages.length < AT_ONCE) break;
        afterId = last.id;
      }
    }
  }

  async *#links(appId: string, userId: string): AsyncGenerator<object> {
    for (let afterId = '0'; ;) {
      const links = await this.history.listLinks(appId, userId, { afterId, limit: AT_ONCE });
      for (const { link, openedAt } of links) yield { link, openedAt };
      const last = links.at(-1);
      if (!last || links.length < AT_ONCE) return;
      afterId = last.id;
    }
  }

  async *#promoCodes(appId: string, userId: string): AsyncGenerator<object> {
    for (let afterId = FIRST_ID; ;) {
      const codes = await this.promoAssignments.listOfUser(appId, userId, { afterId, limit: AT_ONCE });
      yield* codes;
      const last = codes.at(-1);
      if (!last || codes.length < AT_ONCE) return;
      afterId = last.messageId;
    }
  }

  async *#uninstalls(appId: string, userId: string): AsyncGenerator<object> {
    for (let afterId = '0'; ;) {
      const tokens = await this.removedTokens.listOfUser(appId, userId, { afterId, limit: AT_ONCE });
      for (const { deadAt, installationId, deviceType } of tokens) yield { time: deadAt, installationId, deviceType };
      const last = tokens.at(-1);
      if (!last || tokens.length < AT_ONCE) return;
      afterId = last.id;
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

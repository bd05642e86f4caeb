import { Inject, Injectable } from '@nestjs/common';
import { routeDevices } from '@postrider/audience';
import {
  cutList,
  type ListUserDeliveriesQuery,
  type ListUsersQuery,
  makeCursor,
  type ReachableDeviceResponse,
  type UserDeliveryListResponse,
  type UserDeliveryResponse,
  type UserListResponse,
  type UserResponse,
} from '@postrider/contracts';
import { NO_DEVICE, DomainError } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  DevicesRepository,
  type Executor,
  type Installation,
  type ListedUser,
  type UserDelivery,
  UserHistoryRepository,
  UsersRepository,
  variantOfUser,
} from '@postrider/persistence';
import { type HeavyCaller, HeavyReads, LOOK_LIMIT_MS } from '../heavy-reads/heavy-reads.service';
import { showDevice } from '../devices/show-installation';

const MOST_DEVICES = 100;

/** Finds users of one application. */
@Injectable()
export class FindUsers {
  constructor(
    private readonly users: UsersRepository,
    private readonly devices: DevicesRepository,
    @Inject(DATABASE) private readonly database: Database,
    private readonly heavyReads: HeavyReads,
  ) {}

  /**
   * Lists users by the beginnings of their ids, in the order of the ids.
   *
   * @throws the errors of `HeavyReads` for a query with an attribute
   */
  async list(caller: HeavyCaller, query: ListUsersQuery): Promise<UserListResponse> {
    const { prefix, cursor: afterId = '', limit } = query;
    const attribute = attributeOf(query);
    const asked = { prefix, attribute, afterId, limit: limit + 1 };
    const list = (executor: Executor): Promise<ListedUser[]> => this.users.list(executor, caller.appId, asked);
    // A search for a rare value reads every user.
    const found = await (attribute === null
      ? list(this.database)
      : this.heavyReads.run(caller, { limitMs: LOOK_LIMIT_MS }, list));
    const { entries, nextCursor } = cutList(found, limit, ({ userId }) => makeCursor(userId));
    return { users: entries.map((user) => ({ ...user, createdAt: user.createdAt.toISOString() })), nextCursor };
  }

  /** @throws DomainError NOT_FOUND */
  async find(appId: string, userId: string): Promise<UserResponse> {
    const [user, devices] = await Promise.all([
      this.users.find(appId, userId),
      this.devices.listOfUser(appId, userId, { afterDeviceId: NO_DEVICE, limit: MOST_DEVICES }),
    ]);
    if (!user && devices.length === 0) throw unknownUser();
    return {
      userId,
      tags: user?.tags ?? [],
      tagValues: user?.tagValues ?? {},
      attributes: user?.attributes ?? {},
      devices: await this.#withRoutes(appId, devices),
    };
  }

  /** Reachable means the same as in a send: the devices are routed in the same way. */
  async #withRoutes(appId: string, devices: readonly Installation[]): Promise<ReachableDeviceResponse[]> {
    const ids = devices.map(({ deviceId }) => deviceId);
    const routes = new Map((await routeDevices(this.database, appId, ids)).map((route) => [route.deviceId, route]));
    return devices.map((device) => {
      const { vendor = null, reason = null } = routes.get(device.deviceId) ?? {};
      return Object.assign(showDevice(appId, device), { reachedBy: vendor, unreachableReason: reason });
    });
  }
}

/** The attribute of the filter. Null: none. */
export function attributeOf({ attribute: name, value }: ListUsersQuery): { name: string; value: string } | null {
  return name === undefined || value === undefined ? null : { name, value };
}

/** The answer for a user that is unknown in this application. */
function unknownUser(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such user');
}

/** Behind every delivery: the highest message and the lowest device. */
const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff 0';

/** Lists what a user got. */
@Injectable()
export class ListUserDeliveries {
  constructor(private readonly history: UserHistoryRepository) {}

  /** The deliveries to a user's devices, newest first. Empty for an unknown user. */
  async list(
    appId: string,
    userId: string,
    { limit, cursor }: ListUserDeliveriesQuery,
  ): Promise<UserDeliveryListResponse> {
    const [beforeMessageId = '', beforeDeviceId = ''] = (cursor ?? NEWEST).split(' ');
    const found = await this.history.listDeliveries(appId, userId, {
      beforeMessageId,
      beforeDeviceId,
      limit: limit + 1,
    });
    const { entries, nextCursor } = cutList(found, limit, (last) => makeCursor(`${last.messageId} ${last.deviceId}`));
    return { deliveries: entries.map((delivery) => show({ appId, userId }, delivery)), nextCursor };
  }
}

function show(
  key: { appId: string; userId: string },
  { errorCode: error, createdAt, winner, ...delivery }: UserDelivery,
): UserDeliveryResponse {
  const { messageId, installationId, isCampaign, state, vendor, reason, language, content } = delivery;
  const variant = variantOfUser({ appId: key.appId, id: messageId, content, winner }, key.userId);
  return {
    messageId,
    installationId,
    isCampaign,
    state,
    vendor,
    error,
    reason,
    language,
    variant,
    createdAt: createdAt.toISOString(),
    content,
  };
}

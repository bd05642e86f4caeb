import { Injectable } from '@nestjs/common';
import { type ListUsersQuery, makeCursor, type UserListResponse, type UserResponse } from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import { DevicesRepository, UsersRepository } from '@postrider/persistence';
import { showDevice } from './show-device';

const MOST_DEVICES = 100;

/** Finds users of one application. */
@Injectable()
export class FindUsers {
  constructor(
    private readonly users: UsersRepository,
    private readonly devices: DevicesRepository,
  ) {}

  /** Users by the beginnings of their ids, in the order of the ids. */
  async list(appId: string, { prefix, cursor: afterId = '', limit }: ListUsersQuery): Promise<UserListResponse> {
    const found = await this.users.list(appId, { prefix, afterId, limit: limit + 1 });
    const users = found.slice(0, limit).map((user) => ({ ...user, createdAt: user.createdAt.toISOString() }));
    const last = users.at(-1);
    return { users, nextCursor: found.length > limit && last ? makeCursor(last.userId) : null };
  }

  /** @throws DomainError NOT_FOUND */
  async find(appId: string, userId: string): Promise<UserResponse> {
    const [user, devices] = await Promise.all([
      this.users.find(appId, userId),
      this.devices.listOfUser(appId, userId, { afterDeviceId: '0', limit: MOST_DEVICES }),
    ]);
    if (!user && devices.length === 0) throw unknownUser();
    return {
      userId,
      tags: user?.tags ?? [],
      tagValues: user?.tagValues ?? {},
      attributes: user?.attributes ?? {},
      devices: devices.map((device) => showDevice(appId, device)),
    };
  }
}

/** The answer for a user that is not known in this application. */
export function unknownUser(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such user');
}

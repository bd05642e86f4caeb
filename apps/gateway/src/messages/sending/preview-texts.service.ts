import { Inject, Injectable } from '@nestjs/common';
import type { PreviewResponse, SendRequest, UserPreviewResponse } from '@postrider/contracts';
import { type Clock, DomainError, reachOf, type Route, routeDevice } from '@postrider/domain';
import {
  ApplicationsRepository,
  type Database,
  DATABASE,
  DevicesRepository,
  PersonFactsRepository,
  type StoredPerson,
  type StoredUserFacts,
  VendorCredentialsRepository,
} from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import { SAMPLE_PROMO_CODE } from '@postrider/promo';
import {
  createPersonalFallback,
  type PersonFacts,
  type RenderableMessage,
  TemplateFailure,
} from '@postrider/rendering';
import { DevicePreview } from './device-preview';

const MAX_DEVICES = 10;

/** Shows what a message would look like on the devices of some users. Sends nothing, writes nothing, takes no promo code. */
@Injectable()
export class PreviewTexts {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly credentials: VendorCredentialsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly applications: ApplicationsRepository,
    private readonly devices: DevicesRepository,
    private readonly facts: PersonFactsRepository,
  ) {}

  /** @param request a message to users */
  async preview(appId: string, request: SendRequest): Promise<PreviewResponse> {
    const userIds = request.recipients.kind === 'users' ? request.recipients.userIds : [];
    const application = await this.applications.find(this.database, appId);
    if (application === null) throw new DomainError('NOT_FOUND', 'No such application');
    const now = this.clock.now();
    const message: RenderableMessage = {
      id: newId(now),
      kind: 'users',
      channel: request.channel,
      content: request.content,
      acceptedAt: now,
      expiresAt: new Date(now.getTime() + request.ttlSeconds * 1_000),
    };
    const routes = await this.#routes(appId, userIds, message);
    const people = await this.facts.findOfDevices(appId, [...routes.keys()]);
    const users = await this.facts.findOfUsers(appId, userIds);
    const device = new DevicePreview(message, application, now);
    const sms = await smsOf(
      message,
      userIds.map((userId) => userFactsOf(userId, users.get(userId))),
      now,
    );
    const shown = userIds.map(async (userId, place) => {
      const theirs = [...routes].flatMap(([deviceId, route]) => {
        const person = people.get(deviceId);
        return person?.userId === userId ? [device.of(personOf(person), route)] : [];
      });
      return { userId, devices: await Promise.all(theirs), ...sms[place] };
    });
    return { users: await Promise.all(shown) };
  }

  /** How each device of these users would be reached at this moment, by device. */
  async #routes(appId: string, userIds: readonly string[], message: RenderableMessage): Promise<Map<number, Route>> {
    const devices = await this.devices.findOfUsers(appId, userIds, MAX_DEVICES);
    const configured = (await this.credentials.list(appId)).map(({ vendor }) => vendor);
    const reach = reachOf(message.kind, message.content);
    return new Map(devices.map((device) => [device.deviceId, routeDevice(device, reach, configured)]));
  }
}

function personOf(stored: StoredPerson): PersonFacts {
  return { ...stored, promoCode: SAMPLE_PROMO_CODE };
}

function userFactsOf(userId: string, stored: StoredUserFacts | undefined): PersonFacts {
  return { attributes: {}, tags: [], tagValues: {}, ...stored, userId, device: null, promoCode: SAMPLE_PROMO_CODE };
}

async function smsOf(
  message: RenderableMessage,
  users: readonly PersonFacts[],
  now: Date,
): Promise<Pick<UserPreviewResponse, 'sms'>[]> {
  const { fallback } = message.content;
  if (fallback === undefined) return users.map(() => ({}));
  const texts = (await createPersonalFallback(message)?.textsFor(users, now)) ?? users.map(() => fallback.content);
  return texts.map((text) =>
    text instanceof TemplateFailure
      ? { sms: { problem: { code: text.code, message: text.message } } }
      : { sms: { text } },
  );
}

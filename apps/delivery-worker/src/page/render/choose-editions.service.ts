import { Injectable } from '@nestjs/common';
import {
  type DeviceId,
  type Edition,
  type EditionChoice,
  EditionChoices,
  hasEditions,
  LOCALE_ATTRIBUTE,
} from '@postrider/domain';
import { type PageDevice, PersonFactsRepository, variantOfUser } from '@postrider/persistence';
import type { PageRun } from '../run/page-run';

/**
 * Chooses the edition of the message that each device of a page gets. The choice depends on the message, the device and
 * its user alone, so a worker that repeats the page chooses the same. A message without editions costs nothing.
 */
@Injectable()
export class ChooseEditions {
  constructor(private readonly facts: PersonFactsRepository) {}

  /** Gives the run its editions. Users are read only if the device's locale has no language: one query a page. */
  async choose(run: PageRun): Promise<void> {
    const { content, winner } = run.page;
    if (!hasEditions(content)) return;
    const { appId, messageId: id } = run.key;
    const choices = new EditionChoices(content);
    const choiceOf = (device: PageDevice): EditionChoice =>
      choices.ofVariant(variantOfUser({ appId, id, content, winner }, device.userId));
    const editions = new Map<DeviceId, Edition>();
    const others: PageDevice[] = [];
    for (const device of run.waiting()) {
      const choice = choiceOf(device);
      const edition = choice.hasLanguages ? choice.ofLocale(device.locale) : choice.of();
      if (edition === null) others.push(device);
      else editions.set(device.id, edition);
    }
    const locales = await this.#localesOf(run.key.appId, others);
    for (const device of others) editions.set(device.id, choiceOf(device).of(locales.get(device.userId)));
    run.extras.editionsChosen(editions);
  }

  async #localesOf(appId: string, devices: readonly PageDevice[]): Promise<Map<string | null, unknown>> {
    const userIds = [...new Set(devices.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
    if (userIds.length === 0) return new Map();
    const users = await this.facts.findOfUsers(appId, userIds, { tags: false, attributes: [LOCALE_ATTRIBUTE] });
    return new Map([...users].map(([userId, { attributes }]) => [userId, attributes[LOCALE_ATTRIBUTE]]));
  }
}

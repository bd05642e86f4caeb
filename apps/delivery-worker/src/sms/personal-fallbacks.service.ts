import { Inject, Injectable } from '@nestjs/common';
import { type Clock, type Edition, EditionChoice } from '@postrider/domain';
import { type FallbackResult, type MessageKey, type MessageFacts } from '@postrider/persistence';
import { CLOCK, type Logger, LOGGER } from '@postrider/platform';
import {
  createPersonalFallback,
  isTemplate,
  messageOfEdition,
  type PersonalFallback,
  TemplateFailure,
} from '@postrider/rendering';
import { FallbackFacts } from './fallback-facts.service';
import { FallbackMetrics } from './fallback-metrics';
import { type ClaimedSms, FallbackRecords } from './fallback-records.service';

/** If the facts of an SMS could not be read, it is tried again after this time. */
const AGAIN_MS = 10_000;

const FAILED = { state: 'failed', providerMessageId: null, wakeAt: null } as const;
const NO_CODE: FallbackResult = {
  ...FAILED,
  errorCode: 'no_code',
  reason: 'Every promo code was given away before this user could get one',
};

/** An SMS that is ready to send, or why it is not sent. */
type Written = { sms: ClaimedSms } | { sms: ClaimedSms; result: FallbackResult };

/**
 * Writes SMS in the language of each user, and personal ones: reads the users and their promo codes once for all SMS of
 * a language that were claimed together.
 */
@Injectable()
export class PersonalFallbacks {
  constructor(
    private readonly facts: FallbackFacts,
    private readonly records: FallbackRecords,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: FallbackMetrics,
  ) {}

  /** @returns the SMS to send, with their users' texts; the results of the others are recorded */
  async write(key: MessageKey, claimed: readonly ClaimedSms[]): Promise<ClaimedSms[]> {
    if (!claimed.some(({ content, locales }) => locales !== null || isTemplate(content))) return [...claimed];
    const written = await this.#write(key, claimed);
    const unsent = written.filter((one) => 'result' in one);
    await Promise.all(unsent.map(({ sms, result }) => this.#record(key, sms, result)));
    return written.filter((one) => !('result' in one)).map(({ sms }) => sms);
  }

  async #write(key: MessageKey, claimed: readonly ClaimedSms[]): Promise<Written[]> {
    try {
      const message = await this.facts.findMessage(key);
      if (message === null) return claimed.map((sms) => ({ sms }));
      const editions = byEdition(message, claimed);
      return (await Promise.all(editions.map((edition) => this.#writeEdition(key, message, edition)))).flat();
    } catch (error) {
      this.logger.warn({ ...key, fallbacks: claimed.length, err: error }, 'fallback.not-written');
      const wakeAt = new Date(this.clock.now().getTime() + AGAIN_MS);
      const again = { providerMessageId: null, errorCode: 'not_written', reason: 'Its text could not be made', wakeAt };
      return claimed.map((sms) => ({ sms, result: { state: 'waiting', ...again } }));
    }
  }

  async #writeEdition(key: MessageKey, message: MessageFacts, { edition, claimed }: SmsOfEdition): Promise<Written[]> {
    // A scheduled message is dated by the time at which it is sent, as on a device.
    const own = messageOfEdition({ ...message, acceptedAt: message.sendAt ?? message.acceptedAt }, edition);
    const inLanguage = claimed.map((sms) => ({ ...sms, content: own.content.fallback?.content ?? sms.content }));
    const personal = createPersonalFallback(own);
    if (personal === null) return inLanguage.map((sms) => ({ sms }));
    try {
      return await this.#writeEach(key, own, personal, inLanguage);
    } catch (error) {
      if (error instanceof TemplateFailure) return claimed.map((sms) => written(sms, error));
      throw error;
    }
  }

  async #writeEach(
    { appId, messageId }: MessageKey,
    message: MessageFacts,
    personal: PersonalFallback,
    claimed: readonly ClaimedSms[],
  ): Promise<Written[]> {
    const userIds = claimed.map(({ userId }) => userId);
    const now = this.clock.now();
    const needs = await personal.needs();
    const users = needs.facts ? await this.facts.findUsers(appId, userIds) : null;
    const { trackId, content } = message;
    const codes = needs.promoCode
      ? await this.facts.claimCodes({ appId, messageId, trackId, userIds, isTest: content.isTest, now })
      : null;
    const skipsWithoutCode = codes !== null && (await this.facts.skipsWithoutCode(appId));
    const people = claimed.map(({ userId }) => {
      const known = users?.get(userId) ?? { attributes: {}, tags: [], tagValues: {} };
      return { ...known, userId, device: null, promoCode: codes?.get(userId) ?? null };
    });
    const texts = await personal.textsFor(people, now);
    return claimed.map((sms, place) =>
      skipsWithoutCode && people[place]?.promoCode === null ? { sms, result: NO_CODE } : written(sms, texts[place]),
    );
  }

  async #record(key: MessageKey, { userId, attempt }: ClaimedSms, result: FallbackResult): Promise<void> {
    try {
      const state = await this.records.record({ ...key, userId, attempt }, result);
      if (state === 'failed') this.metrics.countState(state, '');
    } catch (error) {
      this.logger.error({ ...key, err: error }, 'fallback.not-recorded');
    }
  }
}

/** The SMS that get the same edition of their message. */
interface SmsOfEdition {
  edition: Edition;
  claimed: ClaimedSms[];
}

function byEdition({ content }: MessageFacts, claimed: readonly ClaimedSms[]): SmsOfEdition[] {
  const choice = new EditionChoice(content);
  const editions = new Map<Edition, SmsOfEdition>();
  for (const sms of claimed) {
    const edition = choice.of(...(sms.locales ?? []));
    const others = editions.get(edition);
    if (others === undefined) editions.set(edition, { edition, claimed: [sms] });
    else others.claimed.push(sms);
  }
  return [...editions.values()];
}

function written(sms: ClaimedSms, text: string | TemplateFailure | undefined): Written {
  if (text instanceof TemplateFailure)
    return { sms, result: { ...FAILED, errorCode: text.code, reason: text.message } };
  if (text !== undefined && text.trim() !== '') return { sms: { ...sms, content: text } };
  return { sms, result: { ...FAILED, errorCode: 'template_failed', reason: 'The template gives this user no text' } };
}

import { Inject, Injectable } from '@nestjs/common';
import { type Clock, withoutTrailing } from '@postrider/domain';
import type { MessageKey } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, type Logger, LOGGER } from '@postrider/platform';
import type { SmsOutcome, SmsSender } from '@postrider/vendors';
import type { BreakerOpening } from '../route/breaker';
import { RouteReports } from '../route/route-reports.service';
import { decideFallbackStep } from './decide-fallback-step';
import { FallbackMetrics } from './fallback-metrics';
import { type ClaimedSms, FallbackRecords } from './fallback-records.service';
import type { SmsRoute } from './sms-route';

/** How long a request may take until it is written: for the name's address, a connection and its handshake. */
const WRITTEN_WITHIN_MS = 20_000;
/** Longer than a call can take, including the time for its record. */
const LEASE_MS = 120_000;

/** The provider is not asked about an SMS whose message has expired. */
const EXPIRED: SmsOutcome = {
  kind: 'expired',
  code: 'EXPIRED',
  reason: 'The message expired before the SMS could be handed to the provider',
};

/** An SMS whose row says that it is being written. `writtenBy`: it must not be written from then on. */
type BegunSms = ClaimedSms & { writtenBy: Date };

/** Hands claimed SMS to the provider, once, and records the results. */
@Injectable()
export class AttemptFallback {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: FallbackMetrics,
    private readonly reports: RouteReports,
    private readonly records: FallbackRecords,
  ) {}

  /**
   * Notes that these SMS are being written from now on. If this process dies before that, another process sends them.
   * @returns the SMS that still belong to the caller, which must attempt them at once
   */
  async begin(key: MessageKey, claimed: readonly ClaimedSms[]): Promise<BegunSms[]> {
    if (claimed.length === 0) return [];
    const { users, at } = await this.records.markWritten(key, claimed, LEASE_MS);
    const latest = new Date(at.getTime() + WRITTEN_WITHIN_MS);
    return claimed.flatMap((sms) =>
      users.has(sms.userId) ? [{ ...sms, writtenBy: sms.expiresAt < latest ? sms.expiresAt : latest }] : [],
    );
  }

  /** Attempts one SMS. Never throws: an attempt whose record is lost ends with its lease. */
  async attempt(key: MessageKey, sms: BegunSms, sender: SmsSender, route: SmsRoute): Promise<void> {
    const { appId, messageId } = key;
    const { fallbackId, attempt, expiresAt } = sms;
    const provider = sender.provider;
    try {
      const statusCallback = this.#callbackOf(appId, fallbackId, sender);
      const outcome = await this.#call(sms, sender, route, statusCallback);
      const now = this.clock.now();
      // The credentials may have changed meanwhile. What the former ones got says nothing of the present ones.
      if (route.sender === sender) this.#note(route, outcome, provider, now);
      const isReported = statusCallback !== undefined;
      const canBeAsked = sender.inquire !== undefined;
      const facts = { attempt, expiresAt, canBeAsked, isReported, resendsUnknown: route.resendsUnknown };
      const policy = { timeScale: this.config.retryTimeScale, random: Math.random };
      const result = decideFallbackStep(outcome, facts, now, policy);
      const state = await this.records.record({ ...key, userId: sms.userId, attempt }, result);
      if (state !== null && state !== 'waiting' && state === result.state) this.metrics.countState(state, provider);
      const code = result.errorCode;
      this.logger.info({ appId, messageId, fallbackId, provider, attempt, state, code }, 'fallback.attempted');
    } catch (error) {
      this.logger.error({ appId, messageId, fallbackId, provider, err: error }, 'fallback.not-recorded');
    }
  }

  /** Holds the route if the outcome says that the provider refuses the account, or does not answer. */
  #note(route: SmsRoute, outcome: SmsOutcome, provider: string, now: Date): void {
    const { appId } = route;
    const hold = route.recordOutcome(outcome);
    if (hold) this.logger.error({ appId, provider, ...hold, until: new Date(hold.until) }, 'fallback.route-held');
    this.#report(route, outcome, hold !== null, now);
  }

  /** Reports to every process that the provider holds us off, or that it works. */
  #report(route: SmsRoute, outcome: SmsOutcome, isHeld: boolean, now: Date): void {
    const key = { appId: route.appId, vendor: 'sms' as const };
    if (isHeld && outcome.kind !== 'accepted') {
      const { kind, code, reason } = outcome;
      const why = { kind, code, reason };
      route.isKnownToWork = false;
      route.lastError = { ...why, at: now };
      void this.reports.held(key, why as BreakerOpening, route.revision);
    }
    if (outcome.kind === 'accepted' && !route.isKnownToWork) {
      route.isKnownToWork = true;
      void this.reports.works(key, route.revision);
    }
  }

  async #call(
    sms: BegunSms,
    sender: SmsSender,
    route: SmsRoute,
    statusCallback: string | undefined,
  ): Promise<SmsOutcome> {
    // The claim and its records may have taken until then.
    if (sms.expiresAt <= this.clock.now()) return EXPIRED;
    return route.call(
      () => this.#send(sms, sender, statusCallback),
      () => this.clock.now().getTime(),
    );
  }

  #send(sms: BegunSms, sender: SmsSender, statusCallback: string | undefined): Promise<SmsOutcome> {
    const { phone: to, content: text, fallbackId: id, expiresAt, writtenBy } = sms;
    const mayWrite = (): boolean => this.clock.now() < writtenBy;
    const validitySeconds = Math.max(1, Math.floor((expiresAt.getTime() - this.clock.now().getTime()) / 1_000));
    const callback = statusCallback === undefined ? {} : { statusCallback };
    return sender.send({ to, text, id, validitySeconds, mayWrite, ...callback });
  }

  /** Returns the callback address, if the provider can reach us and accepts an address with the SMS. */
  #callbackOf(appId: string, fallbackId: string, { provider }: SmsSender): string | undefined {
    const { publicUrl } = this.config;
    if (publicUrl === undefined || provider !== 'twilio') return undefined;
    return `${withoutTrailing(publicUrl, '/')}/api/sms/status/twilio/${appId}?fallback=${fallbackId}`;
  }
}

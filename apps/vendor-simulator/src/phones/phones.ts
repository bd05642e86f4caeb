import type { Clock } from '@postrider/domain';
import type { Recipients } from '../inbox/inbox';
import type { KeptMessage } from '../inbox/message-ring';
import { planReports, type PlannedReport, type ReportKind } from './plan-reports';
import { readShownMessage, type ShownMessage } from './shown-message';

/** A phone: the token by which a vendor finds it, and the ids by which the gateway knows it. */
export interface Phone {
  /** For Web Push, the id at the end of the endpoint. */
  token: string;
  installationId: string;
  userId: string;
}

/** The phones of one application. */
export interface PhonesSetup {
  /** The gateway to report to. */
  gateway: string;
  /** An access token with the scope `devices`. */
  accessToken: string;
  phones: readonly Phone[];
  /** True if the people with these phones react by themselves. */
  react: boolean;
}

/** A person's action on a notification on the page of the simulator. */
export interface Tap {
  /** The message of the inbox. */
  id: number;
  kind: ReportKind;
  actionId?: string;
}

/** The state of reporting, for people who watch. */
export interface PhonesState {
  phones: number;
  reported: number;
  failed: number;
  waiting: number;
}

interface Report extends PlannedReport {
  phone: Phone;
  message: ShownMessage;
  at: number;
}

/** The most reports that wait: a phone beyond them reports nothing. */
const MOST_WAITING = 20_000;
const AT_ONCE = 8;
const TIMEOUT_MS = 10_000;

/**
 * The phones behind the tokens, and the people who hold them. When it has phones, it reports to the gateway what
 * happens to the messages that their vendors accepted, as apps do: delivered, shown, opened, a button pressed,
 * dismissed. Without phones it does nothing.
 */
export class Phones implements Recipients {
  private setup: PhonesSetup | null = null;
  private byToken = new Map<string, Phone>();
  private readonly queue: Report[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private inFlight = 0;
  private reported = 0;
  private failed = 0;

  constructor(private readonly clock: Clock) {}

  /** Replaces all phones by these. */
  replace(setup: PhonesSetup): void {
    this.setup = setup;
    this.byToken = new Map(setup.phones.map((phone) => [phone.token, phone]));
  }

  /** Returns the phone of a token; null: unknown. */
  ownerOf(token: string): Phone | null {
    return this.byToken.get(token) ?? null;
  }

  /** A message has come to a token. */
  receive(message: Pick<KeptMessage, 'token' | 'payload'>): void {
    const phone = this.byToken.get(message.token);
    if (phone === undefined || this.setup?.react !== true) return;
    const shown = readShownMessage(message.payload);
    if (shown === null) return;
    const begun = this.clock.now().getTime();
    for (const planned of planReports(message.token, shown, Math.random)) {
      this.later({ ...planned, phone, message: shown, at: begun + planned.afterMs });
    }
  }

  /**
   * Does with a message what a person does who taps it. @returns the status of the gateway's answer, or null when the message is none
   * that a phone can report about
   */
  async tap(message: Pick<KeptMessage, 'token' | 'payload'>, { kind, actionId }: Tap): Promise<number | null> {
    const phone = this.byToken.get(message.token);
    const shown = readShownMessage(message.payload);
    if (phone === undefined || shown === null) return null;
    const at = this.clock.now().getTime();
    return this.send({ kind, afterMs: 0, ...(actionId !== undefined && { actionId }), phone, message: shown, at });
  }

  /** Returns the state of reporting. */
  state(): PhonesState {
    const { reported, failed } = this;
    const waiting = this.timers.size + this.queue.length + this.inFlight;
    return { phones: this.byToken.size, reported, failed, waiting };
  }

  /** Ends all reporting. */
  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.queue.length = 0;
    this.setup = null;
  }

  private later(report: Report): void {
    if (this.timers.size + this.queue.length >= MOST_WAITING) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.queue.push(report);
      this.work();
    }, report.afterMs);
    timer.unref();
    this.timers.add(timer);
  }

  private work(): void {
    while (this.inFlight < AT_ONCE) {
      const report = this.queue.shift();
      if (report === undefined) return;
      this.inFlight += 1;
      void this.send(report).finally(() => {
        this.inFlight -= 1;
        this.work();
      });
    }
  }

  /** @returns the status of the answer; 0 when there was none */
  private async send({ phone, message, kind, actionId, at }: Report): Promise<number> {
    const { setup } = this;
    if (setup === null) return 0;
    const { messageId: msgId, trackId } = message;
    const event = { type: 1, actionType: kind, msgId, actionTs: Math.round(at), ...(trackId && { trackId }) };
    const eventData = [{ ...event, ...(actionId !== undefined && { actionId }) }];
    const { userId, installationId } = phone;
    const status = await fetch(`${setup.gateway}/api/installations/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-access-token': setup.accessToken },
      body: JSON.stringify({ userId, installationId, createdAt: Math.round(at), eventData }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(
      async (answer) => {
        await answer.arrayBuffer().catch(() => null);
        return answer.status;
      },
      () => 0,
    );
    if (status === 200) this.reported += 1;
    else this.failed += 1;
    return status;
  }
}

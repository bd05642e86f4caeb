import type { SmsInquiry, SmsOutcome, SmsProvider, SmsReport, SmsRequest, SmsSender } from '@postrider/vendors';

/** A provider that answers as the test says, and remembers its requests. */
export class FakeSmsSender implements SmsSender {
  provider: SmsProvider = 'http';
  readonly requests: SmsRequest[] = [];
  readonly inquiries: SmsInquiry[] = [];
  isClosed = false;

  constructor(
    public answer: (request: SmsRequest) => SmsOutcome | Promise<SmsOutcome> = taken,
    public known: SmsReport | 'absent' | null = null,
  ) {}

  /** The numbers that got an SMS, in order. */
  get numbers(): string[] {
    return this.requests.map(({ to }) => to);
  }

  async send(request: SmsRequest): Promise<SmsOutcome> {
    this.requests.push(request);
    return this.answer(request);
  }

  inquire(inquiry: SmsInquiry): Promise<SmsReport | 'absent' | null> {
    this.inquiries.push(inquiry);
    return Promise.resolve(this.known);
  }

  check(): Promise<{ ok: true }> {
    return Promise.resolve({ ok: true });
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

/** The provider accepts the SMS. */
export function taken({ to }: SmsRequest): SmsOutcome {
  return { kind: 'accepted', vendorMessageId: `id of ${to}` };
}

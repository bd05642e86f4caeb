import type { FaultBook, FaultReport } from '../faults/fault-book';
import type { FaultRule } from '../faults/fault-rule';
import { FAULT_SWITCHES, isOn, withSwitch } from '../faults/fault-switch';
import type { Inbox, InboxMessage, InboxQuery } from '../inbox/inbox';
import type { VendorStats } from '../inbox/vendor-counter';
import type { Phones, PhonesSetup, PhonesState, Tap } from '../phones/phones';
import type { Settings } from '../settings/settings';
import type { VendorApiName } from '../vendors/vendor-api';
import type { Subscriptions, WebPushSubscription } from '../vendors/webpush/subscriptions';

/** The parts that `Controls` control. */
interface ControlledParts {
  /** The address of the vendors. */
  origin: string;
  inbox: Inbox;
  faults: FaultBook;
  phones: Phones;
  settings: Settings;
  subscriptions: Subscriptions;
  /** Tells the open sessions how many streams they may have. */
  limitStreams: (maxConcurrentStreams: number) => void;
}

/** Everything that can be asked of a running simulator and done to it, in process; the control port offers the same. */
export class Controls {
  constructor(private readonly parts: ControlledParts) {}

  /** Accepted messages, newest first. */
  messages(query: Partial<InboxQuery> = {}): InboxMessage[] {
    return this.parts.inbox.read({ limit: 100, ...query });
  }

  /** How many messages all vendors have accepted since the inbox was last cleared. */
  get accepted(): number {
    return this.parts.inbox.size;
  }

  /** Exact counts since the inbox was last cleared, by vendor. */
  stats(): Partial<Record<VendorApiName, VendorStats>> {
    return this.parts.inbox.stats();
  }

  /** Returns how often each counted token of a vendor was seen. */
  tokens(vendor: VendorApiName): Iterable<[string, number]> {
    return this.parts.inbox.counter(vendor).tokens();
  }

  /** Forgets messages and counts. */
  clearInbox(): void {
    this.parts.inbox.clear();
  }

  /** Changes whenever the inbox is cleared, and with every start. */
  get generation(): number {
    return this.parts.inbox.generation;
  }

  /** Returns the fault rules in force and their effects so far. */
  faults(): FaultReport[] {
    return this.parts.faults.report();
  }

  /** Puts these rules in place of all others. */
  setFaults(rules: readonly FaultRule[]): void {
    this.parts.faults.replace(rules);
  }

  /** The faults of the page, and which of them are on. */
  switches(): { name: string; label: string; isOn: boolean }[] {
    const rules = this.faults();
    return FAULT_SWITCHES.map((one) => ({ name: one.name, label: one.label, isOn: isOn(one, rules) }));
  }

  /** Switches one of them; other rules stay. @returns false when none has that name */
  switchFault(name: string, on: boolean): boolean {
    const found = FAULT_SWITCHES.find((one) => one.name === name);
    if (found === undefined) return false;
    const rules = this.faults().map(({ vendor, match, fault }) => ({ vendor, ...(match && { match }), fault }));
    this.setFaults(withSwitch(found, on, rules));
    return true;
  }

  /** Replaces all phones by these: they report what happens to the messages that their vendors accept. */
  setPhones(setup: PhonesSetup): void {
    this.parts.phones.replace(setup);
  }

  /** Returns the state of the phones' reporting. */
  phones(): PhonesState {
    return this.parts.phones.state();
  }

  /** Taps a message of the inbox as its user would. @returns the gateway's status, null when no phone can report about it */
  async tap(tap: Tap): Promise<number | null> {
    const message = this.parts.inbox.find(tap.id);
    return message === null ? null : this.parts.phones.tap(message, tap);
  }

  get settings(): Readonly<Settings> {
    return this.parts.settings;
  }

  /** Changes settings; settings that are not named stay. */
  configure(settings: Partial<Settings>): void {
    const { maxConcurrentStreams: before } = this.parts.settings;
    Object.assign(this.parts.settings, settings);
    const { inboxSize, countedTokens, maxConcurrentStreams } = this.parts.settings;
    this.parts.inbox.resize({ inboxSize, countedTokens });
    if (maxConcurrentStreams !== before) this.parts.limitStreams(maxConcurrentStreams);
  }

  /** Makes a Web Push subscription, bound to a VAPID public key if one is given. */
  subscribe(applicationServerKey?: string, prefix = ''): WebPushSubscription {
    return this.parts.subscriptions.make(this.parts.origin, applicationServerKey, prefix);
  }
}

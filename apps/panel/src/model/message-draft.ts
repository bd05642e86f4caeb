import { DAY_SECONDS, type WinnerMetric } from '@postrider/domain';
import { wallTime } from './scheduled-message';
import { type GroupDraft, newGroup } from './segment-draft';

/** A way to say whom a message goes to. */
export type AudienceKind = 'segment' | 'saved' | 'users' | 'file' | 'everyone';

/** The ways by which a message may reach a device. */
export const REACHES = ['any', 'vendor', 'inApp', 'live'] as const;

/** `any`: the best way each device has; `vendor`: push of its vendor only; `inApp`, `live`: over the app's connection. */
export type Reach = (typeof REACHES)[number];

/** A button of the notification as it is being written. */
export interface ActionDraft {
  key: string;
  id: string;
  title: string;
  url: string;
  icon: string;
  /** Bit flags, iOS: 1 unlock first, 2 destructive, 4 opens the app. */
  options: number;
}

/** The differences of a message in one language, while it is written; '' = as in the default. */
export interface LanguageDraft {
  key: string;
  /** BCP 47. */
  tag: string;
  title: string;
  content: string;
  alertText: string;
  clickUrl: string;
  sms: string;
}

/** The differences of a message for a part of its users, while it is written; '' = as in the message. */
export interface VariantDraft {
  key: string;
  name: string;
  /** Its share is this among the weights of all variants. */
  weight: string;
  title: string;
  content: string;
  alertText: string;
  clickUrl: string;
  mediaUrl: string;
  /** Empty = the actions of the message. */
  actions: ActionDraft[];
  data: string;
  /** Other differences: JSON, with the names of the API. */
  more: string;
  languages: LanguageDraft[];
}

/** Who chooses the best variant. `none`: every user gets a variant at once, and nobody waits for the best. */
export type WinnerKind = 'none' | 'hand' | 'figures';

/**
 * How the best variant is chosen. The API has one way for `hand` and `figures`: the figures choose if no person has
 * chosen in time.
 */
export interface WinnerDraft {
  kind: WinnerKind;
  metric: WinnerMetric;
  after: { amount: string; unit: TtlUnit };
  /** The percentage of users who get variants before the best is known. */
  share: string;
}

/** When a message is sent. `each`: at that time of the day in the time zone of each device. */
export type ScheduleKind = 'now' | 'at' | 'each';

/** The saved form of a message on the server. */
export interface SavedAs {
  id: string;
  revision: number;
  /** Distinguishes the saved content from content that was written since. */
  print: string;
}

/** The template that a message was begun with. */
export interface TemplateOrigin {
  id: string;
  name: string;
  version: number;
  /** The fields that it sets, as paths in the body of a send: `['notification', 'title']`. */
  says: string[][];
}

/** A message as it is being written. Everything typed is text as it stands in its field. */
export interface MessageDraft {
  /** The draft on the server that this is, and the revision that it was made from. */
  saved?: SavedAs | undefined;
  /** The name that its author gave it; '' = its title or text. */
  name: string;
  template: TemplateOrigin | null;
  /** Values of the variables of the template that it was begun with. */
  variables: {
    name: string;
    value: string;
    isRequired: boolean;
    description: string;
    /** True if its usual value is something else than text: a number, a boolean, a list. */
    isJson?: boolean;
  }[];
  /** Names this draft for the API: however often its button is pressed, it is sent once. */
  draftId: string;
  audience: {
    kind: AudienceKind;
    users: string;
    segment: GroupDraft;
    segmentId: string;
    /** The file that user ids came from; the ids are not kept here. */
    fileName: string;
  };
  /** '' = every channel. */
  channel: string;
  reach: Reach;
  title: string;
  content: string;
  /** The text of the notification if it is not `content`. */
  alertText: string;
  clickUrl: string;
  mediaUrl: string;
  actions: ActionDraft[];
  /** Beside the default. */
  languages: LanguageDraft[];
  /** Empty, or two and more. */
  variants: VariantDraft[];
  winner: WinnerDraft;
  silent: boolean;
  autoNotify: boolean;
  trackLinks: boolean;
  ignoreQuietHours: boolean;
  /** For a campaign: it is also sent to users who have had enough campaigns. */
  ignoreFrequencyCap: boolean;
  /** For a message to named users: it counts like a campaign, and the caps apply to it. */
  countsTowardsCap: boolean;
  contentAvailable: boolean;
  mutableContent: boolean;
  sound: string;
  icon: string;
  smallIcon: string;
  ledColor: string;
  category: string;
  groupId: string;
  mediaType: string;
  data: string;
  /** The part without fields in the form: JSON, with the names of the API. */
  more: string;
  trackId: string;
  clientId: string;
  ttl: { amount: string; unit: TtlUnit };
  fallback: { isOn: boolean; content: string; delay: string; onlyShown: boolean };
  schedule: { kind: ScheduleKind; at: string };
  /** Devices a second; '' = as fast as the vendors take them. */
  rate: string;
  /** The percentage of users who get nothing, to compare the others with; '' = none. */
  holdout: string;
}

/** The units in which a message's life is given. */
export const TTL_SECONDS = { minutes: 60, hours: 3_600, days: DAY_SECONDS } as const;

/** One of them. */
export type TtlUnit = keyof typeof TTL_SECONDS;

/** A message with nothing written yet. */
export function newMessage(draftId: string): MessageDraft {
  return {
    draftId,
    name: '',
    template: null,
    variables: [],
    audience: { kind: 'segment', users: '', segment: newGroup('all'), segmentId: '', fileName: '' },
    channel: '',
    reach: 'any',
    title: '',
    content: '',
    alertText: '',
    clickUrl: '',
    mediaUrl: '',
    actions: [],
    languages: [],
    variants: [],
    winner: { kind: 'none', metric: 'opened', after: { amount: '4', unit: 'hours' }, share: '20' },
    silent: false,
    autoNotify: false,
    trackLinks: false,
    ignoreQuietHours: false,
    ignoreFrequencyCap: false,
    countsTowardsCap: false,
    contentAvailable: false,
    mutableContent: false,
    sound: '',
    icon: '',
    smallIcon: '',
    ledColor: '',
    category: '',
    groupId: '',
    mediaType: '',
    data: '',
    more: '',
    trackId: '',
    clientId: '',
    ttl: { amount: '', unit: 'hours' },
    fallback: { isOn: false, content: '', delay: '60', onlyShown: false },
    schedule: { kind: 'now', at: '' },
    rate: '',
    holdout: '',
  };
}

/** True if nothing is written that would be worth keeping. */
export function isBlank(draft: MessageDraft): boolean {
  const { audience, trackId } = draft;
  const empty = { ...newMessage(draft.draftId), saved: draft.saved, trackId };
  const isUnaddressed = audience.users === '' && audience.segmentId === '' && audience.segment.members.length === 0;
  return (
    isUnaddressed && JSON.stringify(sorted({ ...draft, audience: empty.audience })) === JSON.stringify(sorted(empty))
  );
}

/**
 * A draft as it is kept on the server, as JSON: always the same for the same draft. Where it is kept does not belong to it, nor the
 * name of the send: a copy is another message.
 */
export function storedForm(draft: MessageDraft): string {
  const form: Partial<MessageDraft> = { ...draft };
  delete form.saved;
  delete form.draftId;
  const { schedule } = draft;
  return JSON.stringify(sorted({ ...form, schedule: { ...schedule, at: storedTime(schedule) } }));
}

/** A moment is kept as one: whoever opens the draft in another time zone sees it on their clock. */
function storedTime({ kind, at }: MessageDraft['schedule']): string {
  return kind !== 'at' || Number.isNaN(Date.parse(at)) ? at : new Date(at).toISOString();
}

function typedTime({ kind, at }: MessageDraft['schedule']): string {
  return kind === 'at' && at.endsWith('Z') ? wallTime(new Date(at)) : at;
}

/** A draft that was kept on the server. What another version of the panel kept otherwise is as in an empty one. */
export function draftOfStored(
  { id, revision, message }: { id: string; revision: number; message: Record<string, unknown> },
  draftId: string,
): MessageDraft {
  const empty = newMessage(draftId);
  const known = Object.entries(message).filter(
    ([key, value]) => key in empty && key !== 'draftId' && typeof value === typeof empty[key as keyof MessageDraft],
  );
  const form = Object.fromEntries(known) as Partial<MessageDraft>;
  const audience = { ...empty.audience, ...form.audience };
  const schedule = { ...empty.schedule, ...form.schedule };
  const draft = { ...empty, ...form, audience, schedule: { ...schedule, at: typedTime(schedule) } };
  return { ...draft, saved: { id, revision, print: printOf(storedForm(draft)) } };
}

/** True if the server has the draft as it is here. */
export function isStored(draft: MessageDraft): boolean {
  return draft.saved !== undefined && draft.saved.print === printOf(storedForm(draft));
}

/** A short text that is another one for nearly every other text (FNV-1a). */
export function printOf(text: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01_00_01_93);
  return `${text.length}-${(hash >>> 0).toString(36)}`;
}

/** The longest name of a draft, in characters. */
export const MAX_DRAFT_NAME = 80;

/** Returns the name of a draft: the author's, or its title or text. */
export function draftName({ name, title, content }: MessageDraft): string {
  const shown = [name, title, content].map((text) => text.trim().replace(/\s+/g, ' ')).find((text) => text !== '');
  return [...(shown ?? 'Untitled')].slice(0, MAX_DRAFT_NAME).join('');
}

function sorted(form: object): object {
  return Object.fromEntries(Object.entries(form).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** True if the audience is chosen by rules: the API lists it as a campaign, and accepts no fallback with it. */
export function isCampaign({ audience }: MessageDraft): boolean {
  return audience.kind === 'segment' || audience.kind === 'saved';
}

/** True if the audience is named user by user. */
export function namesUsers({ audience }: MessageDraft): boolean {
  return audience.kind === 'users' || audience.kind === 'file';
}

/**
 * Returns when a draft is sent. A message for this moment only cannot wait, and named users have one moment for all.
 */
export function scheduleKindOf(draft: MessageDraft): ScheduleKind {
  const { kind } = draft.schedule;
  if (draft.reach === 'live') return 'now';
  return kind === 'each' && namesUsers(draft) ? 'at' : kind;
}

/** True if a speed limit says anything: nothing is pushed to open apps alone. */
export function takesRate({ reach }: MessageDraft): boolean {
  return reach === 'any' || reach === 'vendor';
}

/** True if some users get nothing. Whoever is named gets the message. */
export function holdsOut(draft: MessageDraft): boolean {
  return !namesUsers(draft) && Number(draft.holdout) !== 0;
}

/** True if different users get different content. Whoever is named gets the message as it is. */
export function hasTest(draft: MessageDraft): boolean {
  return !namesUsers(draft) && draft.variants.length > 0;
}

/** The user ids that were typed or pasted, one a line or between commas, each once. */
export function readTypedUsers(text: string): string[] {
  const ids = text.split(/[\n,;]/).map((id) => id.trim());
  return [...new Set(ids.filter((id) => id !== ''))];
}

import { type GroupDraft, newGroup } from './segment-draft';

/** The ways to say whom a message goes to. */
export const AUDIENCE_KINDS = ['segment', 'saved', 'users', 'file', 'everyone'] as const;

/** One of them. */
export type AudienceKind = (typeof AUDIENCE_KINDS)[number];

/** How a message may reach a device. */
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

/** When a message goes out. `each`: at that time of the day in the time zone of each device. */
export type ScheduleKind = 'now' | 'at' | 'each';

/** A message as it is being written. Everything typed is text as it stands in its field. */
export interface MessageDraft {
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
  /** '' = everybody. */
  channel: string;
  reach: Reach;
  title: string;
  content: string;
  /** What the notification says when it is not `content`. */
  alertText: string;
  clickUrl: string;
  mediaUrl: string;
  actions: ActionDraft[];
  silent: boolean;
  autoNotify: boolean;
  trackLinks: boolean;
  ignoreQuietHours: boolean;
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
  trackId: string;
  clientId: string;
  ttl: { amount: string; unit: TtlUnit };
  fallback: { isOn: boolean; content: string; delay: string; onlyShown: boolean };
  schedule: { kind: ScheduleKind; at: string };
  /** Devices a second; '' = as fast as the vendors take them. */
  rate: string;
}

/** The units in which a message's life is given. */
export const TTL_SECONDS = { minutes: 60, hours: 3_600, days: 86_400 } as const;

/** One of them. */
export type TtlUnit = keyof typeof TTL_SECONDS;

/** A message with nothing written yet. */
export function newMessage(draftId: string): MessageDraft {
  return {
    draftId,
    audience: { kind: 'segment', users: '', segment: newGroup('all'), segmentId: '', fileName: '' },
    channel: '',
    reach: 'any',
    title: '',
    content: '',
    alertText: '',
    clickUrl: '',
    mediaUrl: '',
    actions: [],
    silent: false,
    autoNotify: false,
    trackLinks: false,
    ignoreQuietHours: false,
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
    trackId: '',
    clientId: '',
    ttl: { amount: '', unit: 'hours' },
    fallback: { isOn: false, content: '', delay: '60', onlyShown: false },
    schedule: { kind: 'now', at: '' },
    rate: '',
  };
}

/** Whether the audience is chosen by rules: the API lists it as a campaign, and takes no fallback with it. */
export function isCampaign({ audience }: MessageDraft): boolean {
  return audience.kind === 'segment' || audience.kind === 'saved';
}

/** Whether the audience is named user by user. */
export function namesUsers({ audience }: MessageDraft): boolean {
  return audience.kind === 'users' || audience.kind === 'file';
}

/** When a draft goes out. What is for this moment cannot wait, and named users have one moment for all. */
export function scheduleKindOf(draft: MessageDraft): ScheduleKind {
  const { kind } = draft.schedule;
  if (draft.reach === 'live') return 'now';
  return kind === 'each' && namesUsers(draft) ? 'at' : kind;
}

/** Whether a speed limit says anything: nothing is pushed to open apps alone. */
export function takesRate({ reach }: MessageDraft): boolean {
  return reach === 'any' || reach === 'vendor';
}

/** The user ids that were typed or pasted, one a line or between commas, each once. */
export function readTypedUsers(text: string): string[] {
  const ids = text.split(/[\n,;]/).map((id) => id.trim());
  return [...new Set(ids.filter((id) => id !== ''))];
}

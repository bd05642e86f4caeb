const FORM =
  /^(?<date>\d\d\d\d-\d\d-\d\d)(T(?<time>\d\d:\d\d(:\d\d)?)(?<fraction>(?<=:\d\d:\d\d)\.\d{1,9})?(?<offset>Z|[+-](0\d|1[0-5]):[0-5]\d)?)?$/;

/** Microseconds since 1970 of an ISO 8601 text, or null: a date that does not come back from a calendar is none. */
export function referenceMoment(text: unknown): number | null {
  const parts = typeof text === 'string' ? FORM.exec(text)?.groups : undefined;
  if (!parts || parts.date?.startsWith('0000')) return null;
  const local = `${parts.date}T${(parts.time ?? '00:00').padEnd(8, ':00')}.000Z`;
  const moment = new Date(local);
  if (Number.isNaN(moment.getTime()) || moment.toISOString() !== local) return null;
  return moment.getTime() * 1000 - offsetMicros(parts.offset) + Math.round(Number(`0${parts.fraction ?? ''}`) * 1e6);
}

function offsetMicros(offset = 'Z'): number {
  if (offset === 'Z') return 0;
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60e6;
}

/** Microseconds since 1970 of `6h`, `30m`, `2d` ago, or of an ISO 8601 text. */
export function referenceMomentOrAge(text: string, now: Date): number | null {
  const age = /^(\d+(?:\.\d+)?)([mhd])$/.exec(text);
  if (!age) return referenceMoment(text);
  const minutes = Number(age[1]) * { m: 1, h: 60, d: 1440 }[age[2] as 'd' | 'h' | 'm'];
  return now.getTime() * 1000 - Math.round(minutes * 60e6);
}

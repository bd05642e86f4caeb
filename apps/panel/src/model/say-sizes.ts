import type { SegmentSizesResponse } from '../api/generated/document';
import { formatCount, formatMoment, formatNoun } from '../components/format';

type Size = SegmentSizesResponse['sizes'][number];

/** `12 more than 3 Nov 2025, 10:00`. */
export function sayChange(first: Size, last: Size): string {
  const more = last.devices - first.devices;
  if (first.at === last.at) return 'all that match';
  if (more === 0) return `as many as ${formatMoment(first.at)}`;
  return `${formatCount(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than ${formatMoment(first.at)}`;
}

/** A curve of sizes for somebody who does not see it: its ends, its least and its most. */
export function saySizes(sizes: readonly Size[]): string {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (!first || !last) return 'Nothing was measured';
  const ends = `From ${formatNoun(first.devices, 'device')} on ${formatMoment(first.at)} to ${formatCount(last.devices)} on ${formatMoment(last.at)}`;
  const devices = sizes.map((size) => size.devices);
  return `${ends}; at least ${formatCount(Math.min(...devices))}, at most ${formatCount(Math.max(...devices))}`;
}

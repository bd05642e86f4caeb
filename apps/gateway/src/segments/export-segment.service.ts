import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type ExportedDevice, exportSlice, nextWindow, type RulesSelection } from '@postrider/audience';
import { type HeavyCaller, HeavyReads, EXPORT_PATIENCE_MS, LOOK_LIMIT_MS } from '../heavy-reads/heavy-reads.service';
import { csvLine, openText, tagsField } from '../http/csv';

const COLUMNS = ['installationId', 'userId', 'deviceType', 'clientVersion', 'osVersion', 'launchTime', 'tags'];

/** The number of devices that one statement returns, and of installations that the first one reads. */
const SLICE_SIZE = 1_000;

/** Writes the devices of a group as CSV. */
@Injectable()
export class ExportSegment {
  constructor(private readonly heavyReads: HeavyReads) {}

  /**
   * The group's devices as CSV text (RFC 4180) in the order in which they registered. Memory holds one slice of them,
   * and the next one is read when the caller has consumed the last: each is a heavy read of its own, and a slow caller
   * holds up nobody. A device that changes meanwhile is written as it was when its slice was read.
   *
   * @throws the errors of the first statement; later failures interrupt the stream
   */
  async open(selection: RulesSelection, caller: HeavyCaller): Promise<Readable> {
    return openText(this.#lines(selection, caller));
  }

  async *#lines(selection: RulesSelection, caller: HeavyCaller): AsyncGenerator<string, void> {
    let text = csvLine(COLUMNS);
    let from = '0';
    let size = SLICE_SIZE;
    for (;;) {
      const stretch = { from, size, limit: SLICE_SIZE };
      const limits = { limitMs: LOOK_LIMIT_MS, ...(from === '0' ? {} : { patienceMs: EXPORT_PATIENCE_MS }) };
      const slice = await this.heavyReads.run(caller, limits, (executor) => exportSlice(executor, selection, stretch));
      text += slice.devices.map(lineOf).join('');
      if (text !== '') yield text;
      if (slice.isLast) return;
      text = '';
      from = slice.through;
      size = nextWindow(size, slice.devices.length, SLICE_SIZE);
    }
  }
}

function lineOf(device: ExportedDevice): string {
  const { installationId, userId, deviceType, clientVersion, osVersion, launchTime } = device;
  return csvLine([
    installationId,
    userId,
    deviceType ?? '',
    clientVersion ?? '',
    osVersion ?? '',
    launchTime.toISOString(),
    tagsField(device),
  ]);
}

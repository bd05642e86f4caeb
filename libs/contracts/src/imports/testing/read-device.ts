import type { ImportFormat } from '@postrider/domain';
import { type ImportedDevice, type ImportOptions, readImported } from '../read-imported';

/** The options of a file of a format. */
export function importOptions(format: ImportFormat, more: Partial<ImportOptions> = {}): ImportOptions {
  return { format, mapping: null, pushType: null, ...more };
}

/** Reads a record that is a device. @throws if it is none */
export function readDevice(record: Record<string, unknown>, options: ImportOptions): ImportedDevice {
  const reading = readImported(record, options);
  if (!('device' in reading)) throw new Error(JSON.stringify(reading));
  return reading.device;
}

import type { ImportFormat } from '@postrider/domain';
import { type ColumnChoice, type FilePreview, mappingOf, twiceChosen } from './import-file';
import type { ImportOrder } from './use-import';

/** The choices about a file. */
export interface Choices {
  format: string;
  pushType: string | null;
  hasHeader: boolean;
  validates: boolean;
  columns: ColumnChoice;
}

/** The most characters in the name of an import. */
const MOST_NAME = 255;

export const RECOGNISED = 'recognise';
export const MAPPED = 'mapping';
export const NOTHING: Choices = { format: RECOGNISED, pushType: null, hasHeader: true, validates: false, columns: {} };

export const FORMATS = [
  { value: RECOGNISED, label: 'Recognise it' },
  { value: 'onesignal', label: 'OneSignal export' },
  { value: 'parse', label: 'Parse Server _Installation' },
  { value: 'sns', label: 'Amazon SNS endpoints' },
  { value: 'pinpoint', label: 'Amazon Pinpoint endpoints' },
  { value: 'webpush', label: 'Web Push subscriptions' },
  { value: 'tokens', label: 'A list of tokens' },
  { value: MAPPED, label: 'Other: choose its columns' },
];

export const PUSH_TYPES = [
  { value: 'fcm', label: 'Firebase (FCM)' },
  { value: 'apns', label: 'Apple (APNs)' },
  { value: 'hms', label: 'Huawei (HMS)' },
  { value: 'webpush', label: 'Web Push' },
];

/** The format by which the gateway will read the file. Null: none is recognised. */
export function formatOf({ format }: FilePreview, choices: Choices): ImportFormat | null {
  return choices.format === RECOGNISED ? format : (choices.format as ImportFormat);
}

/** True if nothing more has to be chosen: the gateway would take the file. */
export function isComplete(preview: FilePreview, choices: Choices): boolean {
  if (choices.pushType === null && needsPushService(preview, choices)) return false;
  if (hasUnknownColumns(preview, choices)) return false;
  if (choices.format !== MAPPED) return true;
  return 'deviceToken' in (mappingOf(choices.columns) ?? {}) && twiceChosen(choices.columns).size === 0;
}

/** True if the gateway would refuse a table: somebody has to say what its columns contain. */
function hasUnknownColumns(preview: FilePreview, { format, hasHeader }: Choices): boolean {
  const isTable = preview.kind.contentType === 'text/csv';
  return format === RECOGNISED && hasHeader && isTable && preview.format === null;
}

/**
 * True if the push service has to be chosen: nothing in the file says whose tokens it has. A mapping says it by the push
 * service, or by the type of the device.
 */
export function needsPushService(preview: FilePreview, choices: Choices): boolean {
  const { kind } = preview;
  const format = formatOf(preview, choices);
  if (format === MAPPED)
    return !Object.values(choices.columns).some((field) => ['pushType', 'deviceType'].includes(field));
  return format === 'tokens' || (format === 'sns' && kind.contentType === 'text/csv');
}

/** The upload of the file by the choices. */
export function orderOf(
  file: File,
  { kind }: FilePreview,
  { format, pushType, hasHeader, validates, columns }: Choices,
): ImportOrder {
  const mapping = format === MAPPED ? mappingOf(columns) : null;
  const query = {
    // The list of imports does without a longer one.
    ...(file.name.length <= MOST_NAME ? { name: file.name } : {}),
    ...(format === RECOGNISED || format === MAPPED ? {} : { format }),
    ...(pushType === null ? {} : { pushType }),
    ...(hasHeader ? {} : { header: 'false' }),
    ...(validates ? { validate: 'true' } : {}),
    ...(mapping === null ? {} : { mapping: JSON.stringify(mapping) }),
  };
  return { file, kind, query };
}

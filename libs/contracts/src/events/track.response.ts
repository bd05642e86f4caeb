import { CountField, FlagField, IdField, ListField, TextField, TimeField } from '../validation/answers';
import { SaysOfClass } from '../validation/field';

/** The number of tracked events. */
@SaysOfClass({ examples: [{ queued: true, n: 1 }] })
export class TrackResponse {
  @FlagField({ description: 'always true: the events are recorded' }) queued!: boolean;
  @CountField({ description: 'events that are recorded' }) n!: number;
}

/** A device whose vendor token the vendor called dead. */
export class UninstallResponse {
  @TimeField({ description: "the time of the vendor's answer" }) time!: string;
  @IdField() installationId!: string;
  @TextField({ isNullable: true }) deviceType!: string | null;
  @TextField({ description: 'whose the device was' }) userId!: string;
}

/** Devices that were uninstalled in a span of time. */
export class UninstallReportResponse {
  @CountField({ description: 'all of them, in `data` or not' }) count!: number;
  @ListField(() => UninstallResponse) data!: UninstallResponse[];
}

import type { JsonObject } from '@postrider/domain';
import type { JobOptions } from './job-options';

/** How one request or event differs from its job's definition. */
export interface RecordOptions extends JobOptions {
  /** Milliseconds that `send()` waits for the reply. */
  timeoutMs?: number;
}

/** A payload with options, where a `ClientProxy` takes a payload: `client.emit(resolveMessage, new JobRecord(payload, { delayMs }))`. */
export class JobRecord<Payload extends JsonObject> {
  constructor(
    readonly payload: Payload,
    readonly options: RecordOptions = {},
  ) {}
}

import {
  type ApnsPayload,
  type FcmPayload,
  type JsonObject,
  type PayloadFilling,
  TextWithGaps,
} from '@postrider/domain';

/** An FCM payload for one device. As an object it is made only when somebody looks at it. */
export class FilledFcmPayload implements FcmPayload {
  readonly vendor = 'fcm';
  readonly isForOne = true;

  constructor(readonly filling: PayloadFilling<FcmPayload>) {}

  get message(): JsonObject {
    return filledObject(this.filling.shape.message, this.filling);
  }
}

/** The same for APNs. */
export class FilledApnsPayload implements ApnsPayload {
  readonly vendor = 'apns';
  readonly isForOne = true;
  readonly pushType: ApnsPayload['pushType'];
  readonly priority: ApnsPayload['priority'];
  readonly collapseId?: string;

  constructor(readonly filling: PayloadFilling<ApnsPayload>) {
    const { pushType, priority, collapseId } = filling.shape;
    this.pushType = pushType;
    this.priority = priority;
    if (collapseId !== undefined) this.collapseId = collapseId;
  }

  get body(): JsonObject {
    return filledObject(this.filling.shape.body, this.filling);
  }
}

function filledObject(object: JsonObject, { nonce, values }: PayloadFilling<unknown>): JsonObject {
  return JSON.parse(new TextWithGaps(JSON.stringify(object), nonce).fill(values)) as JsonObject;
}

import { DELIVERY_VENDORS, type DeliveryVendor } from '@postrider/domain';
import { CountField, CountsField, IdField, ListField, TextField, TimeField, WordField } from '../validation/answers';

/** From when to when a message goes out; null when nobody gets it, because the quiet hours outlast it. */
export class SendSpanResponse {
  @TimeField({ isNullable: true }) firstAt!: string | null;
  @TimeField({ isNullable: true }) lastAt!: string | null;
}

/** A device that a send would go to. */
export class SampledDeviceResponse {
  @IdField() installationId!: string;
  @TextField() userId!: string;
  @WordField(DELIVERY_VENDORS) vendor!: DeliveryVendor;
}

/** What a send answers; all but the count with `dryRun` only. */
export class SendResponse {
  @CountField({ description: 'devices that the message is sent to' }) count!: number;

  @CountsField({ isOptional: true, description: 'the number of devices by vendor; in the answer to a dry run' })
  byVendor?: Partial<Record<DeliveryVendor, number>>;

  @ListField(() => SampledDeviceResponse, {
    isOptional: true,
    description: 'a sample of the devices; in the answer to a dry run',
  })
  sample?: SampledDeviceResponse[];

  @ListField(() => SendSpanResponse, {
    isOptional: true,
    description:
      'when each message starts and ends; in the answer to a dry run, for messages that are scheduled, have a rate or wait for quiet hours to end',
  })
  schedule?: SendSpanResponse[];
}

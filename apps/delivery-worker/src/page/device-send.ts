import type { VendorPayload } from '@postrider/domain';
import { deliveryId } from '@postrider/platform';
import type { SendRequest } from '@postrider/vendors';

/** One device's request. Its id is made only for the vendors that put it on the wire. */
export class DeviceSend implements SendRequest {
  constructor(
    private readonly messageId: string,
    private readonly installationId: string,
    readonly token: string,
    readonly payload: VendorPayload,
    readonly expiresAt: Date,
    readonly lastCallAt: number,
  ) {}

  get deliveryId(): string {
    return deliveryId(this.messageId, this.installationId);
  }
}

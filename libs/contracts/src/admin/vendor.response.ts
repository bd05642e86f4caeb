import { CREDENTIAL_VENDORS, type CredentialVendor, type JsonValue } from '@postrider/domain';
import { FlagField, TextField, TimeField, WordField } from '../validation/answers';
import { SaysOfClass } from '../validation/field';

/** A vendor's credentials without their secrets. */
@SaysOfClass({
  description: 'The settings of the credentials stand beside these fields; secrets never come back.',
  additionalProperties: true,
})
export class VendorResponse {
  @WordField(CREDENTIAL_VENDORS)
  vendor!: CredentialVendor;

  @TimeField({ isOptional: true })
  updatedAt?: string;

  @TextField({
    isOptional: true,
    description: 'where an SMS provider that signs nothing reports to; told to whoever stores its credentials',
  })
  statusUrl?: string;

  [setting: string]: JsonValue | undefined;
}

/** Whether a vendor takes the credentials. */
export class VendorCheckResponse {
  @FlagField()
  ok!: boolean;

  @TextField({ isOptional: true })
  code?: string;

  @TextField({ isOptional: true })
  reason?: string;
}

import { CREDENTIAL_VENDORS, type CredentialVendor, type JsonValue } from '@postrider/domain';
import { FlagField, TextField, TimeField, WordField } from '../validation/answers';
import { SaysOfClass } from '../validation/field';

/** A vendor's credentials without their secrets. */
@SaysOfClass({
  description: 'The settings of the credentials are in further fields; secrets are never returned.',
  additionalProperties: true,
})
export class VendorResponse {
  @WordField(CREDENTIAL_VENDORS) vendor!: CredentialVendor;
  @TimeField({ isOptional: true }) updatedAt?: string;

  @TextField({
    isOptional: true,
    description:
      'the address for the reports of an SMS provider without signatures; only in the answer to storing its credentials',
  })
  statusUrl?: string;

  [setting: string]: JsonValue | undefined;
}

/** The vendor's answer about the credentials. */
export class VendorCheckResponse {
  @FlagField() ok!: boolean;
  @TextField({ isOptional: true }) code?: string;
  @TextField({ isOptional: true }) reason?: string;
}

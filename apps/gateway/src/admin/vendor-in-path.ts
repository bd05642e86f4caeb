import { CREDENTIAL_VENDORS, type CredentialVendor, DomainError } from '@postrider/domain';

/** The parameter `:vendor` of a path, for the API document. */
export const VENDOR_IN_PATH = { name: 'vendor', enum: CREDENTIAL_VENDORS };

/** The vendor that a path names. @throws DomainError NOT_FOUND if there is no such vendor */
export function vendorNamed(name: string): CredentialVendor {
  const vendor = CREDENTIAL_VENDORS.find((known) => known === name);
  if (!vendor)
    throw new DomainError('NOT_FOUND', `There is no such vendor; known are ${CREDENTIAL_VENDORS.join(', ')}`);
  return vendor;
}

/**
 * The internal number of an installation (`installations.id`, a `bigint`), as PostgreSQL writes it: decimal digits. It is a text
 * because drivers give a `bigint` as one, and because JavaScript's numbers do not hold every `bigint`. Only PostgreSQL compares
 * two of them by size; here they are equal or not.
 */
export type DeviceId = string;

/** No device has it, and every device comes after it: where a list of devices begins. */
export const NO_DEVICE: DeviceId = '0';

/**
 * The internal number of an installation (`installations.id`, a `bigint`), as PostgreSQL writes it: decimal digits. It
 * is a text, because drivers return a `bigint` as text, and JavaScript's numbers do not hold every `bigint`. Only
 * PostgreSQL compares them by size; here they are only compared for equality.
 */
export type DeviceId = string;

/** No device has this number, and every device comes after it: the beginning of a list of devices. */
export const NO_DEVICE: DeviceId = '0';

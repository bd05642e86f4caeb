import type { ErrorDetail, JsonObject, JsonValue } from '@postrider/domain';

/** Credentials as they are stored: `settings` may be shown to an operator, `secrets` are sealed. Their keys never overlap. */
export interface StoredCredentials {
  settings: JsonObject;
  secrets: JsonObject;
}

/** Values of which some may be absent, because they could not be read. */
export type Readable<Values> = {
  [Field in keyof Values]?: Values[Field] extends object ? Readable<Values[Field]> : Values[Field];
};

/** Where the deployment lets senders go. */
export interface EndpointRules {
  /** Plain http and private addresses too. */
  allowPrivateEndpoints: boolean;
}

/** What is to know of one vendor's credentials, whose fields are right each by itself. */
export interface CredentialKind<Values> {
  /** What is wrong with the material: keys, certificates, addresses, templates. */
  problems(values: Readable<Values>, rules: EndpointRules): ErrorDetail[];
  /** How they are stored; what may be left out is made. */
  stored(values: Values): StoredCredentials;
}

/** Drops the members that were left out. */
export function present(object: object): JsonObject {
  const members = Object.entries(object) as [string, JsonValue | undefined][];
  return Object.fromEntries(members.filter((member): member is [string, JsonValue] => member[1] !== undefined));
}

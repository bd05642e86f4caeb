import { BodyReader } from '../fields/body-reader';

/** The body of `POST installations/deferredDeepLink`: what an app did with the link that it was handed. */
export interface DeferredLinkDecision {
  installationId: string;
  opened: boolean;
}

/** @throws InvalidRequest naming every bad field */
export function readDeferredLinkDecision(body: unknown): DeferredLinkDecision {
  const fields = new BodyReader(body);
  fields.require('opened');
  const decision = { installationId: fields.requiredName('installationId'), opened: fields.boolean('opened') ?? false };
  fields.finish();
  return decision;
}

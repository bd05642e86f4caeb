import type { JsonObject } from '@postrider/domain';
import type { ClassConstructor } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';

const NOTES = Symbol('what decorators say of a field');

/** True if a field was sent, readable or not. */
export type IsSent<Request> = (field: keyof Request) => boolean;

/** The declarations of one field's decorators. Every check corresponds to one that class-validator knows too. */
interface FieldNotes {
  /** Computes the field's value from everything that was sent in its object. Undefined: it is absent. */
  fill?: (sent: JsonObject) => unknown;
  checks: ((value: unknown) => boolean)[];
  rules: ((request: object, isSent: (field: PropertyKey) => boolean) => boolean)[];
}

/** How a class is made from JSON and checked, computed once. */
interface ClassPlan {
  fills: { key: string; fill: (sent: JsonObject) => unknown }[];
  checks: { key: string; isRight: (value: unknown) => boolean }[];
  rules: FieldNotes['rules'];
  /** True if class-validator has no further checks. */
  isComplete: boolean;
}

const PLANS = new WeakMap<object, ClassPlan>();

/** The declarations of a field, to which decorators add. @param target the prototype of the class */
export function notesOf(target: object, key: PropertyKey): FieldNotes {
  if (!Reflect.hasOwnMetadata(NOTES, target)) Reflect.defineMetadata(NOTES, new Map(), target);
  const fields = Reflect.getOwnMetadata(NOTES, target) as Map<PropertyKey, FieldNotes>;
  const notes = fields.get(key) ?? { checks: [], rules: [] };
  fields.set(key, notes);
  return notes;
}

/** The class, with the fields that its decorators name. JSON of the caller's own is neither read nor copied. */
export function makeRequest<Request extends object>(type: ClassConstructor<Request>, sent: JsonObject): Request {
  const request = new type() as Request & Record<string, unknown>;
  for (const { key, fill } of planOf(type).fills) {
    const value = fill(sent);
    if (value !== undefined) (request as Record<string, unknown>)[key] = value;
  }
  return request;
}

/**
 * True if a request is right, as nearly every one is. False also if only class-validator can tell, for a class with
 * decorators that are not ours.
 */
export function isRight(request: object): boolean {
  const { checks, rules, isComplete } = planOf(request.constructor);
  const values = request as Record<string, unknown>;
  if (!isComplete) return false;
  for (const check of checks) if (!check.isRight(values[check.key])) return false;
  const isSent = (field: PropertyKey): boolean => values[field as string] !== undefined;
  return rules.every((rule) => rule(request, isSent));
}

function planOf(type: object): ClassPlan {
  const known = PLANS.get(type);
  if (known) return known;
  const made = makePlan(type as ClassConstructor<object>);
  PLANS.set(type, made);
  return made;
}

function makePlan(type: ClassConstructor<object>): ClassPlan {
  const fields = [...fieldsOf(type.prototype as object)];
  const fills = fields.flatMap(([key, { fill }]) => (fill === undefined ? [] : [{ key, fill }]));
  const checks = fields.flatMap(([key, notes]) => notes.checks.map((isRight) => ({ key, isRight })));
  const rules = fields.flatMap(([, notes]) => notes.rules);
  const known = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return { fills, checks, rules, isComplete: known.length === checks.length + rules.length };
}

/** If a class that extends another one declares a field too, its declaration counts. */
function fieldsOf(target: object | null): Map<string, FieldNotes> {
  if (target === null) return new Map();
  const inherited = fieldsOf(Object.getPrototypeOf(target) as object | null);
  const own = (Reflect.getOwnMetadata(NOTES, target) as Map<string, FieldNotes> | undefined) ?? [];
  return new Map([...inherited, ...own]);
}

import type { Operator } from './operator';

/** One value that a field is compared with. Text is in NFC. */
export type Scalar = string | number | boolean;

/** A circle on the sphere of `nearBy`. */
export interface Place {
  lat: number;
  lng: number;
  radiusMetres: number;
}

/** One validated condition: `values` holds one value, or the array of `include` and `not_include`. */
export interface Rule {
  kind: 'rule';
  name: string;
  operator: Operator;
  values: Scalar[];
}

/** A validated `nearBy` condition. */
export interface PlaceRule {
  kind: 'place';
  operator: 'include' | 'not_include';
  place: Place;
}

/** All keys that are given must hold: every one of `all`, one of `any`, not one of `none`. */
export interface Group {
  kind: 'group';
  all?: Condition[];
  any?: Condition[];
  none?: Condition[];
}

/** What a group holds. */
export type Condition = Group | PlaceRule | Rule;

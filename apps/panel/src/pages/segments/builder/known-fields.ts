import { createContext, use } from 'react';
import type { SegmentFieldsResponse } from '@postrider/server/document';
import { useRead } from '../../../api/reading';
import { useCan } from '../../../api/session';
import { fieldKind, type ValueType } from '../../../model/segment-field';

/** The choices for the author of a rule. Anything else can be typed too. */
export interface KnownFields {
  attributes: string[];
  tags: string[];
  /** The values of a field as they are typed, the most frequent first. */
  valuesOf: (name: string, valueType: ValueType) => string[];
  /** Returns the type of an attribute's values; null: unknown. */
  typeOf: (name: string) => ValueType | null;
}

const NONE: SegmentFieldsResponse = { devices: 0, fields: [] };

export const KnownContext = createContext<KnownFields | null>(null);

/** The fields that the rules of this builder can use. */
export function useKnown(): KnownFields {
  return use(KnownContext) ?? knownFieldsOf(NONE);
}

/** The fields and values that devices of the application have. @param isOn asked only while there is a rule to write */
export function useKnownFields(isOn: boolean): KnownFields {
  const mayRead = useCan('read');
  const found = useRead('/api/segments/fields', { enabled: isOn && mayRead });
  return knownFieldsOf(found.data ?? NONE);
}

/** Returns the choices that an answer of the API offers. */
function knownFieldsOf({ fields }: SegmentFieldsResponse): KnownFields {
  const valuesOf = (name: string): (string | number | boolean)[] =>
    fields.find((field) => field.name === name)?.values.map(({ value }) => value as string | number | boolean) ?? [];
  const named = (kind: 'custom' | 'tagValue'): string[] =>
    fields.map(({ name }) => name).filter((name) => fieldKind(name) === kind);
  const tagged = named('tagValue').map((name) => name.slice('tags.'.length));
  return {
    attributes: named('custom'),
    tags: [...new Set([...tagged, ...valuesOf('tags').map(String)])],
    valuesOf: (name, valueType) =>
      valuesOf(name).map((value) => (valueType === 'mixed' ? JSON.stringify(value) : String(value))),
    typeOf: (name) => {
      const types = new Set(valuesOf(name).map((value) => (typeof value === 'string' ? 'text' : typeof value)));
      const [only] = types;
      return types.size === 1 ? (only as ValueType) : types.size === 0 ? null : 'mixed';
    },
  };
}

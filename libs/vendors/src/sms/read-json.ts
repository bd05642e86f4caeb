import type { JsonObject } from '@postrider/domain';

/** A provider's answer as an object; null when it is none (a proxy's page, half an answer). */
export function readJsonObject(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** An id as text: providers write them as text or as numbers. Null when it is neither, or empty. */
export function readId(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= 255 ? text : null;
}

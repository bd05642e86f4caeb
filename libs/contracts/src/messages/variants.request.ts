import {
  type ErrorDetail,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LEAST_VARIANTS,
  MAX_WEIGHT,
  MAX_WINNER_SECONDS,
  MIN_WINNER_SECONDS,
  MOST_VARIANTS,
  WINNER_METRICS,
  type WinnerMetric,
} from '@postrider/domain';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { fieldNames, fieldOf, Optional, SaysOfClass } from '../validation/field';
import { IsAnyText, IsFilledText, IsFlag, IsJson, IsName, IsOneOf, IsWholeNumber } from '../validation/fields';
import { IsNested } from '../validation/nested';
import { readRequest } from '../validation/read-request';
import type { ListReading } from '../validation/reading';
import { IsLocalized, type LocalizedRequests } from './localized.request';
import { LocalizedNotificationRequest } from './notification.request';

const NOT_KNOWN =
  'is unknown here: a variant has name, weight, content, data, alertText, useAsAlert, autoNotify, silent, notification and localized';

/** The fields of a campaign that differ for a part of its users. */
@SaysOfClass({
  additionalProperties: false,
  description: 'the differences for a part of the users; the rest is as in the message',
})
export class VariantRequest {
  @IsName('unique among the variants') name!: string;

  @IsWholeNumber(1, MAX_WEIGHT, { description: 'the share of this variant is its weight among those of all' })
  weight!: number;

  @Optional() @IsFilledText() content?: string;
  @Optional() @IsJson() data?: JsonValue;
  @Optional() @IsAnyText() alertText?: string;
  @Optional() @IsFlag() useAsAlert?: boolean;
  @Optional() @IsFlag() autoNotify?: boolean;
  @Optional() @IsFlag() silent?: boolean;
  @Optional() @IsNested(() => LocalizedNotificationRequest) notification?: LocalizedNotificationRequest;
  @Optional() @IsLocalized() localized?: LocalizedRequests;
}

/** When and how the best variant is found. */
export class WinnerRequest {
  @IsOneOf(WINNER_METRICS, { description: 'users who opened, or who clicked, of those sent to' }) metric!: WinnerMetric;

  @IsWholeNumber(MIN_WINNER_SECONDS, MAX_WINNER_SECONDS, { description: 'seconds; less than ttl' }) after!: number;

  @IsWholeNumber(1, 99, { description: 'the percentage of users who get variants; the others get the best one later' })
  share!: number;
}

/** The variants of a campaign. */
export function IsVariants(): PropertyDecorator {
  return (target, key) => {
    ApiExtraModels(VariantRequest)(target.constructor);
    fieldOf<VariantRequest[]>({
      name: 'isVariants',
      read: readVariants,
      schema: {
        type: 'array',
        items: { $ref: getSchemaPath(VariantRequest) },
        minItems: LEAST_VARIANTS,
        maxItems: MOST_VARIANTS,
        description: 'what different parts of the users get; campaigns only',
      },
    })(target, key);
  };
}

function readVariants(value: unknown): ListReading<VariantRequest[]> {
  if (!Array.isArray(value) || value.length < LEAST_VARIANTS || value.length > MOST_VARIANTS) {
    return { problem: `must be an array of ${LEAST_VARIANTS} to ${MOST_VARIANTS} variants` };
  }
  const problems: ErrorDetail[] = [];
  const read = (value as unknown[]).map((json, place) => {
    const { request, problems: found } = readRequest(VariantRequest, json);
    const all = isJsonObject(json) ? [...found, ...unknownIn(json)] : found;
    problems.push(...all.map(({ path, message }) => ({ path: `[${place}]${path === '' ? '' : `.${path}`}`, message })));
    return request;
  });
  problems.push(...repeatedNames(read));
  return problems.length > 0 ? { problems } : { value: read };
}

function unknownIn(json: JsonObject): ErrorDetail[] {
  const known = fieldNames(VariantRequest.prototype);
  return Object.keys(json)
    .filter((name) => !known.has(name) && json[name] !== null)
    .map((path) => ({ path, message: NOT_KNOWN }));
}

function repeatedNames(variants: readonly Partial<VariantRequest>[]): ErrorDetail[] {
  const names = variants.map(({ name }) => name);
  return names.flatMap((name, place) =>
    name !== undefined && names.indexOf(name) < place
      ? [{ path: `[${place}].name`, message: 'is the name of another variant' }]
      : [],
  );
}

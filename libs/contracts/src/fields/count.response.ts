import { CountField } from '../validation/answers';

/** How many devices were changed. */
export class CountResponse {
  @CountField()
  count!: number;
}

export const COUNT_SCHEMA = {
  type: 'object',
  required: ['count'],
  properties: { count: { type: 'integer', minimum: 0 } },
};

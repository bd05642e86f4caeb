/** How many devices were changed. */
export interface CountResponse {
  count: number;
}

export const COUNT_SCHEMA = {
  type: 'object',
  required: ['count'],
  properties: { count: { type: 'integer', minimum: 0 } },
};

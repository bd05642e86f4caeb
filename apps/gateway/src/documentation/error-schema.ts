import { ERROR_STATUS } from '@postrider/domain';
import type { OpenAPIObject } from '@nestjs/swagger';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** The one shape of every error. */
export const ERROR_SCHEMA: Schema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['name', 'status', 'message'],
      properties: {
        name: { type: 'string' },
        status: { type: 'integer', enum: [...new Set(Object.values(ERROR_STATUS))] },
        message: { type: 'string' },
        code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
        details: {
          type: 'array',
          description: 'Every bad field, under the name that the caller gave it',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
};

/** What is answered for a thing that was removed. */
export const REMOVED_SCHEMA = { type: 'object', properties: { id: { type: 'string' } } };

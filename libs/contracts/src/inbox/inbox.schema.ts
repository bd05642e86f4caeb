/** JSON schemas of the inbox, for the API document. */
export const INBOX_SCHEMA = {
  type: 'object',
  properties: {
    messages: {
      type: 'array',
      items: {
        type: 'object',
        description: 'The message as the device gets it over its own connection',
        required: ['id', 'read', 'readAt', 'state'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          content: { type: 'string' },
          notification: { type: 'object' },
          createdAt: { type: 'integer' },
          expireAt: { type: 'integer' },
          read: { type: 'boolean' },
          readAt: { type: 'string', format: 'date-time', nullable: true },
          state: { type: 'string' },
        },
        additionalProperties: true,
      },
    },
    unread: { type: 'integer' },
    nextCursor: { type: 'string', nullable: true },
  },
};

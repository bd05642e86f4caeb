import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { takeUnread } from '../../http/uploads/take-unread';

/** What a file may be, and the format that it is then read in. */
export const TAG_FILE_TYPES = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
} as const;

const ROUTE = '/api/installations/bulk/tags';

/** Hands files of tags on to their route as they arrive. */
@Injectable()
export class StreamFiles implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    takeUnread(this.adapter, { types: Object.keys(TAG_FILE_TYPES), routes: [ROUTE], isText: true });
  }
}

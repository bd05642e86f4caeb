import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { takeUnread } from '../http/uploads/take-unread';

const ROUTES = ['/api/containers/updatePromoCodes/:track_id', '/api/containers/updateGlobalPromoCodes'];

/** Hands forms on to the uploads of promo codes as they arrive. */
@Injectable()
export class StreamPromoFiles implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    takeUnread(this.adapter, { types: ['multipart/form-data'], routes: ROUTES, isText: false });
  }
}

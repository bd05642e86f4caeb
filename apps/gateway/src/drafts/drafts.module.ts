import { Module } from '@nestjs/common';
import { DraftsController } from './drafts.controller';
import { SavedDrafts } from './saved-drafts.service';

/** Messages that are being written. */
@Module({ controllers: [DraftsController], providers: [SavedDrafts], exports: [SavedDrafts] })
export class DraftsModule {}

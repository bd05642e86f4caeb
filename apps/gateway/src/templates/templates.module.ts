import { Module } from '@nestjs/common';
import { FillInTemplates } from './fill-in-templates.service';
import { SavedTemplates } from './saved-templates.service';
import { TemplatesController } from './templates.controller';

/** Content of messages that is saved under names. */
@Module({
  controllers: [TemplatesController],
  providers: [FillInTemplates, SavedTemplates],
  exports: [FillInTemplates, SavedTemplates],
})
export class TemplatesModule {}

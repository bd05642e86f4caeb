import { Module } from '@nestjs/common';
import { ExportSegment } from './export-segment.service';
import { KnownFields } from './known-fields.service';
import { MeasureGroups } from './measure-groups.service';
import { SegmentExportController } from './segment-export.controller';
import { SegmentsController } from './segments.controller';
import { Segments } from './segments.service';

/** Groups of devices: saved, counted, explained and exported. */
@Module({
  controllers: [SegmentsController, SegmentExportController],
  providers: [Segments, KnownFields, MeasureGroups, ExportSegment],
  exports: [Segments],
})
export class SegmentsModule {}

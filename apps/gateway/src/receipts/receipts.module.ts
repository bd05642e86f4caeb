import { Module } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { ReceiptRecorder, ReceiptsRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';

/** The one recorder of receipts of this process: for what devices report, and for clicks on tracked links. */
@Module({
  providers: [
    {
      provide: ReceiptRecorder,
      useFactory: (receipts: ReceiptsRepository, clock: Clock) => new ReceiptRecorder(receipts, clock),
      inject: [ReceiptsRepository, CLOCK],
    },
  ],
  exports: [ReceiptRecorder],
})
export class ReceiptsModule {}

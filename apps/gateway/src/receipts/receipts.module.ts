import { Module } from '@nestjs/common';
import { ReceiptRecorder } from '@postrider/persistence';

/** The one recorder of receipts of this process: for what devices report, and for clicks on tracked links. */
@Module({ providers: [ReceiptRecorder], exports: [ReceiptRecorder] })
export class ReceiptsModule {}

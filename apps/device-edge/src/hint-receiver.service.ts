import { Inject, Injectable } from '@nestjs/common';
import { HintListener } from '@postrider/queues';
import { WaitingReader } from './waiting/waiting-reader.service';
import { EDGE_ID } from './runtime/edge-id';
import { DeviceEvents } from './publishes/device-events.service';

/**
 * Receives what other processes tell this edge over Redis. A lost hint only causes a delay: the periodic tasks find the
 * same work.
 */
@Injectable()
export class HintReceiver {
  constructor(
    @Inject(EDGE_ID) private readonly edgeId: string,
    private readonly hints: HintListener,
    private readonly reader: WaitingReader,
    private readonly events: DeviceEvents,
  ) {}

  /** @param onClosures called when connections of this edge must be closed */
  listen(onClosures: () => void): void {
    this.hints.listen(this.edgeId, {
      onHint: (messageIds) => this.reader.hint(messageIds),
      onClosures,
      onEvent: (text) => this.events.receive(text),
    });
  }
}

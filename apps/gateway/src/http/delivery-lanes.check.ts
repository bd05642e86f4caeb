import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Lane, PUSH_VENDORS } from '@postrider/domain';
import { HealthRegistry } from '@postrider/platform';
import { pageJob, QueueInspector, QueueUnavailable } from '@postrider/queues';

const LANES: Readonly<Record<Lane, string>> = {
  transactional: 'messages to named users',
  campaign: 'campaigns',
};

/** Notices that no delivery worker takes the pages of a lane: messages are accepted, and wait. */
@Injectable()
export class DeliveryLanesCheck implements OnModuleInit {
  constructor(
    private readonly health: HealthRegistry,
    private readonly inspector: QueueInspector,
  ) {}

  onModuleInit(): void {
    this.health.register('lanes', () => this.check(), { critical: false });
  }

  /** @throws if no delivery worker takes a lane. Resolves while Redis is away, which is a finding of its own */
  async check(): Promise<void> {
    const missing: Lane[] = [];
    for (const lane of Object.keys(LANES) as Lane[]) if (!(await this.#isTaken(lane))) missing.push(lane);
    if (missing.length === 0) return;
    const what = missing.map((lane) => `${lane} (${LANES[lane]})`).join(' and ');
    throw new Error(`no delivery worker takes the lane ${what}: start one with this lane in DELIVERY_LANES`);
  }

  /** A worker takes the queues of all vendors, or none. */
  async #isTaken(lane: Lane): Promise<boolean> {
    try {
      return await this.inspector.hasWorker(pageJob(PUSH_VENDORS[0], lane).queue);
    } catch (error) {
      if (error instanceof QueueUnavailable) return true;
      throw error;
    }
  }
}

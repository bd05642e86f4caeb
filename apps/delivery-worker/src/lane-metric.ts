import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, METRICS } from '@postrider/platform';
import { Gauge, type Registry } from 'prom-client';

const LANES: Readonly<Record<Config['deliveryLanes'], readonly string[]>> = {
  all: ['transactional', 'campaign'],
  campaign: ['campaign'],
  transactional: ['transactional'],
};

/** Shows whose pages this worker sends: an alert notices a lane that no worker takes. */
@Injectable()
export class LaneMetric {
  constructor(@Inject(METRICS) registry: Registry, @Inject(CONFIG) { deliveryLanes }: Pick<Config, 'deliveryLanes'>) {
    const gauge = new Gauge({
      name: 'postrider_delivery_worker_lane',
      help: 'The lanes that this delivery worker takes: 1 for each',
      labelNames: ['lane'],
      registers: [registry],
    });
    for (const lane of LANES[deliveryLanes]) gauge.set({ lane }, 1);
  }
}

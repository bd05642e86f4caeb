import { X509Certificate } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { METRICS } from '@postrider/platform';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { PacketCounter } from '../session/packet-session';
import { SessionRegistry } from '../session/session-registry';

/** The number of applications with a label of their own. The others are counted together. */
const MOST_APPLICATIONS = 100;

/** The metrics of an edge. */
@Injectable()
export class EdgeMetrics implements PacketCounter {
  readonly #ended: Counter<'cause'>;
  /** Packets since the metrics were last read: the labelled counters take longer than the rest of a packet's way. */
  readonly #packets = { in: new Map<string, number>(), out: new Map<string, number>() };

  constructor(
    @Inject(METRICS) private readonly metrics: Registry,
    registry: SessionRegistry,
  ) {
    const packets = this.#packets;
    new Counter({
      name: 'postrider_connection_packets_total',
      help: 'MQTT packets by kind and direction',
      labelNames: ['packet', 'direction'],
      registers: [metrics],
      collect() {
        for (const direction of ['in', 'out'] as const) {
          for (const [packet, count] of packets[direction]) this.inc({ packet, direction }, count);
          packets[direction].clear();
        }
      },
    });
    this.#ended = new Counter({
      name: 'postrider_connections_ended_total',
      help: 'Connections of devices that ended, by cause',
      labelNames: ['cause'],
      registers: [metrics],
    });
    registerGauges(metrics, registry);
  }

  /** Counts an MQTT packet. */
  countPacket(packet: string, direction: 'in' | 'out'): void {
    const counts = this.#packets[direction];
    counts.set(packet, (counts.get(packet) ?? 0) + 1);
  }

  /** Exports the end of the edge certificate's validity. @param pem the chain, the edge's own certificate first */
  showCertificate(pem: Buffer): void {
    new Gauge({
      name: 'postrider_tls_certificate_end_timestamp_seconds',
      help: 'When the certificate of the ports with TLS ends',
      registers: [this.metrics],
    }).set(Date.parse(new X509Certificate(pem).validTo) / 1_000);
  }

  /** Counts a connection that ended. */
  countEnd(cause: string): void {
    this.#ended.inc({ cause });
  }
}

function registerGauges(metrics: Registry, registry: SessionRegistry): void {
  new Gauge({
    name: 'postrider_connected_devices',
    help: `Devices connected to this edge by application; beyond ${MOST_APPLICATIONS} applications the others are "other"`,
    labelNames: ['app_id'],
    registers: [metrics],
    collect() {
      this.reset();
      let others = 0;
      [...registry.devicesByApplication()]
        .sort(([, one], [, other]) => other - one)
        .forEach(([application, devices], place) => {
          if (place < MOST_APPLICATIONS) this.set({ app_id: application }, devices);
          else others += devices;
        });
      if (others > 0) this.set({ app_id: 'other' }, others);
    },
  });
  new Gauge({
    name: 'postrider_connections',
    help: 'Connections open at this edge, including those that are not admitted yet',
    registers: [metrics],
    collect() {
      this.set(registry.connectionCount);
    },
  });
  new Gauge({
    name: 'postrider_connection_in_flight',
    help: 'Messages published to devices and not acknowledged yet',
    registers: [metrics],
    collect() {
      let inFlight = 0;
      for (const session of registry.connected()) inFlight += session.outbox.inFlight;
      this.set(inFlight);
    },
  });
}

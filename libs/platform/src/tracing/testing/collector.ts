import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector got it. */
export interface CollectedSpan {
  service: string;
  name: string;
  /** As OTLP counts them: 1 internal, 2 server, 3 client. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  /** The collector's error; undefined if there was none. */
  failure: string | undefined;
  startMs: number;
  endMs: number;
}

/** A stand-in for a collector of traces: OTLP over HTTP, JSON. */
export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** The headers of each call. */
  calls: Record<string, string>[];
  /** With a status other than 200 it accepts nothing. */
  answers(status: number): void;
  close(): Promise<void>;
}

interface OtlpValue {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: number;
  doubleValue?: number;
}

type OtlpAttributes = { key: string; value: OtlpValue }[];

interface OtlpSpan extends Omit<CollectedSpan, 'attributes' | 'links'> {
  attributes: OtlpAttributes;
  links?: CollectedSpan['links'];
  status: { code: number; message?: string };
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

interface OtlpRequest {
  resourceSpans: { resource: { attributes: OtlpAttributes }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

/** Starts one on a free port of the loopback. */
export async function startCollector(): Promise<Collector> {
  const collector = { spans: [] as CollectedSpan[], calls: [] as Record<string, string>[] };
  let status = 200;
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      collector.calls.push({ ...(request.headers as Record<string, string>), path: request.url ?? '' });
      if (status === 200) collector.spans.push(...spansOf(JSON.parse(text) as OtlpRequest));
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    ...collector,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: (next) => (status = next),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function spansOf({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => collected(service, span)));
  });
}

function collected(service: string, span: OtlpSpan): CollectedSpan {
  const { name, kind, traceId, spanId, parentSpanId, status, startTimeUnixNano, endTimeUnixNano } = span;
  return {
    service,
    name,
    kind,
    traceId,
    spanId,
    parentSpanId,
    attributes: attributesOf(span.attributes),
    links: (span.links ?? []).map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    failure: status.code === 2 ? (status.message ?? '') : undefined,
    startMs: Number(BigInt(startTimeUnixNano) / 1_000_000n),
    endMs: Number(BigInt(endTimeUnixNano) / 1_000_000n),
  };
}

function attributesOf(attributes: OtlpAttributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

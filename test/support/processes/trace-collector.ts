import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span in the JSON encoding of OTLP. */
export interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: object }[];
}

interface ExportRequest {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

/** A collector of OpenTelemetry (OTLP over HTTP) on loopback. */
export class TraceCollector {
  readonly spans: Span[] = [];
  private readonly watchers = new Set<() => void>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response) => {
      void json(request).then((body) => {
        const { resourceSpans } = body as ExportRequest;
        for (const { scopeSpans } of resourceSpans)
          for (const { spans } of scopeSpans) collector.spans.push(...spans);
        for (const watcher of collector.watchers) watcher();
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return collector;
  }

  get env(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
  }

  /** Resolves with the first span that matches. */
  async find(matches: (span: Span) => boolean): Promise<Span> {
    for (;;) {
      const span = this.spans.find(matches);
      if (span !== undefined) return span;
      await new Promise<void>((resolve) => this.watchers.add(resolve));
    }
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  COUNTERS,
  GAUGES,
  HISTOGRAMS,
  Meter,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type Reading,
  type Table,
} from '../../kernel/meter.js';
import { Clock } from '../../kernel/clock.js';
import { withDeadline } from '../../kernel/deadline.js';

/** The buckets of OpenTelemetry for HTTP durations, and 30 s for mail servers and lists. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30];
/** Timeout of one gauge read, shorter than the scrape timeout of Prometheus. */
const READ_TIMEOUT_MS = 1_000;
const TEXT_TTL_MS = 1_000;

type Read = () => Reading[] | Promise<Reading[]>;

@Injectable()
export class PrometheusMeter extends Meter {
  static readonly CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly registry = new Registry();
  private text: { bytes: Promise<Buffer>; expiresAtMs: number } | null = null;
  private readonly reads = new Map<GaugeName, Read[]>();

  constructor(private readonly clock: Clock) {
    super();
    // Each registers itself.
    for (const [name, counter] of Object.entries(COUNTERS)) new Counter(this.described(name, counter));
    for (const [name, histogram] of Object.entries(HISTOGRAMS))
      new Histogram({ ...this.described(name, histogram), buckets: BUCKETS });
  }

  /** Adds the default process metrics: memory, CPU, event loop, open files. Call it once per process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  override count(name: CounterName, ...labels: readonly string[]): void {
    (this.registry.getSingleMetric(name) as Counter).labels(...labels).inc();
  }

  override observe(name: HistogramName, seconds: number, ...labels: readonly string[]): void {
    (this.registry.getSingleMetric(name) as Histogram).labels(...labels).observe(seconds);
  }

  override gauge(name: GaugeName, read: Read): void {
    const reads = this.reads.get(name);
    if (reads !== undefined) return void reads.push(read);
    const all = [read];
    this.reads.set(name, all);
    const described = this.described(name, GAUGES[name]);
    const collect = async (gauge: Gauge) => {
      const readings = await this.readAll(all);
      gauge.reset();
      // A gauge without labels starts at 0; remove this value.
      if (described.labelNames.length === 0) gauge.remove();
      for (const { labels, value } of readings) gauge.labels(...labels).set(value);
    };
    new Gauge({
      ...described,
      collect(this: Gauge) {
        return collect(this);
      },
    });
  }

  override async read(name: CounterName | GaugeName): Promise<Reading[]> {
    if (name in GAUGES) return this.readAll(this.reads.get(name as GaugeName) ?? []);
    const metric = await this.registry.getSingleMetric(name)?.get();
    const { labels: names } = COUNTERS[name as CounterName];
    return (metric?.values ?? []).map(({ labels, value }) => ({
      labels: names.map((label) => String(labels[label] ?? '')),
      value,
    }));
  }

  /** All metrics in the text format. The route is public: all scrapes of a second share one text and its memory. */
  expose(): Promise<Buffer> {
    if (this.text !== null && this.clock.monotonicMs() < this.text.expiresAtMs) return this.text.bytes;
    const text = { bytes: this.registry.metrics().then((all) => Buffer.from(all)), expiresAtMs: Infinity };
    this.text = text;
    text.bytes.then(
      () => (text.expiresAtMs = this.clock.monotonicMs() + TEXT_TTL_MS),
      () => (text.expiresAtMs = 0),
    );
    return text.bytes;
  }

  private described(name: string, { help, labels }: Table[string]) {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }

  private async readAll(reads: readonly Read[]): Promise<Reading[]> {
    const inTime = reads.map((read) =>
      withDeadline(READ_TIMEOUT_MS, null, async () => read()).catch(() => null),
    );
    return (await Promise.all(inTime)).flatMap((readings) => readings ?? []);
  }
}

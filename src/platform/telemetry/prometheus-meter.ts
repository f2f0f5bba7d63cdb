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

/** OpenTelemetry's for the duration of requests; mail servers and lists take longer than its longest. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30];
/** A scrape that waits longer is given up by whoever scrapes. */
const PATIENCE_MS = 1_000;
/** Separates what no label value holds. */
const SEPARATOR = '\0';

type Read = () => Reading[] | Promise<Reading[]>;

/** A metric, with what it has counted for each set of labels. */
class Family<C> {
  private readonly children = new Map<string, C>();

  constructor(private readonly metric: { labels(...values: string[]): C }) {}

  child(labels: readonly string[]): C {
    const key = labels.join(SEPARATOR);
    const known = this.children.get(key);
    if (known !== undefined) return known;
    const child = this.metric.labels(...labels);
    this.children.set(key, child);
    return child;
  }
}

/** The metrics of this process, as Prometheus reads them. */
@Injectable()
export class PrometheusMeter extends Meter {
  static readonly CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly registry = new Registry();
  private readonly counters = new Map<CounterName, Family<Counter.Internal>>();
  private readonly histograms = new Map<HistogramName, Family<Histogram.Internal<string>>>();
  private exposing: Promise<string> | null = null;
  private readonly reads = new Map<GaugeName, Read[]>();

  constructor(private readonly clock: Clock) {
    super();
    for (const name of Object.keys(COUNTERS) as CounterName[])
      this.counters.set(name, new Family(new Counter(this.described(name, COUNTERS[name]))));
    for (const name of Object.keys(HISTOGRAMS) as HistogramName[]) {
      const histogram = new Histogram({ ...this.described(name, HISTOGRAMS[name]), buckets: BUCKETS });
      this.histograms.set(name, new Family(histogram));
    }
  }

  /** The process itself: memory, processor, event loop, open files. Once in a process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  override count(name: CounterName, ...labels: readonly string[]): void {
    this.counters.get(name)?.child(labels).inc();
  }

  override observe(name: HistogramName, seconds: number, ...labels: readonly string[]): void {
    this.histograms.get(name)?.child(labels).observe(seconds);
  }

  override gauge(name: GaugeName, read: Read): void {
    const reads = this.reads.get(name);
    if (reads !== undefined) return void reads.push(read);
    const all = [read];
    this.reads.set(name, all);
    const described = this.described(name, GAUGES[name]);
    const collect = async (gauge: Gauge) => {
      const readings = await Promise.all(all.map((each) => this.inTime(each)));
      gauge.reset();
      // Without labels it would begin at 0, which is a reading.
      if (described.labelNames.length === 0) gauge.remove();
      for (const { labels, value } of readings.flat()) gauge.labels(...labels).set(value);
    };
    new Gauge({
      ...described,
      collect(this: Gauge) {
        return collect(this);
      },
    });
  }

  /** All of it, in the text format. Strangers may ask: however many do at once, the gauges are read once. */
  expose(): Promise<string> {
    return (this.exposing ??= this.registry.metrics().finally(() => (this.exposing = null)));
  }

  private described(name: string, { help, labels }: Table[string]) {
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }

  private async inTime(read: Read): Promise<Reading[]> {
    const done = new AbortController();
    const late = this.clock.pause(PATIENCE_MS, done.signal).then((): Reading[] => []);
    const readings = (async () => read())().catch((): Reading[] => []);
    return Promise.race([readings, late]).finally(() => done.abort());
  }
}

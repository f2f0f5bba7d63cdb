import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reason, Status } from '../../src/kernel/verdict.js';
import type { BulkJobResponse } from '../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { BulkFleet, type QueueBackendName } from '../../test/support/processes/bulk-fleet.js';
import { WITH_TYPESCRIPT } from '../../test/support/processes/with-typescript.js';
import { processorMs } from '../bulk/processor-time.js';
import type { WorldPlace } from '../engine/world.js';
import { COMMAND_TIMEOUT_MS } from './bound.js';
import type { PlanOptions } from './plan.js';
import type { ListsWorldCounts } from './world.js';
import { messageFrom } from '../messages.js';

/** What a run of the list showed. */
export interface ListRun {
  name: string;
  /** Processes that verify. */
  processes: number;
  ms: number;
  /** Rows with a result over time. */
  progress: readonly Progress[];
  /** Of the processes that verify. */
  cpuMs: number;
  /** By address. */
  verdicts: ReadonlyMap<string, ShortVerdict>;
  counts: ListsWorldCounts;
  /** Processes that waited for a processor in the minute before the run. */
  loadBefore: number;
}

export interface ShortVerdict {
  email: string;
  status: Status;
  reason: Reason;
}

export interface Progress {
  atMs: number;
  rows: number;
}

type Measured = Pick<ListRun, 'ms' | 'progress' | 'cpuMs' | 'verdicts'>;

interface EngineRun {
  ms: number;
  cpuMs: number;
  verdicts: readonly (ShortVerdict & { atMs: number })[];
}

/** More than the number of sessions, as in `bench/scale.ts`. */
const ENGINE_CONCURRENCY = 2_000;
const POLL_MS = 100;

export class ListRuns {
  constructor(
    private readonly options: PlanOptions,
    private readonly emails: readonly string[],
    /** A list that takes longer is measured as it is then. */
    private readonly limitMs: number,
  ) {}

  /** The engine without a list, a database and other processes. */
  engine(): Promise<ListRun> {
    return this.inWorld('engine alone', 1, async (place) => {
      const script = join(import.meta.dirname, '../engine/contestant.mjs');
      const env = { ...process.env, ...this.timeouts };
      const child = fork(script, ['rcpt', JSON.stringify(place)], { execArgv: [], env });
      await messageFrom(child);
      child.send({ emails: this.emails, concurrency: ENGINE_CONCURRENCY });
      const { ms, cpuMs, verdicts } = await messageFrom<EngineRun>(child);
      child.disconnect();
      await once(child, 'exit');
      return {
        ms,
        cpuMs,
        progress: verdicts.map(({ atMs }, n) => ({ atMs, rows: n + 1 })),
        verdicts: byAddress(verdicts),
      };
    });
  }

  list(store: QueueBackendName, workers: number): Promise<ListRun> {
    return this.inWorld(`workers: ${workers}`, workers, async ({ dnsServer, smtpPort }) => {
      const env = {
        DNS_SERVERS: dnsServer,
        DNS_TIMEOUT_MS: '5000',
        SMTP_PORT: String(smtpPort),
        SMTP_HELO_NAME: 'verify.example.org',
        MX_ALLOW_CIDRS: '127.0.0.0/8',
        ...this.timeouts,
      };
      const fleet = await BulkFleet.start(store, workers, env, true);
      try {
        const { live_key: key } = await fleet.anAccount('unlimited');
        const before = await cpuMsOf(fleet);
        const began = performance.now();
        const id = await fleet.submit(this.emails, key);
        const progress = await this.followed(fleet, id, key, began);
        const { atMs: ms } = progress.at(-1) ?? { atMs: 0 };
        const cpuMs = (await cpuMsOf(fleet)) - before;
        return { ms, progress, cpuMs, verdicts: await verdictsOf(fleet, id, key) };
      } finally {
        await fleet.stop();
      }
    });
  }

  private async followed(fleet: BulkFleet, id: string, key: string, began: number): Promise<Progress[]> {
    const progress: Progress[] = [];
    for (;;) {
      const { processed } = await fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, key);
      const atMs = performance.now() - began;
      if (processed > (progress.at(-1)?.rows ?? 0)) progress.push({ atMs, rows: processed });
      if (processed === this.emails.length || atMs > this.limitMs) return progress;
      await pause(POLL_MS);
    }
  }

  private async inWorld(
    name: string,
    processes: number,
    measure: (place: WorldPlace) => Promise<Measured>,
  ): Promise<ListRun> {
    const world = fork(join(import.meta.dirname, 'world.ts'), [JSON.stringify(this.options)], {
      execArgv: [...WITH_TYPESCRIPT],
    });
    try {
      const place = await messageFrom<WorldPlace>(world);
      const [loadBefore = 0] = loadavg();
      const measured = await measure(place);
      world.send('counts');
      const counts = await messageFrom<ListsWorldCounts>(world);
      return { ...measured, name, processes, counts, loadBefore };
    } finally {
      world.disconnect();
    }
  }

  private get timeouts() {
    return { SMTP_COMMAND_TIMEOUT_MS: String(COMMAND_TIMEOUT_MS * this.options.latencyScale) };
  }
}

async function cpuMsOf({ workers }: BulkFleet): Promise<number> {
  const times = await Promise.all(workers.map(({ child }) => processorMs(child.pid)));
  return times.reduce((sum, value) => sum + value, 0);
}

async function verdictsOf(fleet: BulkFleet, id: string, key: string): Promise<Map<string, ShortVerdict>> {
  const answer = await fetch(`${fleet.url}/v1/bulk-jobs/${id}/results`, {
    headers: { Authorization: `Bearer ${key}`, Accept: 'application/x-ndjson' },
  });
  const lines = (await answer.text()).split('\n').filter((line) => line !== '');
  return byAddress(lines.map((line) => JSON.parse(line) as ShortVerdict));
}

function byAddress(verdicts: readonly ShortVerdict[]): Map<string, ShortVerdict> {
  return new Map(verdicts.map((verdict) => [verdict.email, verdict]));
}

import { setTimeout as pause } from 'node:timers/promises';
import { BulkFleet, type FleetAccount } from '../../test/support/processes/bulk-fleet.js';
import { ended } from '../bulk/lists.js';
import { postmasterOf, processorMs, serverMs } from '../bulk/processor-time.js';

const DOMAINS = 1_000;
const SINGLES = 1_000;
const PAGES = 50;
const POLL_MS = 20;
/** Rows of a page. */
const LIMIT = 100;

/** What one list and one single call cost, as they are now. */
export class GrowthFigures {
  private constructor(
    private readonly fleet: BulkFleet,
    private readonly account: FleetAccount,
    private readonly rows: number,
    private readonly postmaster: number,
  ) {}

  static async of(fleet: BulkFleet, rows: number): Promise<GrowthFigures> {
    const account = await fleet.anAccount('unlimited');
    return new GrowthFigures(fleet, account, rows, await postmasterOf(fleet.database));
  }

  /** Verifies a list, and keeps it. @returns its id. */
  async aList(): Promise<string> {
    const id = await this.fleet.submitStreamed(this.lines(), this.account.live_key);
    await ended(this.fleet, id, this.account.live_key);
    return id;
  }

  async measure(): Promise<Record<string, number>> {
    let id = '';
    const list = await this.cost(async () => {
      id = await this.aList();
    });
    const path = `/v1/bulk-jobs/${id}/results`;
    const first = await this.repeated(PAGES, () => this.read(`${path}?limit=${LIMIT}`));
    const deepCursor = await this.cursorNearEnd(path);
    const deep = await this.repeated(PAGES, () => this.read(`${path}?limit=${LIMIT}&cursor=${deepCursor}`));
    const single = await this.repeated(SINGLES, () =>
      this.read('/v1/verify?email=person0@domain0.listworld'),
    );
    const csv = await this.cost(() => this.read(path, 'text/csv'));
    const walBefore = await this.wal();
    const isLeft = await this.remove(id);
    const deletion = await this.cost(async () => {
      while (await isLeft()) await pause(POLL_MS);
    });
    return {
      'new list, rows/s': Math.round((this.rows / list.ms) * 1_000),
      'new list, processor ms for 1,000 rows': rounded((list.processorMs / this.rows) * 1_000),
      'stored single call, ms p50': single.p50,
      'stored single call, ms p99': single.p99,
      'stored single call, processor ms': single.processorMs,
      'first page, ms p50': first.p50,
      'first page, processor ms': first.processorMs,
      'deep page, ms p50': deep.p50,
      'deep page, processor ms': deep.processorMs,
      'CSV, s': rounded(csv.ms / 1_000),
      'CSV, processor s': rounded(csv.processorMs / 1_000),
      'deletion, s': rounded(deletion.ms / 1_000),
      'deletion, processor s': rounded(deletion.processorMs / 1_000),
      'deletion, bytes of write-ahead log a row': Math.round(((await this.wal()) - walBefore) / this.rows),
    };
  }

  private async repeated(times: number, work: () => Promise<void>) {
    const durations: number[] = [];
    const { processorMs } = await this.cost(async () => {
      for (let n = 0; n < times; n++) {
        const began = performance.now();
        await work();
        durations.push(performance.now() - began);
      }
    });
    durations.sort((a, b) => a - b);
    const at = (share: number) => rounded(durations[Math.floor(share * (times - 1))] ?? NaN);
    return { p50: at(0.5), p99: at(0.99), processorMs: rounded(processorMs / times) };
  }

  /** Milliseconds on the clock, and of the processors by API, worker and PostgreSQL. */
  private async cost(work: () => Promise<void>) {
    const before = await this.processors();
    const began = performance.now();
    await work();
    const ms = performance.now() - began;
    return { ms, processorMs: (await this.processors()) - before };
  }

  private async processors(): Promise<number> {
    const processes = [this.fleet.api, ...this.fleet.workers].map(({ child }) => processorMs(child.pid));
    const times = await Promise.all([...processes, serverMs(this.postmaster)]);
    return times.reduce((sum, ms) => sum + ms, 0);
  }

  private async read(path: string, accept = 'application/json'): Promise<void> {
    const headers = { Authorization: `Bearer ${this.account.live_key}`, Accept: accept };
    const answer = await fetch(`${this.fleet.url}${path}`, { headers });
    await answer.body!.pipeTo(new WritableStream());
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  }

  /** The place of a page at nine tenths of the list. */
  private async cursorNearEnd(path: string): Promise<string> {
    let cursor = '';
    for (let read = 0; read + 1_000 <= this.rows * 0.9; read += 1_000) {
      const after = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await this.fleet.get<{ data: { id?: string }[]; next_cursor?: string }>(
        `${path}?limit=1000${after}`,
        this.account.live_key,
      );
      cursor = page.next_cursor ?? '';
    }
    return cursor;
  }

  /** Deletes a list, and waits for the sweep that deletes its rows, once a minute. @returns whether some are left. */
  private async remove(id: string): Promise<() => Promise<boolean>> {
    const [job] = await this.fleet.database.query<{ list: string }[]>(
      'SELECT list FROM bulk_jobs WHERE id = $1',
      [id],
    );
    const headers = { Authorization: `Bearer ${this.account.live_key}` };
    const answer = await fetch(`${this.fleet.url}/v1/bulk-jobs/${id}`, { method: 'DELETE', headers });
    if (answer.status !== 204) throw new Error(`not deleted: ${answer.status}`);
    const first = await this.firstResult(job!.list);
    while ((await this.firstResult(job!.list)) === first) await pause(POLL_MS);
    return async () => {
      const [row] = await this.fleet.database.query<{ left: boolean }[]>(
        'SELECT EXISTS (SELECT FROM bulk_rows WHERE list = $1) AS left',
        [job!.list],
      );
      return row?.left === true;
    };
  }

  private async firstResult(list: string): Promise<string | null> {
    const [row] = await this.fleet.database.query<{ first: string }[]>(
      `SELECT encode(address_key, 'hex') AS first FROM bulk_results
        WHERE address_key >= int8send($1) AND address_key < int8send($1::bigint + 1) ORDER BY address_key LIMIT 1`,
      [list],
    );
    return row?.first ?? null;
  }

  private async wal(): Promise<number> {
    const [row] = await this.fleet.database.query<{ bytes: string }[]>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes`,
    );
    return Number(row?.bytes);
  }

  private *lines(): Generator<string> {
    for (let n = 0; n < this.rows; n++) yield `"person${n}@domain${n % DOMAINS}.listworld"\n`;
  }
}

const rounded = (value: number) => Number(value.toFixed(2));

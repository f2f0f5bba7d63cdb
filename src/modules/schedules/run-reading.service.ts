import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { Clock } from '../../kernel/clock.js';
import { FairSemaphore } from '../../kernel/concurrency/fair-semaphore.js';
import { isEmpty, type ListEntry } from '../../kernel/list-files/list-entry.js';
import type { Principal } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { BulkUploadsService } from '../bulk/intake/bulk-uploads.service.js';
import { TiersService } from '../tiers/tiers.service.js';
import { AddressFactsService } from '../verification/address-facts.service.js';
import { RunFailure } from './domain/failure.js';
import { ListSource, type OpenedList } from './domain/list-source.js';
import type { Schedule, SourceSecret } from './domain/schedule.js';
import { ScheduleMemberRepository } from './domain/schedule-member.repository.js';
import { LeaseLost, type LeasedRun, type ScheduleRun } from './domain/schedule-run.js';
import { ScheduleRunRepository } from './domain/schedule-run.repository.js';
import { ScheduleRepository } from './domain/schedule.repository.js';
import { SourceLimits } from './domain/source-limits.js';

const DAY_SECONDS = 86_400;
/** Pieces of sources that are compared at the same time; the other runs of the process wait for their source. */
const AT_ONCE = { total: 4, perKey: 1 };
/** Rows that are identified without a return to the event loop. */
const UNINTERRUPTED = 250;

/** Of which rows a run takes the results of earlier runs. */
interface Comparison {
  schedule: Schedule;
  /** Addresses that were verified since then are not verified again. */
  since: Date;
}

type ReadRows = Pick<ScheduleRun, 'rows' | 'unchanged'>;

/** Reads sources, and submits the rows that must be verified as lists. */
@Injectable()
export class RunReadingService {
  private readonly turns = new FairSemaphore(AT_ONCE);

  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly runs: ScheduleRunRepository,
    private readonly members: ScheduleMemberRepository,
    private readonly source: ListSource,
    private readonly limits: SourceLimits,
    private readonly uploads: BulkUploadsService,
    private readonly addresses: AddressFactsService,
    private readonly tiers: TiersService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @returns false: no row must be verified. @throws RunFailure, MalformedList, LeaseLost, and what refuses lists */
  async read(
    leased: LeasedRun,
    schedule: Schedule,
    secret: SourceSecret,
    caller: Principal,
    signal: AbortSignal,
  ): Promise<boolean> {
    this.tiers.require(caller.tier, 'schedules');
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.limits.readingMs)]);
    const list = await this.source.open(schedule.source, secret, limited);
    const maxAge = this.maxAgeOf(schedule, caller);
    // The list uses stored facts up to `maxAge` in whole seconds. What is due is older, so that it is verified.
    const since = new Date(this.clock.now().getTime() - (maxAge + 1) * 1_000);
    const read: ReadRows = { rows: 0, unchanged: 0 };
    const due = this.dueRows(list, { schedule, since }, read);
    const first = await due.next();
    if (first.done === true) {
      if (read.rows === 0 && schedule.source.kind === 'url') throw new RunFailure('empty');
      Object.assign(leased.run, read);
      return false;
    }
    const entries = withFirst(first.value, due);
    Object.assign(list.header, { name: schedule.name, refresh: false, maxAge });
    const upload = await this.uploads.receive(caller, { ...list, entries, isHeld: false });
    try {
      await this.work.run(async () => {
        // Nothing is verified for a schedule that was deleted meanwhile.
        if ((await this.schedules.findForUpdate(schedule.id)) === null) throw new LeaseLost();
        const job = await this.uploads.accept(caller, upload, schedule.id);
        leased.run.verify(job.id, read);
        if (!(await this.runs.saveLeased(leased, true))) throw new LeaseLost();
      });
    } catch (error) {
      await this.uploads.discard(upload.listId);
      throw error;
    }
    return true;
  }

  /** Seconds. A tier without `refresh` has a minimum. */
  private maxAgeOf({ maxAgeDays }: Schedule, { tier }: Principal): number {
    return Math.max(maxAgeDays * DAY_SECONDS, this.tiers.get(tier).minMaxAge);
  }

  /** The rows whose address was not verified lately. Rows without an address are left out. */
  private async *dueRows(
    { entries, header, options }: OpenedList,
    comparison: Comparison,
    read: ReadRows,
  ): AsyncGenerator<readonly ListEntry[], void> {
    let hasAddress = false;
    for await (const piece of entries) {
      const compare = () => this.compare(piece, comparison);
      const { due, unchanged } = await this.turns.run(comparison.schedule.teamId, compare);
      read.rows += piece.length;
      read.unchanged += unchanged;
      hasAddress ||= due.length + unchanged > 0;
      // The rows that are left do not show whether the column was found well: those that are known do.
      if (read.unchanged > 0) options.column = header.format?.column;
      if (due.length > 0) yield due;
    }
    if (read.rows > 0 && !hasAddress) throw new RunFailure('empty');
  }

  private async compare(
    piece: readonly ListEntry[],
    { schedule, since }: Comparison,
  ): Promise<{ due: ListEntry[]; unchanged: number }> {
    const keyed: { entry: ListEntry; key: string }[] = [];
    for (const [at, entry] of piece.entries()) {
      if (!isEmpty(entry.email)) keyed.push({ entry, key: this.addresses.locate(entry.email).addressKey });
      if (at % UNINTERRUPTED === 0) await setImmediate();
    }
    if (keyed.length === 0) return { due: [], unchanged: 0 };
    const keys = keyed.map(({ key }) => key);
    const known = await this.members.listVerifiedSince(schedule.id, keys, since);
    const due = keyed.filter(({ key }) => !known.has(key)).map(({ entry }) => entry);
    return { due, unchanged: keyed.length - due.length };
  }
}

async function* withFirst<Item>(first: Item, others: AsyncIterable<Item>): AsyncGenerator<Item, void> {
  yield first;
  yield* others;
}

import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { Clock } from '../../../../kernel/clock.js';
import { FairSemaphore } from '../../../../kernel/concurrency/fair-semaphore.js';
import { isEmpty } from '../../../../kernel/list-files/list-entry.js';
import {
  emptyHeader,
  type ListHeader,
  type ListOptions,
  type ListPiece,
} from '../../../../kernel/list-files/list-format.js';
import type { Principal } from '../../../../kernel/principal.js';
import { LeaseLost } from '../../../../kernel/queue/team-work.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { ListIntakeService } from '../../bulk/intake/list-intake.service.js';
import { TiersService } from '../../../identity/tiers/tiers.service.js';
import { AddressFactsService } from '../../../verification/verification/facts/address-facts.service.js';
import { RunFailure } from '../domain/failure.js';
import { ListSource, type OpenedList, type SourcePiece, type SourceRow } from '../domain/list-source.js';
import { asksForChange } from '../domain/pending-result.js';
import type { Schedule, SourceSecret } from '../domain/schedule.js';
import { ScheduleMemberRepository } from '../domain/schedule-member.repository.js';
import {
  ScheduleRowRepository,
  type DueRow,
  type PendingResult,
  type RunReference,
} from '../domain/schedule-row.repository.js';
import type { LeasedRun } from '../domain/schedule-run.js';
import { ScheduleRunRepository } from '../domain/schedule-run.repository.js';
import { ScheduleRepository } from '../domain/schedule.repository.js';
import { SourceLimits } from '../domain/source-limits.js';
import { DomainProofsService } from './domain-proofs.service.js';
import { DAY_SECONDS } from '../../../../kernel/durations.js';

/** Pieces of sources that are compared at the same time; the other runs of the process wait for their source. */
const AT_ONCE = { total: 4, perKey: 1 };
/** Rows that are identified without a return to the event loop. */
const UNINTERRUPTED = 250;
/** Stored rows that are read at a time. */
const STORED_AT_ONCE = 1_000;

/** What becomes of the rows of a piece. */
interface ComparedPiece {
  due: DueRow[];
  unchanged: number;
  /** Known results that the source does not have. */
  results: PendingResult[];
}

/** A source that was read to its end, and how the rows that are due are to be read. */
interface ReadList {
  header: ListHeader;
  options: ListOptions;
}

/** Of which rows a run takes the results of earlier runs. */
interface Comparison {
  schedule: Schedule;
  /** Addresses that were verified since then are not verified again. */
  since: Date;
}

/** `read`: no row must be verified; `yielded`: it gives its place to other runs, and goes on later. */
export type Reading = 'submitted' | 'read' | 'yielded';

/** Reads sources, and submits the rows that must be verified as lists. */
@Injectable()
export class RunReadingService {
  private readonly turns = new FairSemaphore(AT_ONCE);

  constructor(
    private readonly schedules: ScheduleRepository,
    private readonly runs: ScheduleRunRepository,
    private readonly members: ScheduleMemberRepository,
    private readonly rows: ScheduleRowRepository,
    private readonly source: ListSource,
    private readonly proofs: DomainProofsService,
    private readonly limits: SourceLimits,
    private readonly intake: ListIntakeService,
    private readonly addresses: AddressFactsService,
    private readonly tiers: TiersService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the rows that must be verified, and the known results that must be written, with the place in the source: a
   * process that continues reads on from there. The state of the run is `verifying` afterwards, or `writing` if no row
   * must be verified.
   *
   * @throws RunFailure, MalformedList, LeaseLost, and what refuses lists
   */
  async read(
    leased: LeasedRun,
    schedule: Schedule,
    secret: SourceSecret,
    caller: Principal,
    signal: AbortSignal,
  ): Promise<Reading> {
    const { run } = leased;
    this.tiers.require(caller.tier, 'schedules');
    if (run.place === null) {
      if (run.hasRows) await this.rows.deleteAll(run);
      run.readAnew();
    }
    const left = new AbortController();
    const isIdle = () => left.abort();
    let idle = setTimeout(isIdle, this.limits.idleMs);
    const progress = () => {
      clearTimeout(idle);
      idle = setTimeout(isIdle, this.limits.idleMs);
    };
    try {
      const ends = AbortSignal.any([signal, left.signal]);
      const list = await this.source.open(schedule, secret, run.place, ends);
      const maxAge = this.maxAgeOf(schedule, caller);
      // The list uses stored facts up to `maxAge` in whole seconds. What is due is older, so that it is verified.
      const since = new Date(this.clock.now().getTime() - (maxAge + 1) * 1_000);
      const read = await this.store(leased, list, { schedule, since }, progress);
      if (read === null) return 'yielded';
      clearTimeout(idle);
      return (await this.submit(leased, schedule, read, maxAge, caller)) ? 'submitted' : 'read';
    } finally {
      clearTimeout(idle);
      // The source may still be sending.
      left.abort();
    }
  }

  /** @returns null: its turn has ended before the source. @throws LeaseLost */
  private async store(
    leased: LeasedRun,
    { pieces, options }: OpenedList,
    comparison: Comparison,
    progress: () => void,
  ): Promise<ReadList | null> {
    const { run } = leased;
    const startMs = this.clock.monotonicMs();
    let hasAddress = run.unchanged > 0;
    let header = emptyHeader();
    for await (const piece of pieces) {
      progress();
      header = piece.header;
      const compare = () => this.compare(piece.rows, comparison);
      const compared = await this.turns.run(comparison.schedule.teamId, compare);
      const results = await this.proofs.ofKnown(comparison.schedule, compared.results);
      hasAddress ||= compared.due.length + compared.unchanged > 0;
      await this.savePiece(leased, piece, { ...compared, results });
      progress();
      if (piece.place !== null && this.clock.monotonicMs() - startMs > this.limits.turnMs) return null;
    }
    if (comparison.schedule.source.kind === 'url' && (run.rows === 0 || !hasAddress))
      throw new RunFailure('empty');
    // The rows that are left do not show whether the column was found well: those that are known do.
    const column = run.unchanged > 0 ? header.format?.column : options.column;
    return { header, options: { ...options, column } };
  }

  /** @throws LeaseLost */
  private async savePiece(
    leased: LeasedRun,
    { rows, place }: SourcePiece,
    { due, unchanged, results }: ComparedPiece,
  ): Promise<void> {
    const { run } = leased;
    run.read({ rows: rows.length, unchanged }, place);
    await this.work.run(async () => {
      if (!(await this.runs.saveLeased(leased))) throw new LeaseLost();
      await this.rows.addDue(run, due);
      await this.rows.addResults(run, results);
    });
  }

  /** @returns false: no row must be verified. */
  private async submit(
    leased: LeasedRun,
    { id, name }: Schedule,
    { header, options }: ReadList,
    maxAge: number,
    caller: Principal,
  ): Promise<boolean> {
    const { run } = leased;
    const [first] = await this.rows.listDue(run, -1, 1);
    if (first === undefined) {
      run.write();
      if (!(await this.runs.saveLeased(leased))) throw new LeaseLost();
      return false;
    }
    // The rows that are left do not have the lines of the source one after the other.
    const format = header.format && { ...header.format, lines: [] };
    const pieces = this.dueRows(run, { ...header, format, name, refresh: false, maxAge });
    const staged = await this.intake.receive(caller, { pieces, options, isHeld: false });
    try {
      await this.work.run(async () => {
        // Nothing is verified for a schedule that was deleted meanwhile.
        if ((await this.schedules.findForUpdate(id)) === null) throw new LeaseLost();
        const job = await this.intake.accept(caller, staged, id);
        run.verify(job.id);
        if (!(await this.runs.saveAndEndLease(leased))) throw new LeaseLost();
      });
    } catch (error) {
      await this.intake.discard(staged.listId, staged.size.total);
      throw error;
    }
    // If that fails, they are deleted with the others when the run has ended.
    await this.rows.deleteDue(run).catch(() => undefined);
    return true;
  }

  private async *dueRows(run: RunReference, header: ListHeader): AsyncGenerator<ListPiece, void> {
    for (let [after, hasMore] = [-1, true]; hasMore;) {
      const found = await this.rows.listDue(run, after, STORED_AT_ONCE);
      yield { entries: found.map(({ email, ref }) => ({ email, ref })), header };
      after = found.at(-1)?.index ?? after;
      hasMore = found.length === STORED_AT_ONCE;
    }
  }

  /** Seconds. A tier without `refresh` has a minimum. */
  private maxAgeOf({ maxAgeDays }: Schedule, { tier }: Principal): number {
    return Math.max(maxAgeDays * DAY_SECONDS, this.tiers.get(tier).minMaxAge);
  }

  /** Rows whose address was not verified lately are due. Rows without an address are left out. */
  private async compare(rows: readonly SourceRow[], { schedule, since }: Comparison): Promise<ComparedPiece> {
    const keyed: { row: SourceRow; addressKey: string }[] = [];
    for (const [n, row] of rows.entries()) {
      if (!isEmpty(row.email)) keyed.push({ row, addressKey: this.addresses.listKey(row.email).addressKey });
      if (n % UNINTERRUPTED === 0) await setImmediate();
    }
    if (keyed.length === 0) return { due: [], unchanged: 0, results: [] };
    const keys = keyed.map(({ addressKey }) => addressKey);
    const known = await this.members.listVerifiedSince(schedule.id, keys, since);
    const due: DueRow[] = [];
    const results: PendingResult[] = [];
    for (const { row, addressKey } of keyed) {
      const result = known.get(addressKey);
      if (result === undefined) due.push({ email: row.email, ref: row.ref, addressKey });
      else if (typeof row.ref === 'string' && asksForChange(schedule.onResult, result, row.stored))
        results.push({ ...result, id: Number(row.ref), email: row.email, isPostponed: false });
    }
    return { due, unchanged: keyed.length - due.length, results };
  }
}

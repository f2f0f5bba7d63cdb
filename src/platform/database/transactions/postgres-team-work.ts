import type { TeamId } from '../../../kernel/principal.js';
import { TeamWork, type Release } from '../../../kernel/queue/team-work.js';
import { FREE, HELD, leasedFor, lockClaims, nextFree } from './claims.js';
import type { PostgresUnitOfWork } from './postgres-unit-of-work.js';

/** Teams that one sweep adds jobs for. The others have their turn in one of the next, because the order is random. */
const TEAMS_AT_ONCE = 1_000;

/** A table with `lease` and `leased_until` whose rows are units of work. Conditions and changes are SQL. */
export interface WorkTable {
  table: string;
  /** Of a unit, as `keyOf` has its values. */
  key: readonly string[];
  /** Must be longer than a renewal may be late. */
  leaseSeconds: number;
  /** The column that counts claims since the last progress; null: none. */
  attempts: string | null;
  /** Without it a lease is not renewed. */
  renewedIf?: string;
  /** Selects `team_id` of rows that could be claimed. */
  waitingTeams: string;
  /** null: `claimNext` is overridden. */
  claims: TeamClaims | null;
}

/** How the next row of a team is chosen, by its `team_id`. */
interface TeamClaims {
  /** Of rows that wait or are held, for an index of these. */
  isOpen?: string;
  /** Of open rows that may be claimed now; `$2` and on are the values of `claimWith`. */
  waits?: string;
  orderBy: string;
  /** Units of a team at a time, over all processes. */
  perTeam: number;
  /** Further changes by a claim. */
  sets?: string;
  /** Of the claimed row, beside `lease`. */
  columns: string;
}

/**
 * Leases in a table. They end by the clock of the database, which all processes share. A repository says with its data
 * what is claimed; only one whose rows belong to something smaller than a team chooses the row itself.
 */
export abstract class PostgresTeamWork<Unit extends { lease: string }, Row = Unit> extends TeamWork<Unit> {
  readonly leaseSeconds: number;
  private readonly claimNextOfTeam: string;

  constructor(
    protected readonly work: PostgresUnitOfWork,
    private readonly units: WorkTable,
  ) {
    super();
    this.leaseSeconds = units.leaseSeconds;
    this.claimNextOfTeam = units.claims === null ? '' : claimStatement(units, units.claims);
  }

  claim(team: TeamId): Promise<Unit | null> {
    return this.claimWith(team, []);
  }

  renew(unit: Unit): Promise<boolean> {
    return this.updateLeased(
      unit,
      `leased_until = ${leasedFor(this.leaseSeconds)}`,
      [],
      this.units.renewedIf,
    );
  }

  async release(unit: Unit, { afterSeconds, countsAsAttempt }: Release): Promise<void> {
    const { attempts } = this.units;
    const uncounted = attempts === null || countsAsAttempt ? '' : `, ${attempts} = ${attempts} - 1`;
    const change = `lease = NULL, leased_until = now() + $1 * interval '1 second'${uncounted}`;
    await this.updateLeased(unit, change, [afterSeconds]);
  }

  listWaitingTeams(): Promise<TeamId[]> {
    return this.waitingTeamsWith([]);
  }

  protected abstract keyOf(unit: Unit): readonly unknown[];

  /** In one transaction, whose commit a crash of the database may undo: then the unit is claimed again. */
  protected claimWith(team: TeamId, values: readonly unknown[]): Promise<Unit | null> {
    return this.work.run(() => this.claimNext(team, values));
  }

  /** One claim of the team at a time, because the limit counts claims that are committed. */
  protected async claimNext(team: TeamId, values: readonly unknown[]): Promise<Unit | null> {
    await lockClaims(this.work.manager, this.units.table, team);
    const [row] = await this.query<Row>(this.claimNextOfTeam, [team, ...values]);
    return row === undefined ? null : this.unitOf(row);
  }

  /** @param row its columns, and `lease`. */
  protected unitOf(row: Row): Unit | Promise<Unit> {
    return row as unknown as Unit;
  }

  protected async waitingTeamsWith(values: readonly unknown[]): Promise<TeamId[]> {
    const teams = await this.query<{ teamId: TeamId }>(
      `SELECT team_id AS "teamId" FROM (${this.units.waitingTeams}) AS waiting
        GROUP BY team_id ORDER BY random() LIMIT ${TEAMS_AT_ONCE}`,
      values,
    );
    return teams.map(({ teamId }) => teamId);
  }

  /** @returns false: the lease was lost, and nothing has changed. */
  protected async updateLeased(
    unit: Unit,
    change: string,
    values: readonly unknown[] = [],
    condition = 'true',
  ): Promise<boolean> {
    const { table, key } = this.units;
    const of = ['lease', ...key].map((column, at) => `${column} = $${values.length + at + 1}`).join(' AND ');
    const [, count] = await this.work.manager.query<[unknown, number]>(
      `UPDATE ${table} SET ${change} WHERE ${of} AND ${condition}`,
      [...values, unit.lease, ...this.keyOf(unit)],
    );
    return count > 0;
  }

  protected query<Row>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.work.manager.query<Row[]>(statement, [...values]);
  }
}

/** The teams of open rows of a table with `team_id`. */
export function teamsOfFree(table: string, isOpen: string): string {
  return `SELECT team_id FROM ${table} WHERE ${isOpen} AND ${FREE}`;
}

function claimStatement({ table, key, leaseSeconds, attempts }: WorkTable, claims: TeamClaims): string {
  const { isOpen = 'true', waits = 'true', orderBy, perTeam, sets, columns } = claims;
  const id = key.join(', ');
  const changes = [
    ...(attempts === null ? [] : [`${attempts} = ${attempts} + 1`]),
    'lease = gen_random_uuid()',
    `leased_until = ${leasedFor(leaseSeconds)}`,
    ...(sets === undefined ? [] : [sets]),
  ];
  return `
    WITH claimed AS (
      UPDATE ${table} SET ${changes.join(', ')}
       WHERE ${id} = (${nextFree(table, id, `team_id = $1 AND ${isOpen} AND ${waits}`, orderBy)})
         AND (SELECT count(*) FROM ${table} WHERE team_id = $1 AND ${isOpen} AND ${HELD}) < ${perTeam}
      RETURNING *
    ) SELECT ${columns}, lease, set_config('synchronous_commit', 'off', true) FROM claimed`;
}

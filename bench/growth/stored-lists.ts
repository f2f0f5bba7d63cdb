import type { BulkFleet, FleetAccount } from '../../test/support/processes/bulk-fleet.js';

/** Lists of another team that the installation has stored, copies of one that was verified. */
export class StoredLists {
  private stored = 0;
  private bytes = 0;

  private constructor(
    private readonly fleet: BulkFleet,
    private readonly owner: FleetAccount,
    private readonly template: { list: string; rows: number },
  ) {}

  /** @param id of a list that has ended. */
  static async like(fleet: BulkFleet, id: string): Promise<StoredLists> {
    const [template] = await fleet.database.query<{ list: string; rows: number }[]>(
      'SELECT list, total AS rows FROM bulk_jobs WHERE id = $1',
      [id],
    );
    return new StoredLists(fleet, await fleet.anAccount('unlimited'), template!);
  }

  /** Adds lists until so many rows are stored, then does what autovacuum would. */
  async growTo(rows: number): Promise<void> {
    const before = await this.size();
    const had = this.stored;
    while (this.stored < rows) await this.addList();
    await this.fleet.database.query('VACUUM (ANALYZE)');
    if (this.stored > had) this.bytes += (await this.size()) - before;
  }

  /** Of tables and indexes; 0 while nothing is stored. */
  bytesOfRow(): number {
    return this.stored === 0 ? 0 : Math.round(this.bytes / this.stored);
  }

  private async addList(): Promise<void> {
    const { database } = this.fleet;
    const columns = await database.query<{ name: string }[]>(
      `SELECT quote_ident(column_name) AS name FROM information_schema.columns
        WHERE table_name = 'bulk_jobs' AND table_schema = current_schema()
          AND column_name NOT IN ('id', 'list', 'team_id', 'created_by')`,
    );
    const names = columns.map(({ name }) => name).join(', ');
    await database.transaction(async (manager) => {
      const [{ list }] = await manager.query<[{ list: string }]>(
        `INSERT INTO bulk_jobs (id, team_id, ${names})
         SELECT id || '_' || substring(md5(random()::text) FOR 12), $2, ${names} FROM bulk_jobs WHERE list = $1
         RETURNING list`,
        [this.template.list, this.owner.team.id],
      );
      const lists = [this.template.list, list];
      const key = 'int8send($2) || substring(address_key FROM 9)';
      await manager.query(
        `INSERT INTO bulk_rows (list, idx, address_key, email, ref, sent)
         SELECT $2, idx, ${key}, email, ref, sent FROM bulk_rows WHERE list = $1 ORDER BY idx`,
        lists,
      );
      await manager.query(
        'INSERT INTO bulk_row_reasons SELECT $2, idx, reason FROM bulk_row_reasons WHERE list = $1',
        lists,
      );
      await manager.query(
        `INSERT INTO bulk_results (address_key, reason, probed, verdict, first_row)
         SELECT ${key}, reason, probed, verdict, first_row FROM bulk_results
          WHERE address_key >= int8send($1) AND address_key < int8send($1::bigint + 1)`,
        lists,
      );
      await manager.query(
        `INSERT INTO address_facts
         SELECT $3, sha256(int8send($2) || f.address_hash), f.facts, f.observed_at, f.expires_at
           FROM address_facts f JOIN bulk_jobs j ON j.team_id = f.team_id WHERE j.list = $1`,
        [...lists, this.owner.team.id],
      );
    });
    this.stored += this.template.rows;
  }

  private async size(): Promise<number> {
    const [row] = await this.fleet.database.query<{ size: string }[]>(
      'SELECT pg_database_size(current_database()) AS size',
    );
    return Number(row?.size);
  }
}

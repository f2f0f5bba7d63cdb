import type { Verdict } from '../../../kernel/verdict.js';
import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import type { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import type { PutOffCheck } from '../domain/put-off-check.js';
import { PutOffChecksRepository } from '../domain/put-off-checks.repository.js';

type Row = Omit<PutOffCheck, 'email'> & { sealed: string };

/** Addresses and verdicts are stored encrypted, and found by the keyed hash. */
export class PostgresPutOffChecksRepository extends PutOffChecksRepository {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async add(check: Omit<PutOffCheck, 'askedAgain'>, addressKey: string, due: Date): Promise<Date> {
    const { id, teamId, email, reason, keyId, userId, firstAskedAt } = check;
    // The row that waits already is written as it is, so that it is returned.
    const [row] = await this.work.manager.query<{ due_at: Date }[]>(
      `INSERT INTO put_off_checks
              (id, team_id, address_hash, sealed, reason, key_id, user_id, first_asked_at, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (team_id, address_hash) WHERE done_at IS NULL DO UPDATE SET team_id = excluded.team_id
       RETURNING due_at`,
      [
        id,
        teamId,
        this.keys.hashAddress(addressKey),
        this.keys.encrypt(email),
        reason,
        keyId,
        userId,
        firstAskedAt,
        due,
      ],
    );
    return row?.due_at ?? due;
  }

  async claim(now: Date, until: Date, limit: number, lease: string): Promise<PutOffCheck[]> {
    const [rows] = await this.work.manager.query<[Row[], number]>(
      `UPDATE put_off_checks SET due_at = $2, lease = $4 WHERE id IN (
         SELECT id FROM put_off_checks WHERE done_at IS NULL AND due_at <= $1
          ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id, team_id AS "teamId", sealed, reason, key_id AS "keyId", user_id AS "userId",
                 first_asked_at AS "firstAskedAt", asked_again AS "askedAgain"`,
      [now, until, limit, lease],
    );
    return rows.map(({ sealed, ...check }) => ({ ...check, email: this.keys.decrypt(sealed) }));
  }

  async postpone(id: string, lease: string, due: Date): Promise<boolean> {
    const [, count] = await this.work.manager.query<[unknown, number]>(
      `UPDATE put_off_checks SET due_at = $3, asked_again = asked_again + 1, lease = NULL
        WHERE id = $1 AND lease = $2 AND done_at IS NULL`,
      [id, lease, due],
    );
    return count > 0;
  }

  async finish(id: string, lease: string, verdict: Verdict, now: Date, eraseAt: Date): Promise<boolean> {
    const [, count] = await this.work.manager.query<[unknown, number]>(
      `UPDATE put_off_checks SET sealed = $3, done_at = $4, erase_at = $5, lease = NULL
        WHERE id = $1 AND lease = $2 AND done_at IS NULL`,
      [id, lease, this.keys.encrypt(JSON.stringify(verdict)), now, eraseAt],
    );
    return count > 0;
  }

  async verdict(id: string): Promise<Verdict | null> {
    const [row] = await this.work.manager.query<{ sealed: string }[]>(
      'SELECT sealed FROM put_off_checks WHERE id = $1 AND done_at IS NOT NULL',
      [id],
    );
    if (row === undefined) return null;
    const verdict = JSON.parse(this.keys.decrypt(row.sealed)) as Verdict & { verifiedAt: string };
    return { ...verdict, verifiedAt: new Date(verdict.verifiedAt) };
  }

  async eraseDue(now: Date): Promise<number> {
    const [, count] = await this.work.manager.query<[unknown, number]>(
      'DELETE FROM put_off_checks WHERE erase_at <= $1',
      [now],
    );
    return count;
  }
}

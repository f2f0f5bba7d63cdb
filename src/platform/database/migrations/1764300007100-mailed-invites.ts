import type { MigrationInterface, QueryRunner } from 'typeorm';
import { parseDomainName } from '../../../kernel/text/domain-name.js';

interface Written {
  id: string;
  email: string;
}

/** Of the few rows whose domain has other characters than those of A-labels in lower case. */
const OTHER_SPELLING = "email ~ '@[^@]*[^a-z0-9.@-][^@]*$'";

/** The proof in the mailed link of an invite; and addresses with their domain in one spelling. */
export class MailedInvites1764300007100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE invites ADD proof_digest bytea');
    await this.normalize(queryRunner, 'users', 'confirmed_at IS NOT NULL AND id <> $1');
    await this.normalize(
      queryRunner,
      'invites',
      `accepted_at IS NULL AND revoked_at IS NULL AND id <> $1
        AND team_id = (SELECT team_id FROM invites AS same WHERE same.id = $1)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE invites DROP proof_digest');
  }

  /** @param unique the other rows that may not have the same address; then the row stays as it is. */
  private async normalize(queryRunner: QueryRunner, table: string, unique: string): Promise<void> {
    const rows = (await queryRunner.query(
      `SELECT id, email FROM ${table} WHERE ${OTHER_SPELLING} ORDER BY id`,
    )) as Written[];
    for (const { id, email } of rows) {
      const at = email.lastIndexOf('@');
      const parsed = parseDomainName(email.slice(at + 1));
      if (!parsed.ok) continue;
      const normalized = `${email.slice(0, at).normalize('NFC')}@${parsed.domain}`;
      await queryRunner.query(
        `UPDATE ${table} SET email = $2 WHERE id = $1
            AND NOT EXISTS (SELECT FROM ${table} WHERE lower(email) = lower($2) AND ${unique})`,
        [id, normalized],
      );
    }
  }
}

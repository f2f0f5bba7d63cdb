import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The proofs that were confirmed, until they have expired for all clocks. No row says whose proof it was. */
export class Proofs1764000001500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE confirmed_proofs (
        jti        uuid PRIMARY KEY,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX confirmed_proofs_expiry ON confirmed_proofs (expires_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE confirmed_proofs');
  }
}

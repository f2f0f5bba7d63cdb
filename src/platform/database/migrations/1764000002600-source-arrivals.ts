import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which sources tell that mails arrive. */
export class SourceArrivals1764000002600 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Of a provider that tells both when a mail is sent and when it arrives: it has told the second.
      ALTER TABLE outcome_sources ADD COLUMN tells_arrivals boolean NOT NULL DEFAULT false;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE outcome_sources DROP COLUMN tells_arrivals');
  }
}

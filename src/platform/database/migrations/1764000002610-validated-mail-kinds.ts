import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reads the rows under a lock that lets others read and write. */
export class ValidatedMailKinds1764000002610 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE outgoing_mails VALIDATE CONSTRAINT outgoing_mails_kind_check');
  }

  async down(): Promise<void> {}
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the text that shows whether SECRET_KEY is the key that the database was written with. */
export class SecretKeyCheck1763800002400 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- One row, added at the first start. The text is known; the ciphertext is an envelope of SecretKeys.
      CREATE TABLE secret_key_check (
        id         boolean PRIMARY KEY DEFAULT true CONSTRAINT secret_key_check_one_row CHECK (id),
        ciphertext text NOT NULL
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE secret_key_check');
  }
}

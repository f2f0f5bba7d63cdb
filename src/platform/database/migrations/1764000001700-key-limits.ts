import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a secret key is limited to. */
export class KeyLimits1764000001700 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE api_keys
        -- null: everything that the role of the key may do
        ADD COLUMN scopes        text[],
        -- null: clients of all networks
        ADD COLUMN allowed_cidrs text[];
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN scopes, DROP COLUMN allowed_cidrs');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rules by which teams decide about addresses. */
export class Policy1764000001400 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE policies (
        team_id    text PRIMARY KEY REFERENCES teams ON DELETE CASCADE,
        -- Rises with each change.
        version    integer NOT NULL,
        -- Not jsonb, which sorts the members.
        rules      json NOT NULL,
        updated_at timestamptz NOT NULL,
        -- NULL: a service key, or the user was deleted.
        updated_by text REFERENCES users ON DELETE SET NULL
      );
      CREATE INDEX policies_updater ON policies (updated_by) WHERE updated_by IS NOT NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE policies');
  }
}

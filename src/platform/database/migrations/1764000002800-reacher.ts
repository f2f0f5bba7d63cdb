import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The numbers by which the clients of Reacher name lists. */
export class Reacher1764000002800 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The last number of a team, which is not given again after its list was deleted.
      CREATE TABLE reacher_numbers (
        team_id text PRIMARY KEY REFERENCES teams ON DELETE CASCADE,
        last    integer NOT NULL
      );

      CREATE TABLE reacher_jobs (
        team_id text NOT NULL REFERENCES teams ON DELETE CASCADE,
        number  integer NOT NULL,
        job_id  text NOT NULL UNIQUE REFERENCES bulk_jobs ON DELETE CASCADE,
        PRIMARY KEY (team_id, number)
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE reacher_jobs, reacher_numbers');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Results of runs that were not written to their source. */
export class ScheduleResults1764000002300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The run that has failed before the results of its list were recorded: the next run records them.
      ALTER TABLE schedules ADD COLUMN left_run_id text;
      ALTER TABLE schedule_runs ADD COLUMN not_written integer NOT NULL DEFAULT 0;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE schedule_runs DROP COLUMN not_written;
      ALTER TABLE schedules DROP COLUMN left_run_id;
    `);
  }
}

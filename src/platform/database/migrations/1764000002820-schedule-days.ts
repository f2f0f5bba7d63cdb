import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Schedules with a day of their own, a mail when they fail, and what came in place of their list. */
export class ScheduleDays1764000002820 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE schedules
        ADD COLUMN weekday text CHECK (weekday IN
          ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
        ADD COLUMN day_of_month smallint CHECK (day_of_month BETWEEN 1 AND 31),
        -- The language of a mail when a run fails; NULL: none.
        ADD COLUMN notify text CHECK (notify IN ('en', 'de')),
        -- A media type.
        ADD COLUMN disabled_detail text;
      UPDATE schedules SET
        weekday = trim(to_char(created_at AT TIME ZONE 'UTC', 'day')),
        day_of_month = extract(day FROM created_at AT TIME ZONE 'UTC'),
        source = CASE source->>'kind' WHEN 'url' THEN source || '{"emailColumn": null}' ELSE source END;
      ALTER TABLE schedules ALTER COLUMN weekday SET NOT NULL, ALTER COLUMN day_of_month SET NOT NULL;
      ALTER TABLE schedule_runs ADD COLUMN failure_detail text;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE schedule_runs DROP COLUMN failure_detail;
      ALTER TABLE schedules
        DROP COLUMN weekday, DROP COLUMN day_of_month, DROP COLUMN notify, DROP COLUMN disabled_detail;
      UPDATE schedules SET source = source - 'emailColumn';
    `);
  }
}

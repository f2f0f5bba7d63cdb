import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATES = (...added: string[]) =>
  ['receiving', ...added, 'queued', 'running', 'completed', 'canceled', 'failed', 'erasing']
    .map((state) => `'${state}'`)
    .join(', ');

/** Lists that are held until they are started, and the work on their previews. */
export class ListPreviews1764000001900 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE bulk_jobs
        -- What a held list contains; NULL: not known yet, or it was not held.
        ADD COLUMN preview jsonb,
        DROP CONSTRAINT bulk_jobs_state_check,
        ADD CONSTRAINT bulk_jobs_state_check CHECK (state IN (${STATES('held')}));

      -- One row per held list, deleted when the list is started.
      CREATE TABLE list_previews (
        list         bigint PRIMARY KEY REFERENCES bulk_jobs (list) ON DELETE CASCADE,
        team_id      text NOT NULL,
        held_at      timestamptz NOT NULL,
        -- The first chunk that is not counted yet.
        next_chunk   integer NOT NULL DEFAULT 0,
        -- Of the chunks before it, and of the upload.
        counts       jsonb NOT NULL,
        done         boolean NOT NULL DEFAULT false,
        attempts     integer NOT NULL DEFAULT 0,
        lease        uuid,
        leased_until timestamptz NOT NULL DEFAULT '-infinity'
      );
      CREATE INDEX list_previews_waiting ON list_previews (team_id) WHERE NOT done;
      CREATE INDEX list_previews_held ON list_previews (held_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE list_previews;
      ALTER TABLE bulk_jobs
        DROP COLUMN preview,
        DROP CONSTRAINT bulk_jobs_state_check,
        ADD CONSTRAINT bulk_jobs_state_check CHECK (state IN (${STATES()}));
    `);
  }
}

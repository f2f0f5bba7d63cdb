import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who reported an outcome, and how many addresses mail servers accepted. */
export class OutcomeSources1764300005000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- The source of the team; NULL: the team itself.
      ALTER TABLE outcomes ADD COLUMN source text;
      -- The reason of the verdict before outcomes changed it; NULL in older rows: that of the verdict.
      ALTER TABLE outcomes ADD COLUMN facts_reason text;
      ALTER TABLE outcome_verdicts ADD COLUMN facts_reason text;
      CREATE INDEX outcomes_source ON outcomes (team_id, source, kind, at) WHERE source IS NOT NULL;

      -- Addresses that servers accepted, of all teams. No addresses: numbers by keyed hashes of names.
      CREATE TABLE outcome_accepted (
        team_id   text NOT NULL,
        -- Of the registrable domain of the mail servers; empty: the provider is in the table.
        host      bytea NOT NULL,
        -- Of the domain, or of a consumer service.
        name      bytea NOT NULL,
        day       date NOT NULL,
        addresses integer NOT NULL,
        -- When the first of them was verified.
        since     timestamptz NOT NULL,
        PRIMARY KEY (team_id, host, name, day)
      );
      CREATE INDEX outcome_accepted_day ON outcome_accepted (day);

      -- Learned by another rule; they are learned again within seconds.
      DELETE FROM outcome_hosts;
      UPDATE outcome_statistics SET statistics = NULL, learned_at = NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE outcome_accepted;
      ALTER TABLE outcome_verdicts DROP COLUMN facts_reason;
      ALTER TABLE outcomes DROP COLUMN source, DROP COLUMN facts_reason;
    `);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of the mails of the teams. */
export class Outcomes1764000001200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      -- Contains the keyed hash of the address. No foreign key: a deleted team's rows are deleted in batches.
      CREATE TABLE outcomes (
        team_id       text NOT NULL,
        address_hash  bytea NOT NULL,
        -- The same for the same message and kind.
        event_key     bytea NOT NULL,
        kind          text NOT NULL CHECK (kind IN ('delivered', 'bounced', 'complained')),
        -- A bounce which states that the mailbox does not exist or is disabled.
        is_hard       boolean NOT NULL,
        -- The category of the reply.
        category      text,
        domain        text NOT NULL,
        at            timestamptz NOT NULL,
        code          smallint,
        enhanced_code text,
        -- Of the reply, without addresses.
        text          text,
        PRIMARY KEY (team_id, address_hash, event_key)
      );
      CREATE INDEX outcomes_at ON outcomes (at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE outcomes');
  }
}

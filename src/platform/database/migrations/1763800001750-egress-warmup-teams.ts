import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the probes of each team to the daily counters of new egresses. */
export class EgressWarmupTeams1763800001750 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE egress_warmup_teams (
        egress   text NOT NULL,
        provider text NOT NULL,
        team_id  text NOT NULL,
        day      date NOT NULL,
        used     integer NOT NULL,
        refused  integer NOT NULL,
        PRIMARY KEY (egress, provider, team_id)
      );
      CREATE INDEX egress_warmup_teams_day ON egress_warmup_teams (day)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE egress_warmup_teams');
  }
}

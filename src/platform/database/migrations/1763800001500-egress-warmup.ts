import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the daily counters of new egresses at large providers. */
export class EgressWarmup1763800001500 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE egress_warmup (
        egress   text NOT NULL,
        provider text NOT NULL,
        day      date NOT NULL,
        -- NULL: the egress is known at the provider.
        ceiling  integer,
        used     integer NOT NULL,
        PRIMARY KEY (egress, provider)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE egress_warmup');
  }
}

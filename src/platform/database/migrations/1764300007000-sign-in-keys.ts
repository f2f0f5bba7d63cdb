import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of sign-ins are told from others: they do not count toward the limit of the team. */
export class SignInKeys1764300007000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys ADD is_sign_in boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys DROP is_sign_in');
  }
}

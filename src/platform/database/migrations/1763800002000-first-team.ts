import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Marks the first team, whose owner may see the state of the installation. The mark is stored because
 * the oldest team may be deleted: the next one may belong to anyone.
 *
 * In an existing database it is the oldest team, if its owner was created by the operator.
 */
export class FirstTeam1763800002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE teams ADD COLUMN is_first boolean NOT NULL DEFAULT false;
      UPDATE teams SET is_first = true
       WHERE id = (SELECT min(id) FROM teams)
         AND EXISTS (SELECT FROM members JOIN users ON users.id = user_id
                      WHERE team_id = teams.id AND role = 'owner' AND confirmed_at = users.created_at);
      CREATE UNIQUE INDEX teams_first ON teams (is_first) WHERE is_first;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE teams DROP COLUMN is_first');
  }
}

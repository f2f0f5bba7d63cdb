import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users, teams, members and invites. */
export class Teams1764000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE users (
        id           text PRIMARY KEY,
        email        text NOT NULL,
        created_at   timestamptz NOT NULL,
        confirmed_at timestamptz
      );
      CREATE UNIQUE INDEX users_confirmed_email ON users (lower(email)) WHERE confirmed_at IS NOT NULL;
      CREATE INDEX users_email ON users (lower(email));
      CREATE INDEX users_page ON users (created_at DESC, id DESC);

      CREATE TABLE teams (
        id                text PRIMARY KEY,
        name              text NOT NULL,
        base_tier         text NOT NULL,
        subscription_tier text,
        retention_days    integer CHECK (retention_days >= 0),
        role_is_risky     boolean NOT NULL DEFAULT false,
        created_at        timestamptz NOT NULL,
        is_first          boolean NOT NULL DEFAULT false
      );
      CREATE UNIQUE INDEX teams_first ON teams (is_first) WHERE is_first;

      CREATE TABLE members (
        id             text PRIMARY KEY,
        team_id        text NOT NULL REFERENCES teams ON DELETE CASCADE,
        user_id        text NOT NULL REFERENCES users ON DELETE CASCADE,
        role           text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
        joined_at      timestamptz NOT NULL,
        -- The last use of a secret key of the user for this team.
        last_active_at timestamptz,
        UNIQUE (team_id, user_id)
      );
      CREATE UNIQUE INDEX members_one_owner ON members (team_id) WHERE role = 'owner';
      CREATE INDEX members_user ON members (user_id);

      CREATE TABLE invites (
        id           text PRIMARY KEY,
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        email        text NOT NULL,
        role         text NOT NULL CHECK (role IN ('admin', 'member')),
        token_digest bytea NOT NULL UNIQUE,
        -- Of the proof in the mailed link.
        proof_digest bytea,
        -- Ids of users, who may have been deleted.
        invited_by   text NOT NULL,
        accepted_by  text,
        by_mail      boolean NOT NULL,
        created_at   timestamptz NOT NULL,
        expires_at   timestamptz NOT NULL,
        accepted_at  timestamptz,
        revoked_at   timestamptz,
        CHECK (accepted_at IS NULL OR revoked_at IS NULL)
      );
      CREATE INDEX invites_team ON invites (team_id, created_at DESC, id DESC);
      -- An expired invite remains until a new one to the same address replaces it.
      CREATE UNIQUE INDEX invites_one_pending ON invites (team_id, lower(email))
        WHERE accepted_at IS NULL AND revoked_at IS NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE invites, members, teams, users');
  }
}

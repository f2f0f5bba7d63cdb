import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users, teams, members, keys and facts about addresses. */
export class Foundation1763600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE users (
        id         text PRIMARY KEY,
        email      text NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX users_email ON users (lower(email));

      CREATE TABLE teams (
        id                text PRIMARY KEY,
        name              text NOT NULL,
        base_tier         text NOT NULL,
        subscription_tier text,
        retention_days    integer CHECK (retention_days >= 0),
        role_is_risky     boolean NOT NULL DEFAULT false,
        created_at        timestamptz NOT NULL
      );

      CREATE TABLE members (
        id        text PRIMARY KEY,
        team_id   text NOT NULL REFERENCES teams ON DELETE CASCADE,
        user_id   text NOT NULL REFERENCES users ON DELETE CASCADE,
        role      text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
        joined_at timestamptz NOT NULL,
        UNIQUE (team_id, user_id)
      );
      CREATE UNIQUE INDEX members_one_owner ON members (team_id) WHERE role = 'owner';

      CREATE TABLE api_keys (
        id           text PRIMARY KEY,
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        user_id      text REFERENCES users ON DELETE CASCADE,
        name         text NOT NULL,
        mode         text NOT NULL CHECK (mode IN ('live', 'test')),
        digest       bytea NOT NULL UNIQUE,
        last4        text NOT NULL,
        created_at   timestamptz NOT NULL,
        last_used_at timestamptz,
        expires_at   timestamptz,
        revoked_at   timestamptz
      );
      CREATE INDEX api_keys_team ON api_keys (team_id, created_at DESC, id DESC);

      -- Contains the keyed hash of the address, per team, not the address.
      CREATE TABLE address_facts (
        team_id      text NOT NULL REFERENCES teams ON DELETE CASCADE,
        address_hash bytea NOT NULL,
        facts        jsonb NOT NULL,
        observed_at  timestamptz NOT NULL,
        expires_at   timestamptz NOT NULL,
        PRIMARY KEY (team_id, address_hash)
      );
      CREATE INDEX address_facts_expiry ON address_facts (expires_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE address_facts, api_keys, members, teams, users');
  }
}

import { SqlMigration } from './sql-migration.js';

/** Blocked domains, as A-labels in lower case. */
export class Blocklist1764000000600 extends SqlMigration {
  readonly creates = `
    CREATE TABLE blocklist_entries (
      id         text PRIMARY KEY,
      team_id    text NOT NULL REFERENCES teams ON DELETE CASCADE,
      domain     text NOT NULL,
      reason     text,
      created_by text REFERENCES users ON DELETE SET NULL,
      created_at timestamptz NOT NULL,
      UNIQUE (team_id, domain)
    );
    CREATE INDEX blocklist_entries_page ON blocklist_entries (team_id, created_at DESC, id DESC);
    CREATE INDEX blocklist_entries_creator ON blocklist_entries (created_by);
  `;

  readonly drops = 'DROP TABLE blocklist_entries';
}

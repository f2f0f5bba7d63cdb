import { DataSource } from 'typeorm';
import type { TestApp } from '../app/app.js';

/** Before its first and after its last state, as in a diagram. */
const OUTSIDE = '[*]';

/**
 * Notes which states the rows of tables have had one after the other, by a trigger.
 *
 * @param states by table, its state as SQL about the row `r`.
 */
export async function noteStateChanges(
  { service: { app } }: TestApp,
  states: Readonly<Record<string, string>>,
): Promise<void> {
  const dataSource = app.get(DataSource);
  await dataSource.query(`
    CREATE TABLE state_changes (of text, before text, after text, PRIMARY KEY (of, before, after));
    CREATE FUNCTION note_state_change() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before text := '${OUTSIDE}';
      after text := '${OUTSIDE}';
      state text := 'SELECT ' || TG_ARGV[0] || ' FROM (SELECT ($1).*) AS r';
    BEGIN
      IF TG_OP <> 'INSERT' THEN EXECUTE state INTO before USING OLD; END IF;
      IF TG_OP <> 'DELETE' THEN EXECUTE state INTO after USING NEW; END IF;
      IF before <> after THEN
        INSERT INTO state_changes VALUES (TG_TABLE_NAME, before, after) ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END $$`);
  for (const [table, state] of Object.entries(states))
    await dataSource.query(
      `CREATE TRIGGER note_state_change AFTER INSERT OR UPDATE OR DELETE ON ${table}
         FOR EACH ROW EXECUTE FUNCTION note_state_change($state$${state}$state$)`,
    );
}

/** `before --> after` of each change that a row of the table has had. */
export async function stateChangesOf({ service: { app } }: TestApp, table: string): Promise<string[]> {
  const rows = await app
    .get(DataSource)
    .query<{ before: string; after: string }[]>('SELECT before, after FROM state_changes WHERE of = $1', [
      table,
    ]);
  return rows.map(({ before, after }) => `${before} --> ${after}`);
}

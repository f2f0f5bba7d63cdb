import { Client } from 'pg';
import { anEmptyDatabase } from './fresh-database.js';

/** A database with a fixed clock, in a time zone far from UTC with daylight saving time. */
export interface FixedTimeDatabase {
  url: string;
  /** Sets the result of `now()`, with microseconds: `2031-12-31T23:59:59.999999Z`. */
  standAt(moment: string): Promise<void>;
  drop(): Promise<void>;
}

/** The database has no migrations yet. */
export async function aFixedTimeDatabase(moment: string): Promise<FixedTimeDatabase> {
  const database = await anEmptyDatabase();
  return withFixedTime(database, moment);
}

/** Fixes the clock of a database, and that of the default values of its columns. */
export async function withFixedTime(
  { url, drop }: Pick<FixedTimeDatabase, 'url' | 'drop'>,
  moment: string,
): Promise<FixedTimeDatabase> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  await client.query(`
    CREATE TABLE clock (stands_at timestamptz NOT NULL);
    INSERT INTO clock VALUES ('${moment}');
    CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE AS
      $$ SELECT stands_at FROM public.clock $$;
    DO $$ DECLARE col record; BEGIN
      FOR col IN SELECT table_name, column_name FROM information_schema.columns
                  WHERE table_schema = 'public' AND column_default = 'now()'
      LOOP EXECUTE format('ALTER TABLE %I ALTER %I SET DEFAULT public.now()', col.table_name, col.column_name);
      END LOOP;
    END $$;
    ALTER DATABASE ${name} SET search_path = public, pg_catalog;
    ALTER DATABASE ${name} SET timezone = 'Europe/Berlin';`);
  return {
    url,
    standAt: async (next) => void (await client.query('UPDATE clock SET stands_at = $1', [next])),
    drop: async () => {
      await client.end();
      await drop();
    },
  };
}

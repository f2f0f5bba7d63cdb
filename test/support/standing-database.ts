import { Client } from 'pg';
import { anEmptyDatabase } from './fresh-database.js';

/** A database whose clock stands, and which lives far from UTC, where summer time is kept. */
export interface StandingDatabase {
  url: string;
  /** What its `now()` answers from here on; to the microsecond, as in `2031-12-31T23:59:59.999999Z`. */
  standAt(moment: string): Promise<void>;
  drop(): Promise<void>;
}

/** Not yet migrated. */
export async function aStandingDatabase(moment: string): Promise<StandingDatabase> {
  const database = await anEmptyDatabase();
  const { url } = database;
  const client = new Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  await client.query(`
    CREATE TABLE clock (stands_at timestamptz NOT NULL);
    INSERT INTO clock VALUES ('${moment}');
    CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE AS
      $$ SELECT stands_at FROM public.clock $$;
    ALTER DATABASE ${name} SET search_path = public, pg_catalog;
    ALTER DATABASE ${name} SET timezone = 'Europe/Berlin';`);
  return {
    url,
    standAt: async (next) => void (await client.query('UPDATE clock SET stands_at = $1', [next])),
    drop: async () => {
      await client.end();
      await database.drop();
    },
  };
}

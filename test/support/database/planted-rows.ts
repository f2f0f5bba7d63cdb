import { escapeIdentifier, Client } from 'pg';

/** Rows of every table, from the catalog, so that a table that is added later has some too. */

interface Column {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  identity: boolean;
  /** The column that a foreign key refers to. */
  refers: { table: string; column: string } | null;
  /** A value that its CHECK accepts. */
  allowed: string | null;
}

const COLUMNS = `
  SELECT t.relname AS "table", a.attname AS "column", format_type(a.atttypid, NULL) AS type,
         NOT a.attnotnull AS nullable, a.attidentity <> '' AS identity,
         (SELECT json_build_object('table', r.relname, 'column', ra.attname)
            FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
            JOIN pg_attribute ra ON ra.attrelid = r.oid AND ra.attnum = k.confkey[1]
           WHERE k.conrelid = t.oid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum]) AS refers,
         (SELECT substring(pg_get_constraintdef(k.oid) FROM '''([^'']*)''::text')
            FROM pg_constraint k
           WHERE k.conrelid = t.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]) AS allowed
    FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE t.relkind = 'r' AND t.relpersistence = 'p' AND t.relnamespace = current_schema()::regnamespace
     AND t.relname <> 'migrations' AND a.attgenerated = ''
   ORDER BY t.relname, a.attnum`;

/** Text that COPY must escape. */
const HOSTILE = 'tab\t, line\n, \r, back\\slash, \\N, \\., "quotes\'", ünï, 😀';

/** Values that several columns must agree on. */
const AGREED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  invites: { accepted_at: null, revoked_at: null },
  idempotency_keys: { status: null, response: null },
  secret_key_check: { id: true },
  service_pause: { id: true },
  rechecks: { erase_at: null, list: null },
  webhook_deliveries: { status: 'pending' },
  api_keys: { publishable: null, publishable_key: null },
  schedules: { day_of_month: 31 },
  teams: { is_first: false },
};

/** As many rows in each table as its keys allow, at most `count`. */
export async function plantRows(url: string, count = 3): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Column>(COLUMNS);
    const tables = new Map<string, Column[]>();
    for (const column of rows) tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
    const planted = new Set<string>();
    const isReady = ([, columns]: [string, Column[]]) =>
      columns.every(
        ({ refers, table }) => refers === null || refers.table === table || planted.has(refers.table),
      );
    while (planted.size < tables.size) {
      const ready = [...tables].filter(([name]) => !planted.has(name)).filter(isReady);
      for (const [name, columns] of ready) {
        for (let n = 0; n < count; n++) await plantRow(client, name, columns, n);
        planted.add(name);
      }
      if (ready.length === 0) throw new Error('foreign keys form a circle');
    }
  } finally {
    await client.end();
  }
}

async function plantRow(client: Client, table: string, columns: Column[], n: number): Promise<void> {
  const filled = columns.filter(({ identity }) => !identity);
  const values: unknown[] = [];
  for (const column of filled) values.push(await valueOf(client, column, n));
  const names = filled.map(({ column }) => escapeIdentifier(column)).join(', ');
  const places = filled.map((_, place) => `$${place + 1}`).join(', ');
  const insert = `INSERT INTO ${escapeIdentifier(table)} (${names}) VALUES (${places}) ON CONFLICT DO NOTHING`;
  await client.query(insert, values).catch((error: unknown) => {
    throw new Error(`plantRows has no row for ${table}: ${String(error)}; add it to AGREED`);
  });
}

async function valueOf(client: Client, column: Column, n: number): Promise<unknown> {
  const agreed = AGREED[column.table];
  if (agreed !== undefined && column.column in agreed) return agreed[column.column];
  // The last row has what may be missing.
  if (column.nullable && n === 2 && column.column !== 'due_at') return null;
  if (column.refers !== null) {
    const { table, column: key } = column.refers;
    const { rows } = await client.query<{ value: unknown }>(
      `SELECT ${escapeIdentifier(key)} AS value FROM ${escapeIdentifier(table)} ORDER BY 1 LIMIT 1 OFFSET $1`,
      [n],
    );
    return rows[0]?.value ?? null;
  }
  return column.allowed ?? ofType(column, n);
}

function ofType({ type, column }: Column, n: number): unknown {
  if (/\[\]$/.test(type)) return [`a,${n}`, HOSTILE, null];
  if (/^json/.test(type)) return JSON.stringify({ [HOSTILE]: [n, null, { text: HOSTILE, big: 1e300 }] });
  if (type === 'bytea') return Buffer.from([0, 0x5c, 0x0a, 0x09, 0x78, 255, n]);
  if (type === 'boolean') return n === 0;
  if (type === 'uuid') return `00000000-0000-4000-8000-00000000000${n}`;
  if (type === 'date') return `2026-02-0${n + 1}`;
  if (/^timestamp/.test(type))
    return n === 1 && column !== 'created_at' ? '-infinity' : '2026-02-03T04:05:06.789012Z';
  if (/^(real|double|numeric)/.test(type)) return 0.1 + n;
  if (/int|serial/.test(type)) return n;
  if (/inet|cidr/.test(type)) return `192.0.2.${n}`;
  return `${n} ${HOSTILE}`;
}

/** All rows as text, by table, in the order of the text. Unlogged tables too. */
export async function contentsOf(url: string): Promise<Record<string, string[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const tables = await client.query<{ name: string }>(
      'SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1',
    );
    const contents: Record<string, string[]> = {};
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM ${escapeIdentifier(name)} t ORDER BY 1`,
      );
      contents[name] = rows.map(({ row }) => row);
    }
    const sequences = await client.query<{ row: string }>(
      "SELECT sequencename || ' ' || last_value AS row FROM pg_sequences WHERE schemaname = current_schema() AND sequencename <> 'migrations_id_seq' ORDER BY 1",
    );
    contents.sequences = sequences.rows.map(({ row }) => row);
    return contents;
  } finally {
    await client.end();
  }
}

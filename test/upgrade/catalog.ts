import { Client } from 'pg';

const CATALOG = `
  SELECT 'column ' || c.table_schema || '.' || c.table_name || '.' || c.column_name AS what,
         concat_ws(' ', c.ordinal_position, c.udt_schema, c.udt_name, c.collation_name, c.column_default, c.is_nullable, c.identity_generation, c.generation_expression) AS how
    FROM information_schema.columns c WHERE c.table_schema = ANY($1)
  UNION ALL SELECT 'table ' || n.nspname || '.' || c.relname, concat_ws(' ', c.relkind, c.relpersistence, c.reloptions::text)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ANY($1) AND c.relkind <> 'i'
  UNION ALL SELECT 'index ' || schemaname || '.' || indexname, indexdef FROM pg_indexes WHERE schemaname = ANY($1)
  UNION ALL SELECT 'invalid index', indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid
  UNION ALL SELECT 'constraint ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) || ' ' || convalidated
    FROM pg_constraint WHERE connamespace::regnamespace::text = ANY($1) AND contype <> 'n'
  UNION ALL SELECT 'trigger ' || tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid)
    FROM pg_proc p WHERE p.pronamespace::regnamespace::text = ANY($1) AND p.prokind IN ('f', 'p')
  UNION ALL SELECT 'type ' || n.nspname || '.' || t.typname, t.typtype::text || coalesce((SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid), '')
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE n.nspname = ANY($1) AND t.typtype IN ('e', 'd')
  ORDER BY 1, 2`;

/** A sequence for the job ids of one queue, which BullMQ creates with the first job. */
const OF_A_QUEUE = /^table bullmq\.bullmq_jid_[0-9a-f]+:/;

/** Every object of the schemas of the service and its queue, as one line each. */
export async function catalogOf(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ what: string; how: string }>(CATALOG, [['public', 'bullmq']]);
    return rows.map(({ what, how }) => `${what}: ${how}`).filter((line) => !OF_A_QUEUE.test(line));
  } finally {
    await client.end();
  }
}

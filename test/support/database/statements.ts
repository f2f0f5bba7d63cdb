import type { DataSource, Logger } from 'typeorm';

/**
 * The statements of a process during an action that match a pattern. Counting all of them would count those
 * that the process runs at intervals too.
 */
export async function statementsDuring(
  dataSource: DataSource,
  pattern: RegExp,
  act: () => PromiseLike<unknown>,
): Promise<string[]> {
  const statements: string[] = [];
  const former = dataSource.logger;
  const logger: Logger = {
    logQuery: (statement) => {
      if (pattern.test(statement)) statements.push(statement);
    },
    logQueryError: (...error) => {
      former.logQueryError(...error);
    },
    logQuerySlow: () => {},
    logSchemaBuild: () => {},
    logMigration: () => {},
    log: () => {},
  };
  dataSource.setOptions({ logger });
  try {
    await act();
  } finally {
    dataSource.setOptions({ logger: former });
  }
  return statements;
}

/** A look-up of the key of a request. */
export const KEY_LOOKUP = /^SELECT .* FROM "api_keys"/s;
/** What a request without effects would read. */
export const REQUEST_READS = /\b(FROM|JOIN) "?(api_keys|teams|members|usage_days|quota_days)\b/;

import { getSystemErrorMap } from 'node:util';

/** PostgreSQL, appendix A: the conditions that an operator must be able to tell apart. */
const SQLSTATES: Readonly<Record<string, string>> = {
  '08000': 'connection exception',
  '08001': 'unable to establish connection',
  '08003': 'connection does not exist',
  '08004': 'server rejected the connection',
  '08006': 'connection failure',
  '08P01': 'protocol violation',
  '22001': 'string data right truncation',
  '22003': 'numeric value out of range',
  '22021': 'character not in repertoire',
  '22P02': 'invalid text representation',
  '22P05': 'untranslatable character',
  '23502': 'not null violation',
  '23503': 'foreign key violation',
  '23505': 'unique violation',
  '23514': 'check violation',
  '25006': 'read only SQL transaction',
  '25P02': 'in failed SQL transaction',
  '25P03': 'idle in transaction session timeout',
  '28000': 'invalid authorization specification',
  '28P01': 'invalid password',
  '3D000': 'invalid catalog name',
  '40001': 'serialization failure',
  '40P01': 'deadlock detected',
  '42501': 'insufficient privilege',
  '42601': 'syntax error',
  '42703': 'undefined column',
  '42883': 'undefined function',
  '42P01': 'undefined table',
  '53000': 'insufficient resources',
  '53100': 'disk full',
  '53200': 'out of memory',
  '53300': 'too many connections',
  '53400': 'configuration limit exceeded',
  '55P03': 'lock not available',
  '57014': 'query canceled',
  '57P01': 'admin shutdown',
  '57P02': 'crash shutdown',
  '57P03': 'cannot connect now',
  '57P05': 'idle session timeout',
  '58000': 'system error',
  '58030': 'io error',
  '58P01': 'undefined file',
  XX000: 'internal error',
  XX001: 'data corrupted',
  XX002: 'index corrupted',
};

const SYSTEM_ERRORS: ReadonlyMap<string, string> = new Map(getSystemErrorMap().values());

/**
 * The SQLSTATE of a query error, the name of a system error, or the code of an error of Node, and its meaning.
 * Unlike the message, a code quotes no input.
 */
export function errorCode(thrown: object): { code?: string; condition?: string } {
  const { code } = thrown as { code?: unknown };
  if (typeof code !== 'string' || !/^[0-9A-Z_]{2,60}$/.test(code)) return {};
  const condition = SQLSTATES[code] ?? SYSTEM_ERRORS.get(code);
  return { code, ...(condition !== undefined && { condition }) };
}

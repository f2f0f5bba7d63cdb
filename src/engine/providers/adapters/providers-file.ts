import { plainToInstance } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsInt,
  isObject,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import 'reflect-metadata';
import { PROVIDERS } from '../mail-exchange.js';
import type { ProviderChange } from '../session-limits.js';
import { composeDecorators } from '../../../platform/config/compose-decorators.js';
import { readJsonTable, refusalOf } from '../../../platform/config/json-table.js';
import { problemsOf, REFUSE_UNKNOWN } from '../../../platform/config/validation-problems.js';

const VARIABLE = 'PROVIDERS_FILE';
/** Also the registrable domain of an unknown provider. */
const PROVIDER_NAME = /^[a-z0-9][a-z0-9._-]{0,252}$/;
const HOST_PATTERN = /^[a-z0-9*]([a-z0-9*-]*\.)+[a-z0-9-]+$/i;
const MAX_PATTERNS = 100;

const WholeNumber = (max: number, otherwise = '') => {
  const options = { message: `must be a whole number from 1 to ${max}${otherwise}` };
  return composeDecorators(IsInt(options), Min(1, options), Max(max, options));
};
const IfGiven = () => ValidateIf((_, value) => value !== undefined);

class ProviderRow {
  @IfGiven()
  @WholeNumber(1_000)
  connections?: number;

  @IfGiven()
  @WholeNumber(1_000)
  connections_per_host?: number;

  @IsOptional()
  @WholeNumber(10_000, ', or null for the number that all servers allow')
  recipients_per_connection?: number | null;

  @IfGiven()
  @IsArray({ message: 'must be an array of patterns, such as ["mx*.example.com"]' })
  @ArrayMinSize(1, { message: 'must have a pattern' })
  @ArrayMaxSize(MAX_PATTERNS, { message: `must have at most ${MAX_PATTERNS} patterns` })
  @Matches(HOST_PATTERN, {
    each: true,
    message: 'must be host names, in which * stands for characters of one label and ** for labels',
  })
  mx?: string[];

  @IfGiven()
  @IsBoolean({ message: 'must be true or false' })
  accepts_all?: boolean;
}

/**
 * Reads changes of the table of providers: name → the members that change. A name that is not in the table
 * needs `mx`, or is the registrable domain of MX hosts.
 *
 * @throws ConfigError with every problem of the file.
 */
export async function readProvidersFile(path: string): Promise<Map<string, ProviderChange>> {
  const table = await readJsonTable(VARIABLE, path, 'the name of each provider and what is known of it');
  const rows = Object.entries(table).map(([name, row]) => ({ name, row: plainToInstance(ProviderRow, row) }));
  const problems = rows.flatMap(({ name, row }) => problemsOfRow(name, row));
  if (problems.length > 0) throw refusalOf(VARIABLE, path, problems);
  return new Map(rows.map(({ name, row }) => [name, toChange(row)]));
}

function problemsOfRow(name: string, row: ProviderRow): string[] {
  if (!PROVIDER_NAME.test(name))
    return [`${JSON.stringify(name)} is not a valid name: a provider, or a domain in lower case`];
  if (!isObject(row)) return [`${name} must be an object`];
  const problems = problemsOf(row, REFUSE_UNKNOWN).map((problem) => `${name}.${problem}`);
  if (problems.length > 0) return problems;
  const isReachable = row.mx !== undefined || PROVIDERS.includes(name) || name.includes('.');
  return isReachable ? [] : [`${name} is not in the table of providers: give its MX hosts as mx`];
}

function toChange(row: ProviderRow): ProviderChange {
  const change: Record<string, unknown> = {
    connections: row.connections,
    connectionsPerHost: row.connections_per_host,
    recipientsPerConnection: row.recipients_per_connection,
    mx: row.mx,
    acceptsAll: row.accepts_all,
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.js';
import { ConfigError, type Config } from '../../platform/config/config.js';
import { describeError, type Log } from '../../platform/telemetry/log.js';
import { composeEngine, type ComposedEngine, type ComposeOptions, type EngineEvents } from '../compose.js';
import { DENIES_WELL_KNOWN, DOES_NOT_ANSWER } from '../dns/adapters/dns-resolver-check.js';
import { sentenceOf } from '../limits/not-dialled.js';
import { StoredListFiles } from '../lists/adapters/stored-list-files.js';
import type { ListFiles } from '../lists/list-files.js';
import { PROVIDERS } from '../providers/mail-exchange.js';

/** The engine as the variables of a process configure it: of the service, and of commands that need no service. */
export async function composeConfigured(
  options: Omit<ComposeOptions, 'providerChanges' | 'events'> & { log: Log },
): Promise<ComposedEngine> {
  const { config, log } = options;
  rejectUnknownProviders(config);
  const { providersFile: file } = config;
  const names = new Map(config.smtp.egresses.map(({ key, name }) => [key, name]));
  const events = loggingTo(log, names);
  return composeEngine({
    ...options,
    events,
    providerChanges: file === null ? undefined : await providerChangesIn(file),
  });
}

/** The lists that `rcpt disposable update` has stored, or else those of the packages. */
export function storedLists({ dataDir }: Config, clock: Clock, log: Log): ListFiles {
  return new StoredListFiles(join(dataDir, 'lists', 'disposable.json'), clock, (error) =>
    log.error({ err: describeError(error) }, 'the updated lists cannot be read; those before stay in force'),
  );
}

/** Loaded for a file only: class-validator takes longer to load than the engine. */
async function providerChangesIn(file: string) {
  const { readProvidersFile } = await import('../providers/adapters/providers-file.js');
  return readProvidersFile(file);
}

/** @throws ConfigError */
function rejectUnknownProviders({ smtp }: Config): void {
  if ([...smtp.warmup.starts.keys()].some((provider) => !PROVIDERS.includes(provider)))
    throw new ConfigError(`EGRESS_WARMUP must name providers of this list: ${PROVIDERS.join(', ')}.`);
}

/** @param names of egresses, by key: a key may contain an address. */
export function loggingTo(log: Log, names: ReadonlyMap<string, string>): EngineEvents {
  return {
    // The names of other providers are those of customers' servers.
    onBlocked: ({ egress, provider: { name, isUnknown }, limit, waiting }) =>
      log.debug(
        { egress: names.get(egress), provider: isUnknown ? 'other' : name, limit, waiting },
        `requests wait for a session: ${sentenceOf(limit)}`,
      ),
    onResolverHealth: (server, isHealthy) =>
      isHealthy
        ? log.info({ server }, 'the name server resolves well-known domains again')
        : log.error({ server }, `${DENIES_WELL_KNOWN}: its negative responses are not accepted`),
    onResolverOutage: (server, saying) =>
      saying === null
        ? log.info({ server }, 'the name server answers again')
        : log.warn({ server, saying }, `${DOES_NOT_ANSWER}: verdicts are dns_error`),
    onInternalError: (error) =>
      log.error({ err: describeError(error) }, 'a check ended with an internal error'),
    onWarmupError: (error) =>
      log.warn(
        { err: describeError(error) },
        'the counters of new egresses cannot be read: large providers are not probed through them',
      ),
  };
}

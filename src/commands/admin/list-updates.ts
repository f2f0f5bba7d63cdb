import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MailServersModule } from '../../modules/verification/mail-servers/mail-servers.module.js';
import {
  ListRejected,
  DomainListsService,
  type ListChange,
  type ReadList,
} from '../../modules/verification/mail-servers/domain-lists.service.js';
import { withModules } from '../command-context.js';
import { print, UsageError, type Format } from '../terminal.js';

interface UpdateOptions extends Format {
  licence?: string;
  force?: true;
  dryRun?: true;
}

/** Bytes; the largest published list has about 3 MB. */
const MAX_LIST_BYTES = 32_000_000;
const FETCH_TIMEOUT_MS = 60_000;
/** Domains shown per kind; `--json` has all. */
const MAX_SHOWN = 10;

/** @param places files and URLs; empty: those of the last update. */
export async function updateLists(places: string[], options: UpdateOptions): Promise<void> {
  try {
    await withModules([MailServersModule], (services) =>
      update(services(DomainListsService), places, options),
    );
  } catch (error) {
    throw error instanceof ListRejected ? new UsageError(error.message) : error;
  }
}

async function update(lists: DomainListsService, places: string[], options: UpdateOptions): Promise<void> {
  const wanted = places.length > 0 ? places.map((name) => ({ name, licence: null })) : previousSources(lists);
  const read: ReadList[] = [];
  for (const { name, licence } of wanted)
    read.push({
      name: isUrl(name) ? name : resolve(name),
      licence: options.licence ?? licence,
      text: await textOf(name),
    });
  const { force = false, dryRun = false } = options;
  const change = await lists.update(read, { force, dryRun });
  print(options, change, () => toText(change, dryRun));
}

function previousSources(lists: DomainListsService): { name: string; licence: string | null }[] {
  const sources = lists.origins().filter(({ readAt }) => readAt !== null);
  if (sources.length === 0)
    throw new UsageError('the current lists are packaged; name the files or URLs to read');
  return sources.map(({ name, licence }) => ({ name, licence }));
}

function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

function textOf(place: string): Promise<string> {
  return isUrl(place) ? fetched(place) : readBounded(place);
}

async function readBounded(path: string): Promise<string> {
  const file = await stat(path).catch(() => null);
  if (!file?.isFile()) throw new UsageError(`there is no file ${path}`);
  if (file.size > MAX_LIST_BYTES) throw new UsageError(`${path} is longer than ${MAX_LIST_BYTES} bytes`);
  return readFile(path, 'utf8');
}

async function fetched(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok || response.body === null)
      throw new UsageError(`${url} responds with ${response.status}`);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > MAX_LIST_BYTES) throw new UsageError(`${url} is longer than ${MAX_LIST_BYTES} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { message, cause } = error as Error;
    throw new UsageError(`${url} cannot be read: ${cause instanceof Error ? cause.message : message}`);
  }
}

function toText({ before, after, added, removed, ignored }: ListChange, dryRun: boolean): string {
  return [
    `${before} domains before, ${after} after: ${added.length} added, ${removed.length} removed`,
    ...some('+', added),
    ...some('-', removed),
    ...(ignored.length > 0
      ? [`${ignored.length} ignored: public suffixes, mailbox providers, privacy relays`]
      : []),
    ...some('?', ignored),
    dryRun
      ? 'Nothing was changed.'
      : 'Replaced; running services on this DATA_DIR use the new lists within seconds.',
  ].join('\n');
}

function some(sign: string, domains: readonly string[]): string[] {
  const shown = domains.slice(0, MAX_SHOWN).map((domain) => `${sign} ${domain}`);
  return domains.length > MAX_SHOWN ? [...shown, `${sign} … and ${domains.length - MAX_SHOWN} more`] : shown;
}

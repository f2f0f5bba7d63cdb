import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { RowResult } from '../../../kernel/list-files/list-entry.js';
import type { Verdict } from '../../../kernel/verdict.js';
import { ResultWriter, type ResultTarget } from '../domain/list-source.js';
import type { SourceSecret } from '../domain/schedule.js';
import { BLOCKLISTED, Listmonk } from './listmonk.js';
import { SourceRequests } from './source-requests.js';

/** Requests at the same time. */
const AT_ONCE = 4;
/** The attribute of a subscriber with the result. */
const ATTRIBUTE = 'rcpt';

interface VerifiedRow {
  id: number;
  email: string;
  verdict: Verdict;
}

@Injectable()
export class ListmonkWriter extends ResultWriter {
  constructor(private readonly requests: SourceRequests) {
    super();
  }

  async write(
    { source, onResult }: ResultTarget,
    secret: SourceSecret,
    rows: readonly RowResult[],
    signal: AbortSignal,
  ): Promise<number> {
    if (source.kind !== 'listmonk' || onResult === 'none') return 0;
    const { url, username } = source;
    const listmonk = new Listmonk(this.requests, url, { username, token: secret.token ?? '' }, signal);
    const verified = rows.flatMap(toVerified);
    if (onResult === 'attributes') return setResults(listmonk, verified);
    return blocklist(
      listmonk,
      verified.filter(({ verdict }) => verdict.status === 'undeliverable'),
    );
  }
}

/** @returns how many were not changed. */
async function blocklist(listmonk: Listmonk, rows: readonly VerifiedRow[]): Promise<number> {
  const ids: number[] = [];
  let notWritten = 0;
  await inParallel(rows, async (row) => {
    const subscriber = await currentOf(listmonk, row);
    if (subscriber === null) notWritten++;
    else if (subscriber.status !== BLOCKLISTED) ids.push(row.id);
  });
  return notWritten + (await listmonk.blocklist(ids)).length;
}

/** @returns how many were not changed. */
async function setResults(listmonk: Listmonk, rows: readonly VerifiedRow[]): Promise<number> {
  let notWritten = 0;
  await inParallel(rows, async (row) => {
    if (!(await setResult(listmonk, row))) notWritten++;
  });
  return notWritten;
}

async function setResult(listmonk: Listmonk, row: VerifiedRow): Promise<boolean> {
  const subscriber = await currentOf(listmonk, row);
  if (subscriber === null) return false;
  const { status, reason, score, verifiedAt } = row.verdict;
  const value = { status, reason, score, verified_at: verifiedAt.toISOString() };
  // Written before the process that did it was replaced.
  if (isDeepStrictEqual(subscriber.attribs[ATTRIBUTE], value)) return true;
  return listmonk.setAttribute(subscriber, ATTRIBUTE, value);
}

/** null: it is gone, or has another address since it was read, of which the result says nothing. */
async function currentOf(listmonk: Listmonk, { id, email }: VerifiedRow) {
  const subscriber = await listmonk.find(id);
  return subscriber?.email.toLowerCase() === email.toLowerCase() ? subscriber : null;
}

function toVerified({ email, ref, verdict }: RowResult): VerifiedRow[] {
  return verdict === null || typeof ref !== 'string' ? [] : [{ id: Number(ref), email, verdict }];
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const next = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { isOpenPort } from '../../../../kernel/target.js';
import { NetworkLimiter } from '../../../../platform/memory/network-limiter.js';
import { GrantKeys } from '../domain/authorization-server.js';
import { documentMetadata } from '../domain/client-metadata.js';
import { OAuthRecordRepository } from '../domain/oauth-record.repository.js';
import { OAuthRefusal } from '../domain/oauth-refusal.js';
import { ClientDocuments, MAX_DOCUMENT_BYTES } from './client-documents.js';
import { parsedUrl } from '../../../../kernel/text/parsed-url.js';
import { HOUR_MS } from '../../../../kernel/durations.js';

/** A document is not fetched again before. */
const FRESH_MS = 300_000;
/** As long as a user may take to answer. A grant keeps it longer. */
const KEPT_MS = HOUR_MS;
/** Documents that a network makes the service fetch, from all hosts. */
const FETCHES = { ofNetwork: 20, windowMs: 600_000 };
/** Of one host, which did not ask for them. */
const FETCHES_OF_HOST = { ofNetwork: 20, together: 120, windowMs: 600_000 };
/** Of the latest grants of a client. */
const MAX_KEYS = 20;

interface StoredDocument {
  metadata: object;
  fetchedAt: string;
}

/** What is known of clients: their metadata documents, the last valid one of which is stored, and whether users have allowed them anything. */
@Injectable()
export class KnownClients {
  private readonly fetches: NetworkLimiter;
  private readonly fetchesOfHost: NetworkLimiter;

  constructor(
    private readonly records: OAuthRecordRepository,
    private readonly keys: GrantKeys,
    private readonly documents: ClientDocuments,
    private readonly clock: Clock,
  ) {
    this.fetches = new NetworkLimiter(clock, FETCHES);
    this.fetchesOfHost = new NetworkLimiter(clock, FETCHES_OF_HOST);
  }

  /** The stored metadata document of a client; null: there is none. */
  async find(clientId: string): Promise<object | null> {
    return (await this.stored(clientId))?.metadata ?? null;
  }

  /**
   * Stores the document of a client that asks for an authorization, if its id is the URL of one. The stored one is used
   * while it is young, and when it cannot be fetched.
   *
   * @param address of the browser. @throws OAuthRefusal
   */
  async refresh(clientId: string, address: string): Promise<void> {
    if (!isDocumentUrl(clientId)) return;
    const stored = await this.stored(clientId);
    const now = this.clock.now();
    const isFresh = stored !== null && now.getTime() - Date.parse(stored.fetchedAt) < FRESH_MS;
    const expiresAt = new Date(now.getTime() + KEPT_MS);
    if (!isFresh) {
      const metadata = await this.fetch(clientId, address).catch((error: unknown) => {
        if (stored === null || !(error instanceof OAuthRefusal)) throw error;
        return null;
      });
      const payload = { metadata, fetchedAt: now.toISOString() };
      // A grant may have moved the end, which stays.
      if (metadata !== null && !(await this.records.replace('ClientDocument', clientId, payload)))
        await this.records.save('ClientDocument', clientId, { ...UNBOUND, payload, expiresAt });
    }
    await this.records.extend('ClientDocument', clientId, expiresAt);
  }

  /** Whether a user has allowed the client something that still holds. */
  async hasGrant(clientId: string): Promise<boolean> {
    for (const id of await this.records.listKeysOfGrants(clientId, this.clock.now(), MAX_KEYS))
      if (await this.keys.isValid(id)) return true;
    return false;
  }

  private async stored(clientId: string): Promise<StoredDocument | null> {
    const found = await this.records.find('ClientDocument', clientId, this.clock.now());
    return (found?.payload ?? null) as StoredDocument | null;
  }

  private async fetch(clientId: string, address: string): Promise<object> {
    const url = new URL(clientId);
    this.admit(address, url.hostname);
    const response = await this.documents.fetch(url).catch(() => null);
    if (response?.status !== 200)
      throw unreadable(response === null ? 'no response' : `status ${response.status}`);
    const text = await response.text();
    if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
      throw unreadable(`more than ${MAX_DOCUMENT_BYTES} bytes`);
    return documentMetadata(jsonIn(text), clientId);
  }

  private admit(address: string, host: string): void {
    let waitMs = this.fetches.consume(address);
    if (waitMs === 0) {
      waitMs = this.fetchesOfHost.consume(address, host);
      if (waitMs > 0) this.fetches.giveBack(address);
    }
    if (waitMs > 0)
      throw new OAuthRefusal(
        'temporarily_unavailable',
        'Too many metadata documents of clients were fetched. Connect again later.',
        waitMs / 1_000,
      );
  }
}

const UNBOUND = { grantId: null, clientId: null, keyId: null };

/** In its usual form, so that one document has one id. Ports as for webhooks. */
function isDocumentUrl(id: string): boolean {
  if (parsedUrl(id) === null) return false;
  const url = new URL(id);
  const { protocol, href, username, password, hash } = url;
  return (
    protocol === 'https:' &&
    href === id &&
    username === '' &&
    password === '' &&
    hash === '' &&
    isOpenPort(url)
  );
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('no JSON');
  }
}

const unreadable = (why: string) =>
  new OAuthRefusal('invalid_client', `The metadata document of the client could not be read: ${why}.`);

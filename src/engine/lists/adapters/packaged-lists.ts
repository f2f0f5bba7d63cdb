import { createRequire } from 'node:module';
import { type DomainList } from '../domain-list.js';
import { isListable, namesUpToRegistrable } from './domain-lists.js';
import { ListFiles } from '../list-files.js';

const require = createRequire(import.meta.url);

/**
 * The lists from npm packages, some 60,000 domains: about 40 ms to load and 5 MB of heap, so they are
 * loaded on first use.
 */
export function packagedLists(): DomainList[] {
  const mailchecker = require('mailchecker') as { blacklist(): Set<string> };
  const disposable = require('disposable-email-domains-js') as { disposableEmailBlocklistSet(): Set<string> };
  return [
    packaged('mailchecker', mailchecker.blacklist()),
    packaged('disposable-email-domains-js', disposable.disposableEmailBlocklistSet()),
  ];
}

function packaged(name: string, domains: ReadonlySet<string>): DomainList {
  const { version, license } = require(`${name}/package.json`) as { version: string; license: string };
  return { name: `${name} ${version}`, licence: license, readAt: null, sha256: null, domains };
}

/** The lists of the packages, without a file that an update could have written. */
export class PackagedListFiles extends ListFiles {
  private packaged: readonly DomainList[] | null = null;

  override current(): readonly DomainList[] {
    return (this.packaged ??= packagedLists());
  }

  override isListable(domain: string): boolean {
    return isListable(domain);
  }

  override listableNames(domain: string): string[] {
    return namesUpToRegistrable(domain);
  }

  override replace(_lists: readonly DomainList[]): Promise<void> {
    return Promise.reject(new Error('The lists of the packages cannot be replaced'));
  }
}

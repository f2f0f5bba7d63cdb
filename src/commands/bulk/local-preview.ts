import { hash } from 'node:crypto';
import { addressOverview } from '../../engine/address-overview.js';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import { Engine } from '../../engine/engine.js';
import { PreviewCounts, type DomainOverview } from '../../engine/list-preview.js';
import { mapConcurrently } from '../../kernel/concurrency/map-concurrently.js';
import { AddressCount } from '../../kernel/list-files/address-count.js';
import { isEmpty } from '../../kernel/list-files/list-entry.js';
import { emptyHeader } from '../../kernel/list-files/list-format.js';
import { ListWarnings } from '../../kernel/list-files/list-warnings.js';
import {
  toPreviewResponse,
  type ListPreviewResponse,
} from '../../modules/lists/bulk/preview/list-preview.dto.js';
import { MailServersModule } from '../../modules/verification/mail-servers/mail-servers.module.js';
import { readList } from '../../platform/list-files/read-list.js';
import { withModules } from '../command-context.js';
import { sayFormat } from './format-sentence.js';
import type { ListRun } from './list-run.js';
import { identifierOf } from './local-list.js';
import type { ProgressReport } from './progress-report.js';

const LOOK_UPS = 32;

/** Reads the list, and looks up its largest domains by DNS. Nothing is stored, so nothing is known of its addresses. */
export function previewLocally(run: ListRun, report: ProgressReport): Promise<ListPreviewResponse> {
  return withModules([MailServersModule], async (services) => {
    const engine = services(Engine);
    const { counts, addresses, warnings, header } = await read(run, engine, report);
    report.start({ name: 'looking up', unit: 'domains' });
    const domains = counts.largestDomains();
    const found = new Map<string, DomainOverview>();
    const signal = new AbortController().signal;
    const lookUps = mapConcurrently(domains, LOOK_UPS, async (domain) => {
      found.set(domain, await engine.lookUp(domain, { team: '', priority: 'list' }, signal));
    });
    for await (const _ of lookUps) {
      void _;
      report.update(found.size, domains.length);
    }
    const size = { total: addresses.rows, empty: addresses.empty };
    // Nobody charges for a list without a service.
    const preview = {
      ...counts.preview(size, found, { isLive: true, deferral: null }),
      maxCharge: 0,
      warnings: warnings.list(header),
    };
    return toPreviewResponse(preview);
  });
}

async function read(run: ListRun, engine: Engine, report: ProgressReport) {
  report.start({ name: 'reading', unit: 'bytes' });
  let bytes = 0;
  const body = run.list.open((piece) => report.update((bytes += piece), run.list.bytes));
  let header = emptyHeader();
  const addresses = new AddressCount();
  const warnings = new ListWarnings();
  const counts = PreviewCounts.of([]);
  const identify = identifierOf(run, engine);
  /** Of the addresses, in all spellings: a number takes less memory than a text. */
  const seen = new Set<number>();
  for await (const piece of readList('csv', body, { ...run.reading, lines: true })) {
    header = piece.header;
    for (const entry of piece.entries) {
      if (isEmpty(entry.email)) {
        addresses.addEmpty();
        warnings.add(entry, header, 'empty');
        continue;
      }
      const parsed = parseEmailAddress(entry.email);
      addresses.add(parsed.ok);
      warnings.add(entry, header, parsed.ok ? null : parsed.error);
      const before = seen.size;
      seen.add(hash('sha1', identify(entry.email), 'buffer').readUIntBE(0, 6));
      if (seen.size > before) counts.add(addressOverview(parsed, engine.lists));
    }
  }
  addresses.requireAddresses(header, run.reading);
  sayFormat(header.format, run, report);
  return { counts, addresses, warnings, header };
}

import { Engine } from '../../engine/engine.js';
import { MailServersModule } from '../../modules/verification/mail-servers/mail-servers.module.js';
import { withModules } from '../command-context.js';
import { sayFormat } from './format-sentence.js';
import type { ListOutcome, ListRun } from './list-run.js';
import { scanList, verifyList } from './local-list.js';
import { openLocalOutput } from './local-output.js';
import type { ProgressReport } from './progress-report.js';
import { RowWriter } from './row-writer.js';
import { plural } from '../terminal.js';

/**
 * Verifies a list in this process: DNS and mail servers are queried from this machine, and nothing is
 * cached.
 */
export function verifyListLocally(run: ListRun, report: ProgressReport): Promise<ListOutcome> {
  return withModules([MailServersModule], async (services) => {
    const engine = services(Engine);
    const { uniqueBy } = run;
    const list = { open: () => run.list.open(), options: run.reading, uniqueBy };
    // A million rows take some seconds to read.
    report.start({ name: 'reading', unit: 'bytes' });
    let read = 0;
    const onRead = (bytes: number) => report.update((read += bytes), run.list.bytes);
    const scan = await scanList({ ...list, open: () => run.list.open(onRead) }, engine);
    sayFormat(scan.header.format, run, report);
    const output = await openLocalOutput(run);
    const writer = new RowWriter(output, { ...scan.header, formulaGuard: run.formulaGuard }, run.only);
    const { isKept } = writer;
    let verified = writer.previous;
    const rows = verifyList(list, engine, {
      scan,
      skip: output.progress.rows,
      isKept,
      onVerified: (done) => {
        report.update((verified += done.length), scan.rows);
        writer.keep(done);
      },
    });
    const waitingFor = (idleMs: number) => (idleMs < STALL_MS ? null : describeOpen(rows.open()));
    report.start({ name: 'verifying', unit: 'rows', waitingFor });
    report.update(verified, scan.rows);
    run.beforeSignal.push(writer.keepDone);
    try {
      for await (const next of rows) await writer.append(next);
      return { ...(await writer.complete()), reading: scan.header.format };
    } finally {
      await writer.close();
    }
  });
}

/** Time without a result after which a rate says nothing. */
const STALL_MS = 3_000;

/** The domains that a list waits for, the one with the most rows first. No addresses: a log may keep the line. */
function describeOpen(emails: readonly string[]): string | null {
  const rows = new Map<string, number>();
  for (const email of emails) {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    rows.set(domain, (rows.get(domain) ?? 0) + 1);
  }
  const [first, ...others] = [...rows].toSorted(([, a], [, b]) => b - a);
  if (first === undefined) return null;
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other domain')}`;
  return `waiting for ${plural(emails.length, 'row')} at ${first[0]}${more}`;
}

import { BulkFleet } from '../../test/support/processes/bulk-fleet.js';
import { emailOf, ended, rate } from './lists.js';
import { peakMb } from './processor-time.js';

/** Peak memory of new processes, as reported by the kernel. */
export async function peaks(rows: number) {
  const small = 10_000;
  const runs = [
    { lists: 1, rows: small },
    { lists: Math.ceil(rows / small), rows: small },
    { lists: 1, rows },
  ];
  const measured = [];
  for (const run of runs) measured.push({ ...run, ...(await peakOf(run)) });
  return measured;
}

async function peakOf({ lists, rows }: { lists: number; rows: number }) {
  const fleet = await BulkFleet.start('PostgreSQL', 1, {}, true);
  try {
    const { test_key: key } = await fleet.anAccount('unlimited');
    const began = performance.now();
    let submitMs = 0;
    let streamed = 0;
    for (let n = 0; n < lists; n++) {
      const submitted = performance.now();
      const id = await fleet.submitStreamed(pieces(rows), key);
      submitMs += performance.now() - submitted;
      await ended(fleet, id, key);
      streamed += await fleet.countCsv(id, key);
    }
    return {
      'API MB': await peakMb(fleet.api.child.pid),
      'worker MB': await peakMb(fleet.workers[0]?.child.pid),
      'submit s': (submitMs / 1000).toFixed(1),
      'rows/s with submission and CSV': rate(lists * rows, performance.now() - began),
      'CSV lines': streamed,
    };
  } finally {
    await fleet.stop();
  }
}

function* pieces(rows: number): Generator<string> {
  for (let n = 0; n < rows; n++) yield `"${emailOf(n)}"\n`;
}

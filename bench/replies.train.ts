import { writeFileSync } from 'node:fs';
import { examplesOf, inputHash, learn } from './replies/learn.js';
import { trainingSamples } from './replies/samples.js';

/**
 * Learns the weights of the features of replies, and writes the file of the engine:
 *
 *     npm run ts bench/replies.train.ts
 *
 * The result is deterministic. `bench/replies.ts` measures the accuracy.
 */
const FILE = new URL('../src/engine/replies/reply-weights.ts', import.meta.url);
const LINE_LENGTH = 108;

function main(): void {
  const samples = trainingSamples();
  const examples = examplesOf(samples);
  const weights = learn(examples);
  writeFileSync(FILE, fileOf(weights, inputHash(examples)));
  console.log(`${weights.size} weighted features of ${samples.length} replies`);
}

function fileOf(weights: ReadonlyMap<string, readonly number[]>, hash: string): string {
  const entries = [...weights].map(
    ([feature, row]) => `${feature}=${row.map((each) => Math.round(each * 100)).join(',')}`,
  );
  return `/**
 * Written by bench/replies.train.ts. \`feature=absent,closed,full,none;\`: what the feature adds to each
 * state, in hundredths.
 */
const TABLE = \`
${linesOf(entries).join('\n')}
\`;

/** SHA-256 of the training data and parameters (bench/replies/learn.ts). */
export const TRAINING_INPUT_HASH = '${hash}';

/** Feature → what it adds to each of \`MAILBOX_STATES\`. */
export const WEIGHTS: ReadonlyMap<string, readonly number[]> = new Map(
  TABLE.replaceAll('\\n', ' ')
    .trim()
    .split(/; ?/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const at = entry.lastIndexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1).split(',').map((each) => Number(each) / 100)];
    }),
);
`;
}

function linesOf(entries: readonly string[]): string[] {
  const lines: string[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + entry.length + 2 <= LINE_LENGTH) {
      lines[lines.length - 1] = `${last} ${entry};`;
    } else lines.push(`${entry};`);
  }
  return lines;
}

main();

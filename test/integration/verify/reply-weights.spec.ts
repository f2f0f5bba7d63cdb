import { expect, it } from '@jest/globals';
import { examplesOf, inputHash } from '../../../bench/replies/learn.js';
import { trainingSamples } from '../../../bench/replies/samples.js';
import { TRAINING_INPUT_HASH } from '../../../src/engine/replies/reply-weights.js';

/** The training itself takes more than ten seconds; it is deterministic, so its input decides. */
it('the committed weights were learned from the present samples, features and parameters', () => {
  const hash = inputHash(examplesOf(trainingSamples()));
  if (hash !== TRAINING_INPUT_HASH) throw new Error('Run `npm run ts bench/replies.train.ts`.');
  expect(hash).toHaveLength(64);
});

it('another reply among the samples changes the hash', () => {
  const [first, ...others] = trainingSamples();
  const changed = [{ ...first!, text: `${first!.text} unknown` }, ...others];
  expect(inputHash(examplesOf(changed))).not.toBe(TRAINING_INPUT_HASH);
});

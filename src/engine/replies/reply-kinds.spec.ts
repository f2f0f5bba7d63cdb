import { describe, expect, it } from '@jest/globals';
import { PROBED_RECIPIENT } from '../../../test/support/replies/probe-kinds.js';
import { REPLY_PROBES } from '../../../test/support/replies/reply-probes.js';
import { explainReply } from './reply-explanation.js';

describe.each(REPLY_PROBES)('$kind', ({ are, texts }) => {
  it.each([...texts])('is read as such: %s', (text) => {
    const explained = explainReply({ text, stage: 'rcpt', provider: null, recipient: PROBED_RECIPIENT });
    expect(are).toContain(explained?.category);
  });
});

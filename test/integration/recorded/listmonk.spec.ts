import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordingOf, whole, type Exchange } from '../../support/recorded/listmonk/recording.js';
import { replayed } from '../../support/recorded/listmonk/replay.js';
import type { Event } from '../../support/recorded/listmonk/steps.js';
import { LISTMONK_VERSIONS } from '../../support/schedules/listmonk-version.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';

describe.each(LISTMONK_VERSIONS)('the scripted listmonk answers as version %s', (version) => {
  const recording = recordingOf(version);
  let listmonk: ScriptedListmonk;
  beforeAll(async () => {
    listmonk = await ScriptedListmonk.start(version);
  });
  afterAll(() => listmonk.stop());

  it.each(recording.scenes)('$title', async ({ exchanges }) => {
    for (const exchange of exchanges)
      if (typeof exchange === 'string') happen(exchange);
      else expect(await replay(exchange)).toEqual(recorded(exchange));
  });

  function happen(event: Event): void {
    if (event === 'totals are cached') listmonk.answers.cachesTotals = true;
    else if (event === 'totals are counted') listmonk.people.count();
  }

  /** With the request, so that a difference shows what was asked. */
  function recorded({ as, request, response, mails = [] }: Exchange) {
    return { as, request, status: response.status, body: whole(response.body, recording), mails };
  }

  async function replay(exchange: Exchange) {
    const before = listmonk.asksToConfirm.length;
    const answer = await replayed(exchange, listmonk.url);
    const { as, request } = exchange;
    return { as, request, ...answer, mails: listmonk.asksToConfirm.slice(before) };
  }
});

import { FactStore, type FactPage, type SharedFact } from '../../../engine/limits/shared-facts.js';
import type { RedisSharedClient } from './redis-shared-client.js';

const PAGE = 1_000;
/** Facts by id, their versions, when they expire, and the last version. */
const KEYS = ['rcpt:facts', 'rcpt:facts-changed', 'rcpt:facts-expire', 'rcpt:facts-version'];

/** A cursor after the last version is that of a Redis that has lost its data. */
const EXCHANGE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local expired = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, 1000)
for _, id in ipairs(expired) do
  redis.call('HDEL', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZREM', KEYS[3], id)
end
for i = 4, #ARGV, 3 do
  local version = redis.call('INCR', KEYS[4])
  local untilMs = now + tonumber(ARGV[i + 2])
  local stored = cjson.encode({ process = ARGV[1], at = now, untilMs = untilMs })
  redis.call('HSET', KEYS[1], ARGV[i], stored .. '\\n' .. ARGV[i + 1])
  redis.call('ZADD', KEYS[2], version, ARGV[i])
  redis.call('ZADD', KEYS[3], untilMs, ARGV[i])
end
local last = tonumber(redis.call('GET', KEYS[4]) or 0)
local cursor = tonumber(ARGV[2])
if cursor > last then cursor = 0 end
local ids = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. string.format('%.0f', cursor), '+inf', 'WITHSCORES',
  'LIMIT', 0, tonumber(ARGV[3]))
local answer = { now, last }
for i = 1, #ids, 2 do
  answer[#answer + 1] = ids[i]
  answer[#answer + 1] = ids[i + 1]
  answer[#answer + 1] = redis.call('HGET', KEYS[1], ids[i])
end
return answer
`;

/** A hash with the facts, and two sorted sets by version and by expiry. */
export class RedisFactStore extends FactStore {
  constructor(private readonly redis: RedisSharedClient) {
    super();
  }

  async exchange(process: string, facts: readonly SharedFact[], cursor: string | null): Promise<FactPage> {
    const written = facts.flatMap(({ kind, key, value, ttlMs }) => [
      `${kind} ${key}`,
      JSON.stringify(value),
      ttlMs,
    ]);
    const [now, last, ...rest] = await this.redis.run<[number, number, ...string[]]>(EXCHANGE, KEYS, [
      process,
      cursor ?? 0,
      PAGE,
      ...written,
    ]);
    const page: FactPage = { facts: [], cursor: String(last), isLast: rest.length < 3 * PAGE };
    for (let i = 0; i + 2 < rest.length; i += 3) {
      const [id = '', version = '', stored = ''] = rest.slice(i, i + 3);
      if (!page.isLast) page.cursor = version;
      const [head = '', value = ''] = stored.split('\n');
      const from = JSON.parse(head) as { process: string; at: number; untilMs: number };
      if (from.process === process || from.untilMs <= now) continue;
      const [kind = '', key = ''] = splitOnce(id);
      const times = { ttlMs: from.untilMs - now, ageMs: now - from.at };
      page.facts.push({ kind: kind as SharedFact['kind'], key, value: JSON.parse(value), version, ...times });
    }
    return page;
  }
}

function splitOnce(id: string): [string, string] {
  const at = id.indexOf(' ');
  return [id.slice(0, at), id.slice(at + 1)];
}

import type { RedisSharedClient } from './redis-shared-client.js';
import {
  LEASE_TIMES,
  LeaseStore,
  type LeaseGrant,
  type LeaseRequest,
  type LeaseTimes,
} from '../../../engine/limits/lease-store.js';

const PREFIX = 'rcpt:leases:';
/** When the data of this Redis began: its age shows whether all processes have reported what they hold. */
const BORN = 'rcpt:leases-born';

/**
 * `sync_smtp_leases` (migration `smtp-leases`) as a Lua script, with Redis' own clock. A server is a
 * hash: process → connections that it may have, that count as its own, sessions, wanted connections, limit,
 * since, until.
 *
 * A Redis that has just lost its data has no leases: for one renewal period it grants no more than a
 * process would use without it.
 */
const SYNC = `
local process, ttl, turn, renewal = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('SET', KEYS[1], string.format('%.0f', now), 'NX')
local isYoung = now - tonumber(redis.call('GET', KEYS[1])) < renewal
local answers = {}
for n = 2, #KEYS do
  local key, at = KEYS[n], 4 + (n - 2) * 5
  local held, open, wanted, limit, share = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]),
    tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5])
  local others, had, since, most = {}, 0, now, limit
  local flat = redis.call('HGETALL', key)
  for i = 1, #flat, 2 do
    local a, g, o, w, l, s, u = string.match(flat[i + 1], '^(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
    if tonumber(u) <= now then redis.call('HDEL', key, flat[i])
    elseif flat[i] == process then had, since = tonumber(a), tonumber(s)
    else
      others[#others + 1] = { name = flat[i], granted = tonumber(g), open = tonumber(o), wanted = tonumber(w),
        since = tonumber(s) }
      most = math.min(most, tonumber(l))
    end
  end
  local busy, taken, sessions, short, starved, earlier = wanted > 0 and 1 or 0, 0, 0, false, false, 0
  for _, o in ipairs(others) do
    if o.wanted > 0 then busy = busy + 1 end
    taken, sessions = taken + o.granted, sessions + o.open
    short = short or o.wanted > o.granted
    if o.wanted > 0 and o.granted == 0 then
      starved = true
      if o.since < since or (o.since == since and o.name < process) then earlier = earlier + 1 end
    end
  end
  local fair = math.max(1, math.floor(most / math.max(busy, 1)))
  local free = math.max(0, most - taken)
  local target
  if busy <= most then
    target = most
    for _, o in ipairs(others) do target = target - math.max(o.granted, math.min(o.wanted, fair)) end
    target = math.max(fair, target)
  elseif had > 0 then target = (starved and now - since >= turn) and 0 or 1
  else target = free > earlier and 1 or 0 end
  local granted = math.min(wanted, target, free)
  if isYoung then granted = math.min(granted, share) end
  if (had > 0) ~= (granted > 0) then since = now end
  if wanted > 0 or held > 0 then
    redis.call('HSET', key, process, string.format('%d %d %d %d %d %.0f %.0f',
      granted, math.max(granted, held), open, wanted, limit, since, now + ttl))
    redis.call('PEXPIRE', key, ttl)
  else redis.call('HDEL', key, process) end
  answers[#answers + 1] = { granted, sessions, short and 1 or 0, busy }
end
return answers
`;

type Answer = [granted: number, others: number, contended: 0 | 1, processes: number];

export class RedisLeaseStore extends LeaseStore {
  constructor(
    private readonly redis: RedisSharedClient,
    private readonly times: LeaseTimes = LEASE_TIMES,
  ) {
    super();
  }

  async sync(process: string, requests: readonly LeaseRequest[]): Promise<LeaseGrant[]> {
    const keys = requests.map(({ egress, server }) => `${PREFIX}${egress} ${server}`);
    const values = requests.flatMap(({ held, open, wanted, limit, share }) => [
      held,
      open,
      wanted,
      limit,
      share,
    ]);
    const { ttlMs, turnMs, renewalMs } = this.times;
    const answers = await this.redis.run<Answer[]>(
      SYNC,
      [BORN, ...keys],
      [process, ttlMs, turnMs, renewalMs, ...values],
    );
    return answers.map(([granted, others, contended, processes]) => ({
      granted,
      others,
      contended: contended === 1,
      processes,
    }));
  }

  override async close(): Promise<void> {
    this.redis.close();
  }

  override describe(error: unknown): Record<string, unknown> {
    return this.redis.describe(error);
  }
}

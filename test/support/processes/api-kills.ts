import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anEmptyDatabase } from '../database/fresh-database.js';
import { BulkFleet, type FleetAccount } from './bulk-fleet.js';

const CLIENTS = 20;
const TIER = { verify: true, refresh: true, bulk_limit: 10_000, retention_days: 7 };
/** `metered` and `scale` have a daily quota that is never reached. None has a rate limit. */
const TIERS = {
  suspended: { ...TIER, per_day: 0, rate: null },
  free: { ...TIER, per_day: 100, rate: null },
  metered: { ...TIER, per_day: 1_000_000, rate: null },
  scale: { ...TIER, per_day: 1_000_000, rate: null },
  unlimited: { ...TIER, per_day: null, rate: null },
};

/** Processes with these tiers, on a PostgreSQL database without tables. */
export async function fleetWithoutRateLimits(
  workers: number,
  more: Record<string, string> = {},
): Promise<{ fleet: BulkFleet; stop: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'rcpt-tiers-'));
  const file = join(directory, 'tiers.json');
  await writeFile(file, JSON.stringify(TIERS));
  const fleet = await BulkFleet.start(
    'PostgreSQL',
    workers,
    { TIERS_FILE: file, ...more },
    false,
    anEmptyDatabase,
  );
  return {
    fleet,
    stop: async () => {
      await fleet.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The responses to one team until the process was killed, and the changes in the database. */
export interface KilledCalls {
  /** Complete responses with 200. */
  answered: number;
  /** Requests without a response. */
  inFlight: number;
  /** Increase of the daily `total` since the previous kill. */
  counted: number;
  /** Increase of `quota.used`. */
  used: number;
  free: number;
  reserved: number;
}

/**
 * Kills the API process while clients of these teams call it.
 *
 * @param after number of responses before the kill.
 * @param last what is done immediately before the kill.
 */
export async function killApi(
  fleet: BulkFleet,
  teams: readonly CallingTeam[],
  after: number,
  last: () => Promise<void> = () => Promise.resolve(),
): Promise<KilledCalls[]> {
  let answered = 0;
  let done = Promise.resolve();
  const onResponse = () => {
    if (++answered !== after) return;
    done = last().finally(() => fleet.api.child.kill('SIGKILL'));
  };
  const answers = await Promise.all(teams.map((team) => team.callUntilKilled(onResponse)));
  await fleet.api.exit();
  await done;
  // Wait for statements that the killed process has sent to the database.
  await fleet.until(async () => (await countRunningStatements(fleet)) === 0);
  return Promise.all(teams.map((team, n) => team.changes(answers[n] ?? 0)));
}

/** A team whose clients call the API. */
export class CallingTeam {
  private before = { counted: 0, used: 0, free: 0, reserved: 0 };

  private constructor(
    private readonly fleet: BulkFleet,
    private readonly account: FleetAccount,
  ) {}

  static async create(fleet: BulkFleet, tier: 'metered' | 'unlimited'): Promise<CallingTeam> {
    return new CallingTeam(fleet, await fleet.anAccount(tier));
  }

  /** @param onResponse called after each response. @returns the number of complete responses. */
  async callUntilKilled(onResponse: () => void): Promise<number> {
    const agent = new Agent({ keepAlive: true });
    let answered = 0;
    const count = () => {
      answered++;
      onResponse();
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.call(agent, client, count)));
    agent.destroy();
    return answered;
  }

  /** The changes in the database since the previous kill. */
  async changes(answered: number): Promise<KilledCalls> {
    const now = await this.counters();
    const since = (what: 'counted' | 'used' | 'free') => now[what] - this.before[what];
    const killed = {
      answered,
      inFlight: CLIENTS,
      counted: since('counted'),
      used: since('used'),
      free: since('free'),
      reserved: now.reserved,
    };
    this.before = now;
    return killed;
  }

  /** Calls until the process is killed. Every third address has a domain that cannot be resolved, and is free. */
  private async call(agent: Agent, client: number, onResponse: () => void): Promise<void> {
    for (let call = 0; ; call++) {
      const email = call % 3 === 0 ? `jane@${client}.rcpt-test.net` : 'no-address';
      const status = await this.verify(agent, email).catch(() => 0);
      if (status === 0) return;
      if (status === 200) onResponse();
      // On a busy machine a new process may exceed its own timeouts.
      else if (status !== 503) throw new Error(`Answered ${status}`);
    }
  }

  private verify(agent: Agent, email: string): Promise<number> {
    const headers = { Authorization: `Bearer ${this.account.live_key}` };
    return new Promise((resolve, reject) => {
      const request = get(`${this.fleet.url}/v1/verify?email=${email}`, { agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', reject);
      });
      request.on('error', reject);
    });
  }

  private async counters() {
    const [row] = await this.fleet.database.query<[{ [what in keyof CallingTeam['before']]: number }]>(
      `SELECT used, reserved, coalesce(sum(single), 0)::integer AS counted, coalesce(sum(free), 0)::integer AS free
         FROM quota_days LEFT JOIN usage_days USING (team_id, day)
        WHERE team_id = $1 GROUP BY used, reserved`,
      [this.account.team.id],
    );
    return row;
  }
}

async function countRunningStatements({ database }: BulkFleet): Promise<number> {
  const [row] = await database.query<[{ n: number }]>(
    `SELECT count(*)::integer AS n FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
  );
  return row.n;
}

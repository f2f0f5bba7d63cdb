import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BulkFleet, type FleetAccount } from './bulk-fleet.js';

const CLIENTS = 20;
const TIER = { verify: true, refresh: true, bulk_limit: 1_000, retention_days: 7 };
/** `metered` has a daily quota that is never reached, and no rate limit. */
const TIERS = {
  suspended: { ...TIER, per_day: 0, rate: null },
  free: { ...TIER, per_day: 100, rate: null },
  metered: { ...TIER, per_day: 1_000_000, rate: null },
  unlimited: { ...TIER, per_day: null, rate: null },
};

/** The responses of one process until it was killed, and the changes in the database. */
export interface KilledApi {
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

/** Repeatedly kills an API process while clients of one team call it. */
export class KilledApis {
  private before = { counted: 0, used: 0, free: 0, reserved: 0 };

  private constructor(
    private readonly fleet: BulkFleet,
    private readonly account: FleetAccount,
    private readonly directory: string,
  ) {}

  static async start(tier: 'metered' | 'unlimited'): Promise<KilledApis> {
    const directory = await mkdtemp(join(tmpdir(), 'rcpt-tiers-'));
    const file = join(directory, 'tiers.json');
    await writeFile(file, JSON.stringify(TIERS));
    const fleet = await BulkFleet.start('PostgreSQL', 0, { TIERS_FILE: file });
    return new KilledApis(fleet, await fleet.anAccount(tier), directory);
  }

  /** @param after number of responses before the kill. */
  async kill(after: number): Promise<KilledApi> {
    const { fleet } = this;
    if (fleet.api.child.signalCode !== null) await fleet.startApi();
    const agent = new Agent({ keepAlive: true });
    let answered = 0;
    const heard = () => {
      answered++;
      if (answered === after) fleet.api.child.kill('SIGKILL');
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.call(agent, client, heard)));
    await fleet.api.exit();
    agent.destroy();
    // Wait for statements that the killed process has sent to the database.
    await fleet.until(async () => (await this.statementsUnderWay()) === 0);
    const now = await this.standing();
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

  async stop(): Promise<void> {
    await this.fleet.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Calls until the process is killed. Every third address has a domain that cannot be resolved, and is free. */
  private async call(agent: Agent, client: number, heard: () => void): Promise<void> {
    for (let call = 0; ; call++) {
      const email = call % 3 === 0 ? `jane@${client}.rcpt-test.net` : 'no-address';
      const status = await this.verify(agent, email).catch(() => 0);
      if (status === 0) return;
      if (status === 200) heard();
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

  private async standing() {
    const [row] = await this.fleet.database.query<[{ [what in keyof KilledApis['before']]: number }]>(
      `SELECT used, reserved, coalesce(sum(single), 0)::integer AS counted, coalesce(sum(free), 0)::integer AS free
         FROM quota_days LEFT JOIN usage_days USING (team_id, day)
        WHERE team_id = $1 GROUP BY used, reserved`,
      [this.account.team.id],
    );
    return row;
  }

  private async statementsUnderWay(): Promise<number> {
    const [row] = await this.fleet.database.query<[{ n: number }]>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
    );
    return row.n;
  }
}

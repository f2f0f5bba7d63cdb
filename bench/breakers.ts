import { Breakers, type BreakerRequest } from '../src/engine/egress/breakers.js';
import type { ProbeOutcome, ServerEvidence } from '../src/engine/smtp/probe.js';

/**
 * Measures how many probes teams send to a provider that rejects all of them, how many attacker accounts, with
 * their own domains whose servers reject the client address, open the circuit breaker of a provider for another
 * team, and the cost of the breakers per verdict. Run with `npm run ts bench/breakers.ts`.
 */

const atProvider = (domain: string) => `${domain.replaceAll('.', '-')}.mail.protection.outlook.com`;
const request = (team: string, email: string): BreakerRequest => ({
  team,
  address: { key: email, domain: email.slice(email.indexOf('@') + 1) },
});

function outcome(domain: string, isRejection: boolean): ProbeOutcome {
  const evidence: ServerEvidence = {
    stage: 'rcpt',
    code: isRejection ? 550 : 250,
    enhancedCode: null,
    category: isRejection ? 'sender_blocked' : 'accepted',
    mxHost: atProvider(domain),
    attempts: 1,
    tls: true,
    text: isRejection ? 'Your IP is blocked' : 'Ok',
  };
  return {
    end: 'replied',
    evidence,
    random: null,
    smtputf8: null,
    rejections: isRejection ? [evidence] : [],
  };
}

class Attack {
  readonly breakers = new Breakers((domain) => domain);
  private domains = 0;

  learn(team: string, isRejection: boolean, times = 1): void {
    for (let n = 0; n < times; n += 1) {
      const domain = `d${(this.domains += 1)}.test`;
      this.breakers.record(request(team, `jane@${domain}`), outcome(domain, isRejection), 0);
    }
  }

  get victimMayAsk(): boolean {
    const hosts = [{ host: atProvider('victim.test'), preference: 1 }];
    return this.breakers.allowedHosts(request('victim', 'jane@victim.test'), hosts, 0).length > 0;
  }
}

/** Probes of teams that take turns, each with so many domains, at a provider that rejects all. */
function probesSent(teams: number, domains: number): number {
  const breakers = new Breakers((domain) => domain);
  let sent = 0;
  for (let n = 0; n < domains; n += 1)
    for (let team = 0; team < teams; team += 1) {
      const domain = `d${n}.of${team}.test`;
      const asked = request(`team ${team}`, `jane@${domain}`);
      if (breakers.allowedHosts(asked, [{ host: atProvider(domain), preference: 1 }], 0).length === 0)
        continue;
      breakers.record(asked, outcome(domain, true), 0);
      sent += 1;
    }
  return sent;
}

console.table(
  [1, 2, 3, 10].map((teams) => ({
    teams,
    'probes sent, 2,000 domains each': probesSent(teams, 2_000),
    'probes sent, 5 domains each': probesSent(teams, 5),
  })),
);

function attackBy(accounts: number, fed: number, answeredTeams: number, answeredVictim: boolean): boolean {
  const attack = new Attack();
  if (answeredVictim) attack.learn('victim', false);
  for (let n = 0; n < answeredTeams; n += 1) attack.learn(`answered ${n}`, false);
  for (let n = 0; n < accounts; n += 1) attack.learn(`stranger ${n}`, true, 2);
  attack.learn('victim', true, fed);
  return !attack.victimMayAsk;
}

/** The minimum number of accounts; null: more than 200. */
function accountsNeeded(fed: number, answeredTeams: number, answeredVictim: boolean): number | null {
  for (let accounts = 0; accounts <= 200; accounts += 1)
    if (attackBy(accounts, fed, answeredTeams, answeredVictim)) return accounts;
  return null;
}

const rows = [];
for (const fed of [0, 1, 2, 5, 6])
  for (const answeredTeams of [0, 1, 5])
    for (const answeredVictim of [false, true]) {
      const accounts = accountsNeeded(fed, answeredTeams, answeredVictim);
      rows.push({
        'rejecting addresses that the team itself asks about': fed,
        'other teams answered': answeredTeams,
        'the team answered': answeredVictim,
        'accounts needed': accounts ?? 'over 200',
        'domains needed': accounts === null ? '-' : 2 * accounts + fed,
      });
    }
console.table(rows);

/** @returns CPU time per verdict in microseconds. */
function cost(verdicts: number, teams: number, isRejection: (n: number) => boolean): number {
  const breakers = new Breakers((domain) => domain);
  const before = process.cpuUsage();
  for (let n = 0; n < verdicts; n += 1) {
    const domain = `d${n % 20_000}.test`;
    const asked = request(`team ${n % teams}`, `u${n}@${domain}`);
    breakers.allowedHosts(asked, [{ host: atProvider(domain), preference: 1 }], n);
    breakers.record(asked, outcome(domain, isRejection(n)), n);
  }
  const { user, system } = process.cpuUsage(before);
  return Math.round((10 * (user + system)) / verdicts) / 10;
}

console.table(
  [1, 50, 5_000].map((teams) => ({
    teams,
    'µs a verdict, all answers': cost(100_000, teams, () => false),
    'µs a verdict, all rejections': cost(100_000, teams, () => true),
  })),
);

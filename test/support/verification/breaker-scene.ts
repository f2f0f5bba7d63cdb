import type { SmtpStage } from '../../../src/kernel/verdict.js';
import { Breakers } from '../../../src/engine/egress/breakers.js';
import { answeredBy, asked, rejectedBy } from './rejections.js';

interface How {
  mx?: string;
  text?: string;
  stage?: SmtpStage;
  times?: number;
}

/** Breakers with results of teams, each about a new address. */
export class BreakerScene {
  readonly breakers = new Breakers((domain) => domain.split('.').slice(-2).join('.'));
  nowMs = 1_000_000;
  private names = 0;

  /** @param mx the server of results and requests without another one. */
  constructor(private readonly mx: string) {}

  /** The hosts that the breakers allow a team for an address of the domain, which are probed then. */
  hosts(team: string, domain: string, ...mx: string[]): string[] {
    const question = asked(team, `jane@${domain}`);
    const records = mx.map((host) => ({ host, preference: 10 }));
    const allowed = this.breakers.allowedHosts(question, records, this.nowMs).map(({ host }) => host);
    for (const host of allowed) this.breakers.onProbing(question, host, this.nowMs);
    return allowed;
  }

  mayAsk(team: string, domain = 'corp.test', mx = this.mx): boolean {
    return this.hosts(team, domain, mx).length > 0;
  }

  reject(team: string, domain = 'corp.test', { mx = this.mx, text, stage, times = 1 }: How = {}): void {
    for (let n = 0; n < times; n += 1) {
      const question = asked(team, `r${(this.names += 1)}@${domain}`);
      this.breakers.record(question, rejectedBy(mx, text, stage), this.nowMs);
    }
  }

  answer(team: string, domain = 'corp.test', mx = this.mx): void {
    this.breakers.record(asked(team, `a${(this.names += 1)}@${domain}`), answeredBy(mx), this.nowMs);
  }
}

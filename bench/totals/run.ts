import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { aFreshDatabase } from '../../test/support/database/fresh-database.js';
import { TcpRelay } from '../../test/support/database/tcp-relay.js';
import { randomFrom } from '../../test/support/processes/bulk-chaos.js';
import { WITH_TYPESCRIPT } from '../../test/support/processes/with-typescript.js';
import { withDatabase } from '../embedded-database.js';
import { TIMES, trialsOf, type Trial } from './plan.js';
import { TrialServers, type TrialCounts } from './referee.js';
import type { WorkerOptions } from './worker.js';

/**
 * Counts sessions at the servers of providers with a total, while several processes share it: the highest number
 * above the total, over many trials.
 *
 *     npm run ts -- bench/totals/run.ts [--trials 1000] [--workers 1,4,16] [--seed 1] [--log 3]
 *
 * A trial is a provider with servers at three addresses, a total of one to five sessions, and recipients that all
 * processes ask for at once. Servers reply late, end late, are busy while the client ends, are silent, refuse
 * without an end, or drop sessions. Twenty-five trials run at once. Of four batches, in one two processes are killed
 * with SIGKILL, in one PostgreSQL holds all permits locked twice, each time for up to twice their time to live, and in
 * one a process loses its connection to PostgreSQL twice. Permits live 6 s instead of 15 s, so that they end within
 * a trial. The processes have only the sessions and the permits, over the adapters of the service.
 *
 * A session counts from when the server has accepted it until the server has seen the FIN of the client, or has
 * sent its own. Goal: none above a known total. Where the total is learned, one more is tried; what is above it after
 * the first rejection is counted too. Where the servers were delayed for longer than processes close sessions before
 * the end of their permits (0.8 s here, 1 s in the service), they have seen an end too late, and the run says nothing.
 */
const { values: options } = parseArgs({
  options: {
    trials: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '1,4,16' },
    seed: { type: 'string', default: '1' },
    log: { type: 'string', default: '0' },
  },
});
const TRIALS = Number(options.trials);
const SEED = Number(options.seed);
/** Trials whose sessions are printed, of those with an excess. */
const LOGGED = Number(options.log);
const AT_ONCE = 25;
/** A batch that takes longer has a fault. */
const PATIENCE_MS = 240_000;

interface Worker {
  child: ChildProcess;
  relay: TcpRelay;
}

class Trials {
  private readonly workers: Worker[] = [];
  private readonly random = randomFrom(SEED);
  private readonly all: readonly Trial[];
  private port = 0;
  private started = 0;
  private replied = 0;
  private asked = 0;
  private readonly events = { killed: 0, locked: 0, cut: 0 };

  constructor(
    private readonly count: number,
    private readonly url: string,
  ) {
    this.all = trialsOf(TRIALS, count, SEED);
  }

  async run() {
    const reserved = new TrialServers({ ...this.all[0]!, ips: ['127.0.0.1'] }, this.random);
    this.port = await reserved.listen(0);
    this.workers.push(...(await Promise.all(Array.from({ length: this.count }, () => this.startWorker()))));
    const delay = monitorEventLoopDelay();
    delay.enable();
    const counted: { trial: Trial; counts: TrialCounts }[] = [];
    for (let from = 0; from < this.all.length; from += AT_ONCE)
      counted.push(...(await this.runBatch(this.all.slice(from, from + AT_ONCE), from / AT_ONCE)));
    reserved.close();
    for (const { child, relay } of this.workers) {
      child.disconnect();
      await once(child, 'exit');
      await relay.close();
    }
    const sum = (of: (counts: TrialCounts) => number) =>
      counted.reduce((all, { counts }) => all + of(counts), 0);
    const worst = (isKnown: boolean, of: (counts: TrialCounts) => number) =>
      counted
        .filter(({ trial }) => trial.isKnown === isKnown)
        .reduce((most, { counts }) => Math.max(most, of(counts)), 0);
    return {
      workers: this.count,
      trials: counted.length,
      ...this.events,
      sessions: sum(({ sessions }) => sessions),
      recipients: this.asked,
      'with a reply': this.replied,
      'longest delay of the servers ms': Math.round(delay.max / 1e6),
      'trials with an excess': counted.filter(({ counts }) => counts.excess > 0).length,
      'highest excess, known': worst(true, ({ excess }) => excess),
      'highest excess, learned': worst(false, ({ excess }) => excess),
      'rejected, known': counted.reduce(
        (all, { trial, counts }) => all + (trial.isKnown ? counts.rejected : 0),
        0,
      ),
      'rejected, learned': counted.reduce(
        (all, { trial, counts }) => all + (trial.isKnown ? 0 : counts.rejected),
        0,
      ),
    };
  }

  private async startWorker(): Promise<Worker> {
    const { relay, url } = await TcpRelay.to(this.url);
    const name = `worker${this.started++}`;
    const order: WorkerOptions = { name, url, port: this.port, trials: [TRIALS, this.count, SEED] };
    const script = join(import.meta.dirname, 'worker.ts');
    const child = fork(script, [JSON.stringify(order)], { execArgv: [...WITH_TYPESCRIPT] });
    await once(child, 'message');
    return { child, relay };
  }

  private async runBatch(trials: readonly Trial[], batch: number) {
    const logs = trials.map((): string[] => []);
    const servers = trials.map((trial, n) => {
      const began = performance.now();
      return new TrialServers(trial, this.random, (event) =>
        logs[n]!.push(`${Math.round(performance.now() - began)} ms ${event}`),
      );
    });
    for (const one of servers) await one.listen(this.port);
    const work = this.workers.map((worker) => this.ask(worker, trials));
    await Promise.all([this.disturb(batch), ...work]);
    for (const one of servers) one.close();
    return trials.map((trial, n) => {
      const { counts } = servers[n]!;
      if (counts.excess > 0 && this.logged++ < LOGGED)
        console.log(
          `\n${trial.name}, total ${trial.total}, ${trial.isKnown ? 'known' : 'learned'}, batch ${batch}\n${logs[n]!.join('\n')}`,
        );
      return { trial, counts };
    });
  }

  private logged = 0;

  /** Resolves when the process has all results, or has ended. */
  private ask({ child }: Worker, trials: readonly Trial[]): Promise<void> {
    return new Promise((resolve, reject) => {
      let left = trials.length;
      const late = setTimeout(() => reject(new Error('a process does not finish')), PATIENCE_MS);
      const end = () => {
        clearTimeout(late);
        child.off('message', take).off('exit', end);
        resolve();
      };
      const take = ({ replied, asked }: { replied: number; asked: number }) => {
        this.replied += replied;
        this.asked += asked;
        if (--left === 0) end();
      };
      child.on('message', take).on('exit', end);
      for (const { number } of trials) child.send(number);
    });
  }

  private async disturb(batch: number): Promise<void> {
    for (let round = 0; round < 2; round++) {
      const one = Math.floor(this.random() * this.workers.length);
      await pause(200 + 2_000 * this.random());
      if (batch % 4 === 0) await this.kill(one);
      else if (batch % 4 === 1) await this.lock();
      else if (batch % 4 === 2) await this.cut(one);
    }
  }

  private async kill(n: number): Promise<void> {
    const { child, relay } = this.workers[n]!;
    this.events.killed += 1;
    child.kill('SIGKILL');
    await once(child, 'exit');
    await relay.close();
    this.workers[n] = await this.startWorker();
  }

  private async lock(): Promise<void> {
    this.events.locked += 1;
    const source = await createDataSource(this.url, [], 1).initialize();
    await source.transaction(async (manager) => {
      await manager.query('LOCK TABLE smtp_permits IN ACCESS EXCLUSIVE MODE');
      await pause(2 * TIMES.ttlMs * this.random());
    });
    await source.destroy();
  }

  private async cut(n: number): Promise<void> {
    this.events.cut += 1;
    const { relay } = this.workers[n]!;
    await relay.close();
    await pause(3 * TIMES.ttlMs * this.random());
    await relay.open();
  }
}

async function main(): Promise<void> {
  const lines = [];
  for (const workers of options.workers.split(',').map(Number)) {
    const database = await aFreshDatabase();
    lines.push(await new Trials(workers, database.url).run());
    await database.drop();
  }
  console.table(lines);
}

await withDatabase(main);

import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { LeasedRun } from '../../../src/modules/lists/schedules/domain/schedule-run.js';
import { ScheduleRunRepository } from '../../../src/modules/lists/schedules/domain/schedule-run.repository.js';
import { ScheduleRunsService } from '../../../src/modules/lists/schedules/schedule-runs.service.js';
import type {
  ScheduleRunPage,
  ScheduleRunResponse,
} from '../../../src/modules/lists/schedules/schedule-runs.dto.js';
import type { ScheduleResponse } from '../../../src/modules/lists/schedules/schedules.dto.js';
import { SchedulesProcessor } from '../../../src/modules/lists/schedules/schedules.processor.js';
import { anApp, type TestApp } from '../app/app.js';
import { workOn } from '../app/bulk.js';
import { leaseOf, workAll } from '../queue/team-work.js';
import { OPENED } from '../webhooks/webhook-app.js';
import { WebhookReceiver } from '../webhooks/webhook-receiver.js';

/** The service without a worker, and sources on this machine. Tests work on runs explicitly. */
export class ScheduleApp {
  private readonly servers: WebhookReceiver[] = [];

  private constructor(readonly app: TestApp) {}

  static async start(env: Record<string, string> = {}): Promise<ScheduleApp> {
    return new ScheduleApp(await anApp({ ...OPENED, ...env }));
  }

  /** Another process of the same service. */
  async another(): Promise<TestApp> {
    return anApp({ ...OPENED, ...this.app.shared });
  }

  get runs(): ScheduleRunsService {
    return this.app.service.app.get(ScheduleRunsService);
  }

  /** An HTTP server with a file. */
  async aSource(content = 'email\njane@example.com\n', type = 'text/csv'): Promise<WebhookReceiver> {
    const server = await WebhookReceiver.start();
    this.servers.push(server);
    serve(server, content, type);
    return server;
  }

  async aSchedule({ liveKey }: NewAccount, source: object, more: object = {}): Promise<ScheduleResponse> {
    const body = { name: 'Newsletter', every: 'day', source, ...more };
    const answer = await this.app.post('/v1/schedules', liveKey).send(body);
    if (answer.status !== 201) throw new Error(`no schedule: ${answer.text}`);
    return answer.body as ScheduleResponse;
  }

  /** Requests a run, and works on it until it has ended or waits for another attempt. */
  async run({ id }: { id: string }, account: NewAccount): Promise<ScheduleRunResponse> {
    const answer = await this.app.post(`/v1/schedules/${id}/run`, account.liveKey);
    if (answer.status !== 202) throw new Error(`no run: ${answer.text}`);
    await this.work();
    return (await this.runsOf({ id }, account))[0]!;
  }

  /** Works on all runs, their lists and their events. */
  async work(): Promise<void> {
    await this.advance();
    await workOn(this.app);
    await this.app.dispatchEvents();
    await this.advance();
  }

  /** Works on the runs that wait. */
  advance(): Promise<void> {
    return advanceRuns(this.app);
  }

  /** Does the work of a claimed run. */
  advanceRun(leased: LeasedRun, signal: AbortSignal): Promise<void> {
    return leaseOf(this.app, ScheduleRunsService, leased).work(signal);
  }

  async runsOf({ id }: { id: string }, { liveKey }: NewAccount): Promise<ScheduleRunResponse[]> {
    const answer = await this.app.get(`/v1/schedules/${id}/runs`, liveKey);
    return (answer.body as ScheduleRunPage).data;
  }

  sql<Row = Record<string, unknown>>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return this.app.service.app.get(DataSource).query<Row[]>(statement, values);
  }

  /** The pauses of failed attempts, and the leases of killed processes, are over. */
  async endLeases(): Promise<void> {
    await this.sql(`UPDATE schedule_runs SET leased_until = '-infinity' WHERE leased_until > now()`);
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await Promise.all(this.servers.map((server) => server.stop()));
  }
}

/** Works on the runs of schedules that wait. */
export async function advanceRuns({ service: { app } }: TestApp): Promise<void> {
  await workAll(app.get(SchedulesProcessor), () => app.get(ScheduleRunRepository).listWaitingTeams());
}

/** @param path of its schedule. */
export async function newestRun(app: TestApp, path: string, key: string): Promise<ScheduleRunResponse> {
  return ((await app.get(`${path}/runs`, key)).body as ScheduleRunPage).data[0]!;
}

export function serve(server: WebhookReceiver, content: string, type = 'text/csv'): void {
  server.behave = (response) => void response.writeHead(200, { 'content-type': type }).end(content);
}

import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors.js';
import type { Feature, Principal } from '../../kernel/principal.js';
import { Config } from '../../platform/config/config.js';
import { Cursors } from '../../platform/http/paging/cursor.js';
import { problemOf } from '../../platform/http/problems/problem.filter.js';
import { BulkRechecksService } from '../bulk/bulk-rechecks.service.js';
import { BulkResultsService } from '../bulk/bulk-results.service.js';
import { toResponse as toJob, toResult } from '../bulk/bulk.dto.js';
import { BulkService } from '../bulk/bulk.service.js';
import { TiersService } from '../tiers/tiers.service.js';
import { toResponse as toUsage } from '../usage/usage.dto.js';
import { UsageService } from '../usage/usage.service.js';
import { explanationOf } from '../verification/replies.dto.js';
import { toResponse as toVerdict } from '../verification/verification.dto.js';
import { VerificationService } from '../verification/verification.service.js';
import type { ListArguments, ResultsArguments, ToolBackend, VerifyArguments } from './domain/tool-backend.js';
import { DEFAULT_PAGE, type ToolOptions } from './domain/tools.js';

export const TEAM_TOOLS: ToolOptions = { files: false, hasTeam: true };

const DEFAULT_TIMEOUT_SECONDS = 10;
const INTERNAL = { code: 'internal_error', detail: 'The call failed.' };

/** The tools as the routes of the same names: with the checks of tier and quota that their guards make. */
@Injectable()
export class CallerTools {
  constructor(
    private readonly verification: VerificationService,
    private readonly bulk: BulkService,
    private readonly bulkResults: BulkResultsService,
    private readonly rechecks: BulkRechecksService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @returns the tools, and what throws an unexpected error of theirs again, for the filter that logs it. */
  of(caller: Principal): { backend: ToolBackend; rethrow: () => void } {
    const errors: unknown[] = [];
    const backend: ToolBackend = {
      options: TEAM_TOOLS,
      verify: (request) => this.verify(caller, request),
      submit: (list) => this.submit(caller, list),
      list: async (id) => this.toJob(await this.bulk.get(caller, id), caller),
      results: (request) => this.results(caller, request),
      explain: ({ text, stage = 'rcpt' }) => Promise.resolve(explanationOf({ text, stage, provider: null })),
      usage: async () => toUsage(await this.usage.today(caller.teamId, caller.tier)),
      problemOf: (error) => {
        if (!(error instanceof DomainError)) {
          errors.push(error);
          return INTERNAL;
        }
        const { retryAfter } = error;
        const wait = retryAfter === null ? {} : { retry_after: Math.max(1, Math.ceil(retryAfter)) };
        return { ...problemOf(error, this.config.publicUrl), ...wait };
      },
    };
    const rethrow = () => {
      if (errors.length > 0) throw errors[0];
    };
    return { backend, rethrow };
  }

  private async verify(
    caller: Principal,
    { email, emails = [], refresh = false, timeout = DEFAULT_TIMEOUT_SECONDS }: VerifyArguments,
  ): Promise<object> {
    this.requirePaid(caller, 'verify');
    const requested = email === undefined ? emails : [email];
    const options = { refresh, timeoutMs: timeout * 1_000 };
    const verdicts = (await this.verification.verify(caller, requested, options)).map(toVerdict);
    return email === undefined ? { data: verdicts } : (verdicts[0] as object);
  }

  private async submit(caller: Principal, { emails, name, refresh = false }: ListArguments): Promise<object> {
    this.requirePaid(caller, 'bulk');
    const body = Buffer.from(JSON.stringify({ emails }));
    const job = await this.bulk.submit(caller, {
      open: () => Promise.resolve({ format: 'json', bytes: Readable.from([body]) }),
      name: name ?? null,
      refresh,
      options: {},
      accepted: () => Promise.resolve(),
    });
    return this.toJob(job, caller);
  }

  private async results(
    caller: Principal,
    { id, status, reason, limit = DEFAULT_PAGE, cursor }: ResultsArguments,
  ): Promise<object> {
    const job = await this.bulk.get(caller, id);
    const scope = `mcp-results ${job.id} ${status ?? ''} ${reason ?? ''}`;
    const page = await this.bulkResults.page(job, this.cursors.request({ limit, cursor }, scope), {
      status: status && [status],
      reason,
    });
    return this.cursors.pageResponse(page, scope, (row) => toResult(row, job.columns));
  }

  private requirePaid(caller: Principal, feature: Feature): void {
    if (caller.mode !== 'live') return;
    this.tiers.require(caller.tier, feature);
    this.usage.requireSome(caller);
  }

  private async toJob(job: Parameters<typeof toJob>[0], { rules }: Principal): Promise<object> {
    const deferred = (await this.rechecks.findDeferred([job])).get(job.listId);
    return toJob(job, this.clock.now(), rules.retentionDays, deferred);
  }
}

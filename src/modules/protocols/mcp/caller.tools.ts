import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, InvalidRequest, ScopeRequired } from '../../../kernel/errors.js';
import { emptyHeader, type ListHeader, type ListPiece } from '../../../kernel/list-files/list-format.js';
import { hasScope, type Feature, type Principal, type Scope } from '../../../kernel/principal.js';
import { parseDomainName } from '../../../kernel/text/domain-name.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { Config } from '../../../platform/config/config.js';
import { Cursors } from '../../../platform/http/paging/cursor.js';
import { problemOf } from '../../../platform/http/problems/problem.filter.js';
import { ListIntakeService } from '../../lists/bulk/intake/list-intake.service.js';
import { toResponse as toJob } from '../../lists/bulk/jobs/bulk-job.dto.js';
import { BulkJobsService, type JobDetails } from '../../lists/bulk/jobs/bulk-jobs.service.js';
import { toResult } from '../../lists/bulk/results/bulk-results.dto.js';
import { BulkResultsService } from '../../lists/bulk/results/bulk-results.service.js';
import { TiersService } from '../../identity/tiers/tiers.service.js';
import { toResponse as toUsage } from '../../identity/usage/usage.dto.js';
import { UsageService } from '../../identity/usage/usage.service.js';
import { toResponse as toDomain } from '../../verification/verification/domains/domains.dto.js';
import { DomainsService } from '../../verification/verification/domains/domains.service.js';
import { explanationOf } from '../../verification/verification/single/replies.dto.js';
import { toResponse as toVerdict } from '../../verification/verification/single/verification.dto.js';
import { VerificationService } from '../../verification/verification/single/verification.service.js';
import { maxAgeOf } from '../../verification/verification/single/verify-request.dto.js';
import type {
  DomainArguments,
  ListArguments,
  ReplyArguments,
  ResultsArguments,
  ToolBackend,
  VerifyArguments,
} from './domain/tool-backend.js';
import { DEFAULT_PAGE, type ToolOptions } from './domain/tools.js';

export const TEAM_TOOLS: ToolOptions = { files: false, hasTeam: true };

const DEFAULT_TIMEOUT_SECONDS = 10;
const NO_DOMAIN = 'Send a domain, such as example.com.';
const INTERNAL = { code: 'internal_error', detail: 'The call failed.' };

/** The tools as the routes of the same names: with the checks of tier and quota that their guards make. */
@Injectable()
export class CallerTools {
  constructor(
    private readonly verification: VerificationService,
    private readonly domains: DomainsService,
    private readonly intake: ListIntakeService,
    private readonly jobs: BulkJobsService,
    private readonly bulkResults: BulkResultsService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
    private readonly work: UnitOfWork,
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
      costOf: async ({ emails: { length } = [] }) => ({
        addresses: length,
        units: caller.mode === 'live' ? length : 0,
      }),
      submit: (list) => this.submit(caller, list),
      list: (id) => this.list(caller, id),
      results: (request) => this.results(caller, request),
      domain: (request) => this.domain(caller, request),
      explain: (reply) => this.explain(caller, reply),
      usage: () => this.usageOf(caller),
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
    { email, emails = [], timeout = DEFAULT_TIMEOUT_SECONDS, ...age }: VerifyArguments,
  ): Promise<object> {
    requireScope(caller, 'verify');
    this.requirePaid(caller, 'verify');
    const requested = email === undefined ? emails : [email];
    const options = { maxAge: maxAgeOf(age), timeoutMs: timeout * 1_000 };
    const verdicts = (await this.verification.verify(caller, requested, options)).map(toVerdict);
    return email === undefined ? { data: verdicts } : (verdicts[0] as object);
  }

  private async submit(
    caller: Principal,
    { emails = [], name, refresh = false, max_age }: ListArguments,
  ): Promise<object> {
    requireScope(caller, 'lists');
    this.requirePaid(caller, 'bulk');
    const header = { ...emptyHeader(), name: name ?? null, refresh, maxAge: max_age ?? null };
    const staged = await this.intake.receive(caller, {
      pieces: pieceOf(emails, header),
      options: {},
      isHeld: false,
    });
    let job;
    try {
      job = await this.work.run(() => this.intake.accept(caller, staged));
    } catch (error) {
      await this.intake.discard(staged.listId, staged.size.total);
      throw error;
    }
    return this.toJob(await this.jobs.detailsOf(job), caller);
  }

  private async list(caller: Principal, id: string): Promise<object> {
    requireScope(caller, 'read', 'lists');
    return this.toJob(await this.jobs.getDetails(caller, id), caller);
  }

  private async results(
    caller: Principal,
    { id, status, reason, limit = DEFAULT_PAGE, cursor }: ResultsArguments,
  ): Promise<object> {
    requireScope(caller, 'read', 'lists');
    const job = await this.jobs.get(caller, id);
    const scope = `mcp-results ${job.id} ${status ?? ''} ${reason ?? ''}`;
    const page = await this.bulkResults.page(job, this.cursors.rowRequest({ limit, cursor }, scope), {
      status: status && [status],
      reason,
    });
    return this.cursors.pageResponse(page, scope, (row) => toResult(row, job.columns));
  }

  private async domain(caller: Principal, { domain }: DomainArguments): Promise<object> {
    requireScope(caller, 'verify', 'read');
    if (caller.mode === 'live') this.tiers.require(caller.tier, 'domains');
    const parsed = parseDomainName(domain);
    if (!parsed.ok)
      throw new InvalidRequest([{ pointer: '/domain', code: 'invalid_format', message: NO_DOMAIN }]);
    return toDomain(await this.domains.find(caller, parsed.domain));
  }

  private async explain(caller: Principal, { text, stage = 'rcpt' }: ReplyArguments): Promise<object> {
    requireScope(caller, 'verify', 'lists', 'read');
    return Promise.resolve(explanationOf({ text, stage, provider: null }));
  }

  private async usageOf(caller: Principal): Promise<object> {
    requireScope(caller, 'read', 'usage');
    return toUsage(await this.usage.today(caller.teamId, caller.tier));
  }

  private requirePaid(caller: Principal, feature: Feature): void {
    if (caller.mode !== 'live') return;
    this.tiers.require(caller.tier, feature);
    this.usage.requireSome(caller);
  }

  private toJob(details: JobDetails, { rules }: Principal): object {
    return toJob(details, this.clock.now(), rules.retentionDays);
  }
}

/** As the route of the tool does. @throws ScopeRequired */
function requireScope(caller: Principal, ...accepted: Scope[]): void {
  if (!hasScope(caller, accepted)) throw new ScopeRequired(accepted);
}

async function* pieceOf(
  emails: readonly string[],
  header: ListHeader,
): AsyncGenerator<ListPiece, void, undefined> {
  yield { entries: emails.map((email) => ({ email, ref: null })), header };
}

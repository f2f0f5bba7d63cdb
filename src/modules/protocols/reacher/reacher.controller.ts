import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import type { StreamableFile } from '@nestjs/common';
import type { Principal } from '../../../kernel/principal.js';
import { Config } from '../../../platform/config/config.js';
import { StreamsBody } from '../../../platform/http/body/streamed-body.js';
import { DownloadSlots } from '../../../platform/http/downloads/download-slots.js';
import { download } from '../../../platform/http/downloads/download.js';
import { STREAMED_TYPES } from '../../../platform/http/downloads/streamed-format.js';
import { storeResponse } from '../../../platform/http/idempotency/idempotency.interceptor.js';
import { MultipleTransactions } from '../../../platform/http/idempotency/idempotency-key.js';
import { requestId, type AuthenticatedRequest } from '../../../platform/http/request/request-log.js';
import {
  AllowTestKeys,
  Caller,
  Costs,
  Feature,
  KeyAlsoIn,
  PlainErrors,
  Scope,
} from '../../../platform/http/request/route-policy.js';
import { ReaderThreads } from '../../../platform/threads/reader-threads.js';
import { VerificationService } from '../../verification/verification/single/verification.service.js';
import { resultsCsv, resultsJson, toStatus } from './list.dto.js';
import { toOutput, toRowOutput, type CheckOutput, type OutputContext } from './output.dto.js';
import { ReacherListsService } from './reacher-lists.service.js';
import { inputIn } from './reacher.reader.js';
import { checkRequestIn, IGNORED_HEADER, ReacherResultsQuery } from './request.dto.js';

/** Its clients wait for long, and ask again after `unknown`. */
const TIMEOUT_MS = 30_000;
const TYPES = { json: 'application/json; charset=utf-8', csv: STREAMED_TYPES.csv };

/** The protocol of Reacher, for programs that were written for it. Its own document describes it. */
@ApiExcludeController()
@KeyAlsoIn('x-reacher-secret')
@PlainErrors()
@Controller()
export class ReacherController {
  constructor(
    private readonly verification: VerificationService,
    private readonly lists: ReacherListsService,
    private readonly downloads: DownloadSlots,
    private readonly threads: ReaderThreads,
    private readonly config: Config,
  ) {}

  @Post(['v0/check_email', 'v1/check_email'])
  @Scope('verify')
  @HttpCode(200)
  @MultipleTransactions()
  @Feature('verify')
  @Costs(1)
  @AllowTestKeys()
  async check(
    @Body() body: object,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CheckOutput> {
    const { email, ignored } = checkRequestIn(body);
    const options = { maxAge: null, timeoutMs: TIMEOUT_MS };
    const [verdict] = await this.verification.verify(caller, [email], options);
    nameIgnored(response, ignored);
    return toOutput(verdict!, this.contextOf(response));
  }

  @Post('v1/bulk')
  @Scope('lists')
  @HttpCode(200)
  @Feature('bulk')
  @Costs(1)
  @AllowTestKeys()
  @StreamsBody()
  async submit(
    @Req() request: AuthenticatedRequest,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ job_id: number }> {
    const maxBytes = this.lists.maxBytes(caller);
    const { list, ignored, digest } = inputIn({ request, caller, maxBytes }, this.threads);
    const number = await this.lists.submit(caller, list, (job_id) =>
      storeResponse(response, { job_id }, digest()),
    );
    nameIgnored(response, ignored);
    return { job_id: number };
  }

  @Get('v1/bulk/:job_id')
  @Scope('read', 'lists')
  async status(@Param('job_id') name: string, @Caller() caller: Principal): Promise<object> {
    const { number, job } = await this.lists.get(caller, name);
    return toStatus(number, job);
  }

  @Get('v1/bulk/:job_id/results')
  @Scope('read', 'lists')
  async results(
    @Param('job_id') name: string,
    @Query() { limit, offset, format }: ReacherResultsQuery,
    @Caller() caller: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const range = { after: offset - 1, max: limit };
    const { rows, endedAt } = await this.lists.resultsOf(caller, name, range);
    const context = this.contextOf(response);
    const write = format === 'csv' ? resultsCsv : resultsJson;
    const text = write(rows, (row) => toRowOutput(row, endedAt, context));
    const { signal, release } = this.downloads.acquire(caller.teamId);
    return download(response, { text, type: TYPES[format], signal, onClose: release });
  }

  private contextOf(response: Response): OutputContext {
    return { requestId: requestId(response), server: new URL(this.config.publicUrl).hostname };
  }
}

function nameIgnored(response: Response, names: readonly string[]): void {
  if (names.length > 0) response.setHeader(IGNORED_HEADER, names.join(', '));
}

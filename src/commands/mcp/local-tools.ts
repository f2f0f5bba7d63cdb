import { DomainLookUp } from '../../engine/domain-look-up.js';
import { Engine } from '../../engine/engine.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors.js';
import type {
  DomainArguments,
  ListArguments,
  ListCost,
  ReplyArguments,
  ResultsArguments,
  ToolBackend,
  ToolProblem,
  VerifyArguments,
} from '../../modules/protocols/mcp/mcp.tools.js';
import { MailServersModule } from '../../modules/verification/mail-servers/mail-servers.module.js';
import { explanationOf } from '../../modules/verification/verification/single/replies.dto.js';
import { toResponse } from '../../modules/verification/verification/single/verification.dto.js';
import { withModules } from '../command-context.js';
import { domainOf } from '../admin/disposable.js';
import { UsageError } from '../terminal.js';
import { lookUpLocally } from '../verify/domain.js';
import { LocalLists } from './local-lists.js';
import { sentenceOf } from './tool-files.js';

const DEFAULT_TIMEOUT_SECONDS = 10;

/** Runs with the engine in this process: mail servers are queried from this machine. */
export function withLocalTools(run: (backend: ToolBackend) => Promise<void>): Promise<void> {
  return withModules([MailServersModule], (services) => {
    const engine = services(Engine);
    return run(new LocalTools(engine, services(DomainLookUp), services(Clock), new LocalLists(engine)));
  });
}

class LocalTools implements ToolBackend {
  readonly options = { files: true, hasTeam: false };

  constructor(
    private readonly engine: Engine,
    private readonly lookUp: DomainLookUp,
    private readonly clock: Clock,
    private readonly lists: LocalLists,
  ) {}

  async verify({ email, emails = [], timeout = DEFAULT_TIMEOUT_SECONDS }: VerifyArguments): Promise<object> {
    const check = (email: string) => this.engine.check(email, timeout * 1_000, { roleIsRisky: false });
    if (email !== undefined) return toResponse(await check(email));
    return { data: (await Promise.all(emails.map(check))).map(toResponse) };
  }

  async costOf(): Promise<ListCost> {
    return { addresses: 0, units: 0 };
  }

  submit(list: ListArguments): Promise<object> {
    return this.lists.start(list);
  }

  list(id: string): Promise<object> {
    return Promise.resolve(this.lists.get(id));
  }

  results(request: ResultsArguments): Promise<object> {
    return this.lists.results(request);
  }

  domain({ domain }: DomainArguments): Promise<object> {
    return lookUpLocally(this.lookUp, this.engine, this.clock, domainOf(domain));
  }

  explain({ text, stage = 'rcpt' }: ReplyArguments): Promise<object> {
    return Promise.resolve(explanationOf({ text, stage, provider: null }));
  }

  usage(): Promise<object> {
    throw new UsageError('without a service there is no quota');
  }

  problemOf(error: unknown): ToolProblem {
    if (error instanceof DomainError) return { code: error.definition.code, detail: error.message };
    return { code: 'invalid_request', detail: sentenceOf(error) };
  }
}

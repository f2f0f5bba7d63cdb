import type { Reason, SmtpStage, Status } from '../../../../kernel/verdict.js';
import type { ToolOptions } from './tools.js';

export interface VerifyArguments {
  email?: string;
  emails?: string[];
  refresh?: boolean;
  max_age?: number;
  timeout?: number;
}

export interface ListArguments {
  emails?: string[];
  file?: string;
  name?: string;
  refresh?: boolean;
  max_age?: number;
  /** The user has agreed to the cost. */
  confirm?: boolean;
}

export interface ListCost {
  addresses: number;
  /** Of the quota. */
  units: number;
}

export interface ResultsArguments {
  id: string;
  status?: Status;
  reason?: Reason;
  limit?: number;
  cursor?: string;
  output?: string;
}

export interface ReplyArguments {
  text: string;
  stage?: SmtpStage;
}

export interface DomainArguments {
  domain: string;
}

/** The members of an error (RFC 9457), as a tool returns it. */
export interface ToolProblem {
  code: string;
  detail: string;
  [member: string]: unknown;
}

/** What tools call: a team of this service, a service over HTTP, or the engine of this process. Results are as in the API. */
export interface ToolBackend {
  readonly options: ToolOptions;
  verify(request: VerifyArguments): Promise<object>;
  /** At most. Of a test key, nothing is charged; without a team, nobody has to agree, and both are 0. */
  costOf(list: ListArguments): Promise<ListCost>;
  submit(list: ListArguments): Promise<object>;
  list(id: string): Promise<object>;
  results(request: ResultsArguments): Promise<object>;
  domain(request: DomainArguments): Promise<object>;
  explain(reply: ReplyArguments): Promise<object>;
  usage(): Promise<object>;
  /** Whatever the error is, the result is fit to be shown. */
  problemOf(error: unknown): ToolProblem;
}

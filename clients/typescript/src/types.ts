import type { components, paths, webhooks } from './schema.js';

type Schemas = components['schemas'];

export type Verdict = Schemas['Verdict'];
export type Status = Verdict['status'];
export type Reason = Verdict['reason'];
export type BulkJob = Schemas['BulkJob'];
/** An address, or one with a `ref` that its result repeats. */
export type BulkEntry = string | Schemas['BulkEntry'];
/** A row of a list; `status` is null as long as it has no verdict. */
export type BulkResult = Schemas['BulkResult'];
export type BulkResultPage = Schemas['BulkResultPage'];
/** What became of a mail. */
export type Outcome = Schemas['Outcome'];
/** An outcome as the service knows it. */
export type KnownOutcome = Schemas['VerdictOutcome'];
export type Domain = Schemas['Domain'];
export type Accuracy = Schemas['Accuracy'];
export type OutcomeReceipt = Schemas['OutcomeReceipt'];
export type OutcomeSource = Schemas['OutcomeSource'];
export type OutcomeSourceCreate = Schemas['OutcomeSourceCreate'];
export type IssuedOutcomeSource = Schemas['IssuedOutcomeSource'];
/** The rules by which a team decides. */
export type Policy = Schemas['Policy'];
export type PolicyRule = Schemas['PolicyRuleInput'];
export type PolicyPreview = Schemas['PolicyPreview'];
/** A list that is read and verified at regular times. */
export type Schedule = Schemas['Schedule'];
export type ScheduleCheck = Schemas['ScheduleCheck'];
export type ScheduleCreate = Schemas['ScheduleCreate'];
export type ScheduleUpdate = Schemas['ScheduleUpdate'];
export type ScheduleRun = Schemas['ScheduleRun'];
/** What the service says of the proof of a form. */
export type ProofConfirmation = Schemas['ProofConfirmation'];
export type Problem = Schemas['Problem'];
export type ErrorCode = Problem['code'];
/** A member of a request that is not valid. */
export type FieldError = NonNullable<Problem['errors']>[number];

/** An event of a webhook; `type` says which `data` it has. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

export type Path = keyof paths;
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type MethodOf<P extends Path> = {
  [M in Method]: paths[P][M] extends { responses: object } ? M : never;
}[Method];

type JsonOf<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : undefined;
type SuccessOf<Responses> = {
  [Code in keyof Responses & (200 | 201 | 202 | 204)]: JsonOf<Responses[Code]>;
}[keyof Responses & (200 | 201 | 202 | 204)];

export type AnswerTo<P extends Path, M extends MethodOf<P>> = paths[P][M] extends { responses: infer R }
  ? SuccessOf<R>
  : never;
/** The parameters and the JSON body of a request, as the OpenAPI document describes them. */
export type ParametersOf<P extends Path, M extends MethodOf<P>> = (paths[P][M] extends {
  parameters: { path: infer Parameters extends object };
}
  ? { path: Parameters }
  : object) & {
  query?: paths[P][M] extends { parameters: { query?: infer Query } } ? Query : never;
  body?: paths[P][M] extends { requestBody?: infer Request } ? JsonOf<NonNullable<Request>> : never;
};

import { expect } from '@jest/globals';

/** The common members of every problem (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  request_id: string;
  errors?: { pointer: string; code: string; message: string }[];
}

interface AnyAnswer {
  status: number;
  headers: Record<string, string>;
  /** Text or parsed JSON. */
  body: unknown;
}

/** Fails if the response is not a complete problem with this status and code. @returns the problem. */
export function expectProblem(answer: AnyAnswer, status: number, code: string): Problem {
  const problem = (typeof answer.body === 'string' ? JSON.parse(answer.body) : answer.body) as Problem;
  expect([answer.status, problem.code]).toEqual([status, code]);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(problem).toMatchObject({ status, request_id: answer.headers['x-request-id'] });
  expect(problem.type).toMatch(new RegExp(`/docs/errors#${code}$`));
  expect(problem.title).toMatch(/\S/);
  expect(problem.detail).toMatch(/\S/);
  expect(problem.instance).toMatch(/^\/[^?]*$/);
  expect(problem.request_id).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  // No stack frame and no source path.
  expect(JSON.stringify(problem)).not.toMatch(/\bat (\S+ )?\(?(file:|node:|\/)|node_modules|\.[jt]s:\d/);
  return problem;
}

/** The field errors as pointer and code. */
export function fieldErrorsOf(problem: Problem): string[] {
  return (problem.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
}

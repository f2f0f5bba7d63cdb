import { expect } from '@jest/globals';

/** What every error says (RFC 9457), beside what its code adds. */
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
  /** As text, or read as JSON already. */
  body: unknown;
}

/** Fails unless the answer is a whole problem with this status and code; returns it. */
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
  // A frame of a stack, or a path of the source.
  expect(JSON.stringify(problem)).not.toMatch(/\bat (\S+ )?\(?(file:|node:|\/)|node_modules|\.[jt]s:\d/);
  return problem;
}

/** The complaints, as pointer and code. */
export function complaintsOf(problem: Problem): string[] {
  return (problem.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
}

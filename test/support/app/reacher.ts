import type supertest from 'supertest';

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  text: string;
}

/** The response to a request, without the types of supertest. */
export async function answerTo(request: supertest.Test): Promise<Answer> {
  const { status, headers, body, text } = (await request) as Answer;
  return { status, headers, body, text };
}

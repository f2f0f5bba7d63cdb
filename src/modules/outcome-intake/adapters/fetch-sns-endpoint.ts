import { Injectable } from '@nestjs/common';
import { SnsEndpoint } from '../domain/sns-endpoint.js';

const TIMEOUT_MS = 5_000;
const MAX_LENGTH = 20_000;

@Injectable()
export class FetchSnsEndpoint extends SnsEndpoint {
  async get(url: string): Promise<string> {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 200) throw new Error(`The response has the status ${response.status}`);
    const text = await response.text();
    if (text.length > MAX_LENGTH) throw new Error('The response is too long');
    return text;
  }
}

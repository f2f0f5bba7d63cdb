import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../kernel/domain-error.js';
import { checkRequest } from './request-checks.js';

type Parts = Partial<Pick<IncomingMessage, 'url' | 'httpVersion' | 'rawHeaders'>>;

/** The code of what refuses it; null: it is taken. */
function refusalOf(parts: Parts): string | null {
  const request = { url: '/', httpVersion: '1.1', rawHeaders: ['Host', 'a'], ...parts };
  try {
    checkRequest(request as IncomingMessage);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.fact.code;
    throw error;
  }
}

/** Header lines of that many bytes, the line ends too. */
function headers(bytes: number): string[] {
  const host = ['Host', 'a'];
  return [...host, 'X-Long', 'x'.repeat(bytes - 'Host: a\r\nX-Long: \r\n'.length)];
}

describe('checkRequest', () => {
  it('takes a target of 8,192 bytes and header lines of 16,384, and no byte more', () => {
    const target = `/${'a'.repeat(8_191)}`;
    expect(refusalOf({ url: target, rawHeaders: headers(16_384) })).toBeNull();
    expect(refusalOf({ url: `${target}a` })).toBe('target_too_long');
    expect(refusalOf({ rawHeaders: headers(16_385) })).toBe('headers_too_large');
    expect(refusalOf({ rawHeaders: ['Host', 'a', ...Array<string>(2 * 4_096).fill('')] })).toBe(
      'headers_too_large',
    );
  });

  it('takes one Host header, in any case, and none only from HTTP/1.0', () => {
    expect(refusalOf({ rawHeaders: ['hOST', 'a'] })).toBeNull();
    expect(refusalOf({ rawHeaders: [], httpVersion: '1.0' })).toBeNull();
    expect(refusalOf({ rawHeaders: [] })).toBe('malformed_http');
    expect(refusalOf({ rawHeaders: ['Host', 'a', 'X-A', 'b', 'HOST', 'a'] })).toBe('malformed_http');
  });

  it('answers with the query', () => {
    const request = { url: '/?b=1', httpVersion: '1.0', rawHeaders: [] };
    expect({ ...checkRequest(request as unknown as IncomingMessage) }).toEqual({ b: '1' });
    expect(refusalOf({ url: `/?${'a&'.repeat(101)}` })).toBe('invalid_request');
    expect(refusalOf({ url: '/?%zz' })).toBe('malformed_http');
  });
});

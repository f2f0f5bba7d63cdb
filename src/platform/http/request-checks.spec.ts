import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../kernel/errors.js';
import { checkRequest } from './request-checks.js';

type Parts = Partial<Pick<IncomingMessage, 'url' | 'httpVersion' | 'rawHeaders'>>;

/** The error code; null: accepted. */
function errorCodeOf(parts: Parts): string | null {
  const request = { url: '/', httpVersion: '1.1', rawHeaders: ['Host', 'a'], ...parts };
  try {
    checkRequest(request as IncomingMessage);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.definition.code;
    throw error;
  }
}

/** Header lines of `bytes` bytes in total, including line ends. */
function headers(bytes: number): string[] {
  const host = ['Host', 'a'];
  return [...host, 'X-Long', 'x'.repeat(bytes - 'Host: a\r\nX-Long: \r\n'.length)];
}

describe('checkRequest', () => {
  it('accepts targets up to 8,192 bytes and header lines up to 16,384 bytes', () => {
    const target = `/${'a'.repeat(8_191)}`;
    expect(errorCodeOf({ url: target, rawHeaders: headers(16_384) })).toBeNull();
    expect(errorCodeOf({ url: `${target}a` })).toBe('target_too_long');
    expect(errorCodeOf({ rawHeaders: headers(16_385) })).toBe('headers_too_large');
    expect(errorCodeOf({ rawHeaders: ['Host', 'a', ...Array<string>(2 * 4_096).fill('')] })).toBe(
      'headers_too_large',
    );
  });

  it('requires exactly one Host header, except for HTTP/1.0', () => {
    expect(errorCodeOf({ rawHeaders: ['hOST', 'a'] })).toBeNull();
    expect(errorCodeOf({ rawHeaders: [], httpVersion: '1.0' })).toBeNull();
    expect(errorCodeOf({ rawHeaders: [] })).toBe('malformed_http');
    expect(errorCodeOf({ rawHeaders: ['Host', 'a', 'X-A', 'b', 'HOST', 'a'] })).toBe('malformed_http');
  });

  it('accepts at most one Idempotency-Key header, on every method', () => {
    const one = ['Host', 'a', 'Idempotency-Key', 'one'];
    expect(errorCodeOf({ rawHeaders: one })).toBeNull();
    expect(errorCodeOf({ rawHeaders: [...one, 'idempotency-key', 'one'] })).toBe('invalid_idempotency_key');
  });
});

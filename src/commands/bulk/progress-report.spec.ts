import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { ProgressReport } from './progress-report.js';

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';

/** A report and what it has written. */
function aReport(isTTY: boolean) {
  const output = Object.assign(new PassThrough(), { isTTY, columns: 100 });
  const report = new ProgressReport(output);
  return { report, written: () => String(output.read() ?? '') };
}

describe('a progress report', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  describe('where the output is no terminal', () => {
    it('writes one line in ten seconds if something has changed, and none before', () => {
      const { report, written } = aReport(false);
      report.start({ name: 'verifying', unit: 'rows' });
      report.update(0, 400);
      jest.advanceTimersByTime(9_999);
      report.update(100, 400);
      expect(written()).toBe('');
      jest.advanceTimersByTime(1);
      expect(written()).toBe('rcpt: verifying: 25%, 100 of 400 rows, about 30 s left\n');
      jest.advanceTimersByTime(60_000);
      expect(written()).toBe('');
      report.update(200, 400);
      jest.advanceTimersByTime(10_000);
      expect(written()).toMatch(/^rcpt: verifying: 50%.*\n$/);
      report.stop();
      report.update(200, 400);
      jest.advanceTimersByTime(60_000);
      expect(written()).toBe('');
    });

    it('says what it waits for instead of an estimate, once', () => {
      const { report, written } = aReport(false);
      const waitingFor = (idleMs: number) => (idleMs < 3_000 ? null : 'waiting for 1 row at slow.example');
      report.start({ name: 'verifying', unit: 'rows', waitingFor });
      report.update(0, 400);
      jest.advanceTimersByTime(9_000);
      report.update(399, 400);
      jest.advanceTimersByTime(1_000);
      expect(written()).toBe('rcpt: verifying: 99%, 399 of 400 rows, about 1 s left\n');
      jest.advanceTimersByTime(10_000);
      expect(written()).toBe('rcpt: verifying: 99%, 399 of 400 rows, waiting for 1 row at slow.example\n');
      jest.advanceTimersByTime(60_000);
      expect(written()).toBe('');
      report.stop();
    });

    it('passes no control characters of a service or a list to the terminal', () => {
      const { report, written } = aReport(false);
      report.start({ name: 'verifying', unit: 'rows', waitingFor: () => 'waiting for \u009b31mx\u202e' });
      report.update(1, 2);
      jest.advanceTimersByTime(10_000);
      report.say('no \x1b]0;owned\x07 title');
      expect(written()).toBe(
        'rcpt: verifying: 50%, 1 of 2 rows, waiting for 31mx\nrcpt: no ]0;owned title\n',
      );
    });

    it('counts bytes of an upload in megabytes', () => {
      const { report, written } = aReport(false);
      report.start({ name: 'uploading', unit: 'bytes' });
      report.update(1_250_000, 5_000_000);
      jest.advanceTimersByTime(10_000);
      expect(written()).toBe('rcpt: uploading: 25%, 1.3 of 5.0 MB\n');
      report.stop();
    });
  });

  describe('in a terminal', () => {
    it('draws a bar without an estimate until there is one', () => {
      const { report, written } = aReport(true);
      report.start({ name: 'verifying', unit: 'rows' });
      report.update(0, 1_000);
      jest.advanceTimersByTime(1_000);
      report.update(1, 1_000);
      report.stop();
      expect(written()).not.toMatch(/left|NaN|NULL|INF/);
    });

    it('shows the estimate of the service, and none if the service has none', () => {
      const { report, written } = aReport(true);
      report.start({ name: 'verifying', unit: 'rows' });
      report.update(10, 1_000, 3_725);
      report.stop();
      expect(written()).toContain('10 of 1000 rows | about 1 h 2 min left');
      report.start({ name: 'verifying', unit: 'rows' });
      report.update(10, 1_000, null);
      jest.advanceTimersByTime(5_000);
      report.update(20, 1_000, null);
      report.stop();
      expect(written()).not.toContain('left');
    });

    it('says what it waits for while nothing is done', () => {
      const { report, written } = aReport(true);
      const waitingFor = (idleMs: number) => (idleMs < 3_000 ? null : 'waiting for 1 row at slow.example');
      report.start({ name: 'verifying', unit: 'rows', waitingFor });
      report.update(1, 2);
      jest.advanceTimersByTime(4_000);
      expect(written()).toContain('1 of 2 rows | waiting for 1 row at slow.example');
      report.stop();
    });

    it('shows the cursor again when it stops', () => {
      const { report, written } = aReport(true);
      report.start({ name: 'verifying', unit: 'rows' });
      report.update(1, 2);
      expect(written()).toContain(HIDE_CURSOR);
      report.say('interrupted');
      const text = written();
      expect(text).toContain(SHOW_CURSOR);
      expect(text.indexOf('rcpt: interrupted\n')).toBeGreaterThan(text.indexOf(SHOW_CURSOR));
    });
  });
});

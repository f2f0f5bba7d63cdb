import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WITH_TYPESCRIPT } from '../../../test/support/processes/with-typescript.js';

const SETTING = join(import.meta.dirname, 'heap-growth.ts');

/** V8 reports a setting that it does not have on stderr. */
async function stderrOf(script: string): Promise<string> {
  const args = [...WITH_TYPESCRIPT, '--input-type=module', '--eval', script];
  return (await promisify(execFile)(process.execPath, args)).stderr;
}

it('the limit of heap growth is a setting of this V8', async () => {
  const unknown = `import { setFlagsFromString } from 'node:v8'; setFlagsFromString('--no-such-setting=100');`;
  expect(await stderrOf(unknown)).toContain('no-such-setting');
  const limit = `import { limitHeapGrowth } from '${SETTING}'; limitHeapGrowth();`;
  expect(await stderrOf(limit)).not.toContain('heap-growing-percent');
});

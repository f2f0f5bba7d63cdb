import { describe } from './describe.js';
import type { Status, Verdict } from '../../kernel/verdict.js';
import { EngineModule } from '../../modules/verification/engine.module.js';
import { Engine } from '../../engine/engine.js';
import type { VerdictResponse } from '../../modules/verification/verification.dto.js';
import { withModules } from '../command-context.js';
import { print, type Format } from '../terminal.js';

const EXIT_CODES: Readonly<Record<Status, number>> = {
  deliverable: 0,
  undeliverable: 1,
  risky: 2,
  unknown: 3,
};

export async function verifyAddress(email: string, options: Format & { timeout: number }): Promise<void> {
  const verdict = await withModules([EngineModule], (services) =>
    services(Engine).check(email, options.timeout * 1000, { roleIsRisky: false }),
  );
  print(options, options.json && (await responseOf(verdict)), () => describe(verdict));
  process.exitCode = EXIT_CODES[verdict.status];
}

/** Loaded for `--json` only: the classes of the API import `@nestjs/swagger`, which is large. */
async function responseOf(verdict: Verdict): Promise<VerdictResponse> {
  const { toResponse } = await import('../../modules/verification/verification.dto.js');
  return toResponse(verdict);
}

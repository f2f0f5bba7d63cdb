import { barePlatform } from '../platform/bare-platform.js';
import { readConfig, type Config } from '../platform/config/config.js';
import type { Platform } from '../platform/platform.module.js';
import { createLog } from '../platform/telemetry/log.js';

/** As the environment says, but quiet: a person at the terminal wants the answer; faults are still told. */
export function terminalConfig(): Config {
  return { ...readConfig(), logLevel: 'error' };
}

/** Faults are told on standard error: standard output is the answer's. */
export function terminalPlatform(): Platform {
  const config = terminalConfig();
  return { ...barePlatform(config), log: createLog(config.logLevel, process.stderr) };
}

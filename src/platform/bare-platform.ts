import { Lifecycle } from '../kernel/lifecycle.js';
import { Vitals } from '../kernel/vitals.js';
import type { Config } from './config/config.js';
import type { Platform } from './platform.module.js';
import { createLog } from './telemetry/log.js';
import { PrometheusMeter } from './telemetry/prometheus-meter.js';
import { SystemClock } from './time/system-clock.js';

/** The parts that need nothing from outside. */
export function barePlatform(config: Config): Platform {
  const clock = new SystemClock();
  return {
    config,
    clock,
    log: createLog(config.logLevel),
    lifecycle: new Lifecycle(),
    vitals: new Vitals(),
    meter: new PrometheusMeter(clock),
  };
}

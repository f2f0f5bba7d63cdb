import { Module, type Type } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { MetricsController } from './metrics.controller.js';

@Module({ controllers: [MetricsController] })
export class MetricsModule {
  /** Beside the other routes, unless `METRICS_PORT` gives them a place of their own. */
  static beside({ metricsPort }: Config): Type[] {
    return metricsPort === null ? [MetricsModule] : [];
  }
}

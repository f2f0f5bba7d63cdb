import { Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { MetricsServer } from './metrics-server.js';

/** `/metrics`: beside the other routes, or on a port of its own where `METRICS_PORT` is set. */
@Module({ controllers: [MetricsController], providers: [MetricsServer], exports: [MetricsServer] })
export class MetricsModule {}

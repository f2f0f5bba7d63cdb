import { Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { MetricsServer } from './metrics-server.js';

/** `/metrics`: on the port of the API, or on `METRICS_PORT` if it is set. */
@Module({ controllers: [MetricsController], providers: [MetricsServer] })
export class MetricsModule {}

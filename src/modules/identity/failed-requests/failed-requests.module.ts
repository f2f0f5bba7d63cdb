import { Module } from '@nestjs/common';
import { FailedRequestsController } from './failed-requests.controller.js';

@Module({ controllers: [FailedRequestsController] })
export class FailedRequestsModule {}

import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { DownloadSlots } from './downloads/download-slots.js';
import { Cursors } from './paging/cursor.js';
import { DeprecationInterceptor } from './request/deprecation.interceptor.js';
import { RequestContextInterceptor } from './request/request-context.interceptor.js';

/** Providers for the controllers of all modules. `configure-app.ts` configures the server. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    Cursors,
    DownloadSlots,
    { provide: APP_INTERCEPTOR, useClass: DeprecationInterceptor },
    { provide: APP_INTERCEPTOR, useClass: RequestContextInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
  exports: [Cursors, DownloadSlots],
})
export class HttpModule {}

import { Global, Module } from '@nestjs/common';
import { Cursors } from './paging/cursor.js';

/** Providers for the controllers of all modules. `configure-app.ts` configures the server. */
@Global()
@Module({ providers: [Cursors], exports: [Cursors] })
export class HttpModule {}

import { readConfig } from './src/platform/config/config.js';
import { createDataSource } from './src/platform/database/data-source.js';
import { SCHEMAS } from './src/modules/schema.js';

// For the TypeORM command line: `DATABASE_URL=… npm run typeorm migration:show`.
const { databaseUrl } = readConfig();
if (databaseUrl === null) throw new Error('Set DATABASE_URL (and SECRET_KEY) for the TypeORM command line.');

export const dataSource = createDataSource(databaseUrl, SCHEMAS);

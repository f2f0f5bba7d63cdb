import { randomBytes } from 'node:crypto';
import { DataSource, type Logger } from 'typeorm';
import { anApp, type TestApp } from '../support/app/app.js';
import { makeObjects } from './make-objects.js';
import { readAnswers } from './read-answers.js';
import type { ReleaseRecord } from './release-files.js';
import { ReleaseWorld } from './release-world.js';

/** Fills an empty database of this version with objects of every kind. @returns what is needed to read them. */
export async function makeRecord(version: string, databaseUrl: string): Promise<ReleaseRecord> {
  const statements = new Set<string>();
  const world = await ReleaseWorld.start();
  const { stripe } = world;
  const secretKey = randomBytes(32).toString('base64');
  const env = { ...world.env, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey };

  async function withApp<T>(work: (app: TestApp) => Promise<T>): Promise<T> {
    const app = await anApp(env);
    stripe.clock = app.clock;
    app.service.app.get(DataSource).setOptions({ logger: collecting(statements) });
    try {
      return await work(app);
    } finally {
      await app.stop();
    }
  }

  try {
    // The first process writes what it holds in memory when it stops; the second one reads all.
    const objects = await withApp((app) => makeObjects(app, world));
    const read = await withApp(async (app) => {
      const at = app.clock.now().toISOString();
      app.clock.standAt(at);
      return { at, answers: await readAnswers(app, objects.keys) };
    });
    return {
      version,
      secretKey,
      ...objects,
      ...read,
      stripe: {
        customers: [...stripe.customers],
        subscriptions: [...stripe.subscriptions],
        invoices: stripe.invoices,
      },
      statements: [...statements].sort(),
    };
  } finally {
    await world.stop();
  }
}

function collecting(statements: Set<string>): Logger {
  return {
    logQuery: (statement) => void statements.add(statement),
    logQueryError: () => {},
    logQuerySlow: () => {},
    logSchemaBuild: () => {},
    logMigration: () => {},
    log: () => {},
  };
}

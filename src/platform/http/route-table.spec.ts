import { beforeAll, describe, expect, it } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import { RouteTable } from './route-table.js';

const answer: RequestHandler = (_, response) => void response.end();

describe('RouteTable', () => {
  const routes = new RouteTable();

  beforeAll(() => {
    const express = new ExpressAdapter().getInstance<Express>();
    express.use(answer);
    express.get('/things', answer);
    express.post('/things', answer);
    express.get('/things/:id', answer);
    express.delete('/things/:id', answer);
    express.put('/orders', answer);
    express.use('/files', answer);
    routes.read(express);
  });

  it.each([
    ['/things', ['GET', 'HEAD', 'POST']],
    ['/things/', ['GET', 'HEAD', 'POST']],
    ['/THINGS', ['GET', 'HEAD', 'POST']],
    ['/things/7', ['DELETE', 'GET', 'HEAD']],
    ['/things/%2F', ['DELETE', 'GET', 'HEAD']],
    ['/orders', ['PUT']],
  ])('%s takes %j', (path, methods) => {
    expect(routes.methodsOf(path)).toEqual(methods);
  });

  it.each(['/', '/thing', '/things/7/8', '/orders/1', '/files/a', '', '//things'])(
    'nothing takes %j',
    (path) => {
      expect(routes.methodsOf(path)).toEqual([]);
    },
  );

  it('does not fall over a path whose percent-encoding is broken', () => {
    expect(routes.methodsOf('/things/%zz')).toEqual([]);
  });

  it('knows nothing before it has read', () => {
    expect(new RouteTable().methodsOf('/things')).toEqual([]);
  });
});

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
    express.post('/things/search', answer);
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
    ['/things/search', ['POST']],
    ['/things/Search/', ['POST']],
    ['/orders', ['PUT']],
  ])('%s supports %j', (path, methods) => {
    expect(routes.methodsOf(path)).toEqual(methods);
  });

  it.each(['/', '/thing', '/things/7/8', '/orders/1', '/files/a', '', '//things'])(
    'no route matches %j',
    (path) => {
      expect(routes.methodsOf(path)).toEqual([]);
    },
  );

  it('refuses what another route would take for a value of its parameter', () => {
    expect(
      ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'].map((method) => routes.refuses(method, '/things/search')),
    ).toEqual([true, true, true, true, false]);
    expect([routes.refuses('DELETE', '/things/7'), routes.refuses('HEAD', '/things')]).toEqual([
      false,
      false,
    ]);
  });

  it('matches no route if the percent-encoding is invalid', () => {
    expect(routes.methodsOf('/things/%zz')).toEqual([]);
  });

  it('is empty before it has read the routes', () => {
    expect(new RouteTable().methodsOf('/things')).toEqual([]);
  });
});

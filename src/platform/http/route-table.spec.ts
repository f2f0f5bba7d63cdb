import { beforeAll, describe, expect, it } from '@jest/globals';
import { fastify, type RouteHandlerMethod } from 'fastify';
import { RouteTable, ROUTING } from './route-table.js';

const answer: RouteHandlerMethod = (_, reply) => reply.send();

describe('RouteTable', () => {
  const routes = new RouteTable();

  beforeAll(async () => {
    const server = fastify({ routerOptions: ROUTING });
    server.addHook('onRoute', (route) => routes.add(route));
    server.get('/things', answer);
    server.post('/things', answer);
    server.get('/things/:id', answer);
    server.delete('/things/:id', answer);
    server.put('/orders', answer);
    await server.ready();
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

  it('knows nothing before it was told', () => {
    expect(new RouteTable().methodsOf('/things')).toEqual([]);
  });
});

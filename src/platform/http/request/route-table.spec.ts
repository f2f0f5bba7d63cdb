import { beforeAll, describe, expect, it } from '@jest/globals';
import { RouteTable } from './route-table.js';

describe('RouteTable', () => {
  const routes = new RouteTable();

  beforeAll(() => {
    routes.add('GET', '/things');
    routes.add('POST', '/things');
    routes.add('GET', '/things/:id');
    routes.add('DELETE', '/things/:id');
    routes.add('POST', '/things/search');
    routes.add('PUT', '/orders');
    routes.add('GET', '/page.:digest.js');
    routes.add('GET', '/pages/*page');
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
    ['/page.0a1.js', ['GET', 'HEAD']],
    ['/pages/a/b', ['GET', 'HEAD']],
  ])('%s supports %j', (path, methods) => {
    expect(routes.methodsOf(path)).toEqual(methods);
  });

  it.each([
    '/',
    '/thing',
    '/things/7/8',
    '/orders/1',
    '/pages',
    '/pageX0a1.js',
    '/a/pages/b',
    '',
    '//things',
  ])('no route matches %j', (path) => {
    expect(routes.methodsOf(path)).toEqual([]);
  });

  it('refuses what another route would take for a value of its parameter', () => {
    expect(
      ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'].map((method) => routes.refuses(method, '/things/search')),
    ).toEqual([true, true, true, true, false]);
    expect([routes.refuses('DELETE', '/things/7'), routes.refuses('HEAD', '/things')]).toEqual([
      false,
      false,
    ]);
  });

  it('is empty without routes', () => {
    expect(new RouteTable().methodsOf('/things')).toEqual([]);
  });
});

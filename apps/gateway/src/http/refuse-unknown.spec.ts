import { DomainError } from '@postrider/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EndpointTable, refuseUnknown } from './refuse-unknown';

describe('the route table', () => {
  const routes = new EndpointTable();
  routes.add({ url: '/api/installations/:id', method: ['GET', 'HEAD'] });
  routes.add({ url: '/api/installations/:id', method: 'PUT' });
  routes.add({ url: '/api/installations/addTags', method: 'POST' });
  for (const method of ['GET', 'HEAD'])
    routes.add({ url: '/api/installations/addTag/:user/:tag', method, config: { changesOnGet: true } });
  routes.add({ url: '/queues/*', method: 'GET' });
  routes.add({ url: '/', method: 'GET' });

  it.each([
    ['/api/installations/17', ['GET', 'HEAD', 'PUT']],
    ['/api/installations/17/', ['GET', 'HEAD', 'PUT']],
    ['/api/installations/addTags', ['POST']],
    ['/api/installations/addTags/', ['POST']],
    ['/api/installations/addTag/ada/vip', ['GET']],
    ['/queues/static/a.js', ['GET']],
    ['/', ['GET']],
    ['/api/installations', []],
    ['/api/installations/17/x', []],
    ['/api/installationsX17', []],
  ])('knows which methods %s answers', (path, methods) => {
    expect(routes.methodsOf(path)).toEqual(methods);
  });

  it.each([
    ['GET', '/api/installations/:id', true],
    ['GET', '/api/installations/addTags', false],
    ['POST', '/api/installations/:id', false],
  ])('lets %s %s through: %s', (method, url, isRight) => {
    const request = {
      method,
      url,
      is404: false,
      headers: {},
      routeOptions: { url: '/api/installations/:id', config: {} },
    };
    const reply = { header: () => reply };
    const refuse = (): void =>
      refuseUnknown(request as unknown as FastifyRequest, reply as unknown as FastifyReply, routes);
    if (isRight) expect(refuse).not.toThrow();
    else expect(refuse).toThrow('The methods of this path are');
  });

  it.each([
    [
      '/api/api/push/toUsers',
      'There is no such path: /api is in it twice. A client takes the address of the gateway without /api',
    ],
    [
      '/api/api?limit=1',
      'There is no such path: /api is in it twice. A client takes the address of the gateway without /api',
    ],
    ['/api/push/toUser', 'There is no such path'],
    ['/api/apis', 'There is no such path'],
  ])('says what is wrong with %s', (url, message) => {
    const request = { method: 'POST', url, is404: true, headers: {}, routeOptions: {} } as unknown as FastifyRequest;
    expect(() => refuseUnknown(request, {} as unknown as FastifyReply, routes)).toThrow(
      new DomainError('NOT_FOUND', message),
    );
  });
});

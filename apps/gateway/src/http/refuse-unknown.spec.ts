import { EndpointTable } from './refuse-unknown';

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
});

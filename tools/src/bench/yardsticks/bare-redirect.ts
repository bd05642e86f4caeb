import Fastify from 'fastify';

/** The yardstick of trackers, run as a process of its own: a bare Fastify redirect. Prints its address when it listens. */
async function main(): Promise<void> {
  const server = Fastify();
  server.get('/t/:id', (_request, reply) => reply.redirect('https://shop.example/', 302));
  console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
}

void main();

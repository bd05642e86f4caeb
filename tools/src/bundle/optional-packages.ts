/** What Nest loads for other transports and adapters than ours. None of it is installed, and nothing asks for it. */
export const OPTIONAL_PACKAGES: readonly string[] = [
  '@fastify/multipart',
  '@nats-io/transport-node',
  '@nestjs/platform-express',
  '@nestjs/websockets/socket-module.js',
  'amqp-connection-manager',
  'kafkajs',
];

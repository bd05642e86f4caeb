/**
 * Packages that Nest loads for other transports and adapters than ours. None of them is installed, and nothing asks for
 * them.
 */
export const OPTIONAL_PACKAGES: readonly string[] = [
  '@fastify/multipart',
  '@nats-io/transport-node',
  '@nestjs/platform-express',
  '@nestjs/websockets/socket-module.js',
  'amqp-connection-manager',
  'kafkajs',
];

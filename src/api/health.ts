/** `GET /health`: whether the sandbox answers and its storage is sound; nothing else is disclosed. */
import type { FastifyInstance } from 'fastify';

/** A failed storage is answered earlier, with 503. */
export function healthPage(app: FastifyInstance): void {
  app.get('/health', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send('{"status":"ok"}'),
  );
}

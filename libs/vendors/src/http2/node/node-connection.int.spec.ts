import { join } from 'node:path';
import { runSource } from '@postrider/testing';

// What would abort a process is in `native-session.ts`. Each way goes with collections of garbage at the worst times.
describe('a process that leaves a connection with half an answer', () => {
  it.each(['after an error of the server', 'while it sends', 'while it sends a request that was given up'])(
    'lives on, and frees the connection: %s',
    async (way) => {
      const file = join(__dirname, 'testing/leave-half-an-answer.ts');
      expect(await runSource(file, way)).toEqual({ ended: 0, errors: '' });
    },
  );
});

import { screen } from '@testing-library/react';
import type { ImportResponse } from '@postrider/server/document';
import { show } from '../../testing/show';
import { ImportProgress } from './import-progress';
import type { ImportState } from './use-import';

const JOB: ImportResponse = {
  name: null,
  jobId: '01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d',
  status: 'working',
  reason: null,
  format: 'onesignal',
  bytes: 1_000,
  bytesWorked: 500,
  lines: 50,
  created: 40,
  updated: 5,
  unchanged: 1,
  skipped: 2,
  failed: 150,
  incomplete: 50,
  missingColumns: [],
  unreadColumns: [],
  validation: null,
  errors: [{ line: 7, message: 'device_type 99 is not known' }],
  startedAt: '2026-11-23T08:00:00.000Z',
  finishedAt: null,
};

function showState(changes: Partial<ImportState>): ImportState & { stopped: () => number } {
  let stops = 0;
  const state: ImportState = {
    isBegun: true,
    progress: { sent: 10, total: 10 },
    job: JOB,
    error: null,
    start: () => undefined,
    stop: () => (stops += 1),
    reset: () => undefined,
    ...changes,
  };
  show(<ImportProgress state={state} onOther={() => undefined} />);
  return { ...state, stopped: () => stops };
}

describe('the progress of an import', () => {
  it('shows how far it is, what became of the devices, and which lines are wrong', () => {
    showState({});
    expect(screen.getByRole('progressbar', { name: 'Import' }).getAttribute('aria-valuenow')).toBe('50');
    expect(screen.getByText('Without a wrong value').parentElement?.textContent).toContain('50');
    expect(screen.getByText('New devices').parentElement?.textContent).toContain('40');
    expect(screen.getByRole('table', { name: 'Wrong lines' }).textContent).toContain('7device_type 99 is not known');
    const all = screen.getByRole<HTMLAnchorElement>('link', { name: /All 200 wrong lines/ });
    expect([all.getAttribute('href'), all.download]).toEqual([
      `/apps/shop/api/installations/import/${JOB.jobId}/errors`,
      'wrong-lines.ndjson',
    ]);
  });

  it('shows what FCM said of the tokens, where it was asked', () => {
    const lastError = 'UNAVAILABLE: The service is down';
    showState({ job: { ...JOB, validation: { valid: 31, invalid: 7, unanswered: 2, lastError } } });
    expect(screen.getByText('Tokens FCM refuses').parentElement?.textContent).toContain('7');
    expect(screen.getByText('No answer').parentElement?.textContent).toContain('2');
    screen.getByText(lastError);
  });

  it('says which columns of the mapping no record has, once all are read', () => {
    const job: ImportResponse = { ...JOB, missingColumns: ['customer', 'plan'] };
    showState({ job });
    expect(screen.queryByRole('alert')).toBeNull();
    showState({ job: { ...job, status: 'done' } });
    expect(screen.getByRole('alert').textContent).toContain('No record has some columns that you chose');
    expect(screen.getByRole('alert').textContent).toContain('customer, plan.');
  });

  it('is no success if no device was imported, and says what was left out', () => {
    const nothing = { created: 0, updated: 0, unchanged: 0, skipped: 1, failed: 40, incomplete: 0 };
    showState({ job: { ...JOB, ...nothing, status: 'done' } });
    expect(screen.getByRole('alert').textContent).toBe(
      'No device was imported40 records are wrong and left out. 1 record has no push token, or none of a push service here.',
    );
  });

  it('says beside the new devices what was left out', () => {
    showState({ job: { ...JOB, skipped: 0, failed: 2, status: 'done' } });
    expect(screen.getByRole('status').textContent).toContain('New: 40 devices. 2 records are wrong and left out.');
  });

  it('says why it ended', () => {
    showState({ job: { ...JOB, status: 'failed', reason: 'line 9 is not UTF-8' } });
    expect(screen.getByRole('alert').textContent).toContain('line 9 is not UTF-8. What was imported before stays.');
    screen.getByRole('button', { name: 'Import another file' });
  });
});

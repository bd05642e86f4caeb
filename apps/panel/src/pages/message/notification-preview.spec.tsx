import { screen } from '@testing-library/react';
import { show } from '../../testing/show';
import { NotificationPreview } from './notification-preview';

const CONTENT = { content: 'Hello', useAsAlert: true };

describe('the preview of a notification', () => {
  const { Segmenter } = Intl;
  afterEach(() => Object.assign(Intl, { Segmenter }));

  const iconOf = (name: string): string | null => {
    show(<NotificationPreview content={CONTENT as never} applicationName={name} />);
    const { firstElementChild } = screen.getByRole('img').querySelector('[aria-hidden]')?.parentElement as HTMLElement;
    return firstElementChild?.textContent ?? null;
  };

  it('has the first letter of the application, also if it is made of several characters', () => {
    expect(iconOf('👩‍👧 family')).toBe('👩‍👧');
  });

  it('is there in a browser that does not find the letters of a text', () => {
    Object.assign(Intl, { Segmenter: undefined });
    expect(iconOf('shop')).toBe('S');
  });
});

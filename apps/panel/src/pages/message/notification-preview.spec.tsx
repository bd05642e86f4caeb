import { screen, within } from '@testing-library/react';
import { show } from '../../testing/show';
import { NotificationPreview } from './notification-preview';

const CONTENT = { content: 'Hello', useAsAlert: true };

describe('the preview of a notification', () => {
  const { Segmenter } = Intl;
  afterEach(() => Object.assign(Intl, { Segmenter }));

  const iconOf = (name: string): string | null => {
    show(<NotificationPreview content={CONTENT as never} applicationName={name} />);
    return (
      screen.getByRole('group', { name: 'Preview on Android' }).querySelector('span[aria-hidden]')?.textContent ?? null
    );
  };

  it('is read out as it is seen: the content of a picture would not be', () => {
    show(<NotificationPreview content={CONTENT as never} applicationName="Shop" />);
    const preview = screen.getByRole('group', { name: 'Preview on Android' });
    expect(within(preview).getByText('Hello').closest('[role="img"], [aria-hidden]')).toBeNull();
  });

  it('has the first letter of the application, also if it is made of several characters', () => {
    expect(iconOf('👩‍👧 family')).toBe('👩‍👧');
  });

  it('is there in a browser that does not find the letters of a text', () => {
    Object.assign(Intl, { Segmenter: undefined });
    expect(iconOf('shop')).toBe('S');
  });
});

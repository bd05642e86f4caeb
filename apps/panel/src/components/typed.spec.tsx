import { screen } from '@testing-library/react';
import { show } from '../testing/show';
import { JsonView } from './json-view';
import { Typed } from './typed';

describe('what somebody typed', () => {
  it('stands in its own direction, closed against what stands beside it', () => {
    show(
      <p>
        <Typed text={'سلام \u2067'} /> opened
      </p>,
    );
    const text = screen.getByText(/سلام/);
    expect([text.tagName, text.dir]).toEqual(['BDI', 'auto']);
    expect(text.textContent).toBe('سلام \u2067\u2069');
  });

  it('is text, whatever markup it holds, and says which letters would turn it round', () => {
    show(<Typed text={'<b>a\u202Egnp.exe</b>'} />);
    expect(screen.getByText('<b>a[U+202E]gnp.exe</b>')).toBeTruthy();
  });

  it('is cut where it is as long as a book, and says how long it is', () => {
    show(<Typed text={'x'.repeat(5_000)} />);
    expect(screen.getByText(/^x{4000}… \(5000 characters in all\)$/)).toBeTruthy();
  });

  it('shows letters without a width where it is data', () => {
    show(<JsonView value={{ name: 'a\u200Bb' }} label="the data" />);
    expect(screen.getByLabelText('the data').textContent).toContain('"a\\u200bb"');
  });
});

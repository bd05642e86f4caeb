/** Follows the system's light or dark; needs no font, image or file of its own. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#eef0f3, #14161a);
  --card: light-dark(#ffffff, #1f2329);
  --ink: light-dark(#1b1f24, #e8eaed);
  --quiet: light-dark(#5a636e, #9aa4b0);
  --line: light-dark(#dde1e6, #31373f);
  --accent: light-dark(#2457c5, #8ab0ff);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 34rem; margin: 0 auto; padding: 2.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .4rem; letter-spacing: -.01em; text-wrap: balance; }
header.page p { margin: 0 0 .4rem; color: var(--quiet); }
.count output { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; }
.live { margin-inline-start: .5rem; }
ol { list-style: none; margin: 1.5rem 0 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; }
.card {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 1.1rem;
  padding: .85rem 1.1rem .9rem;
  overflow-wrap: anywhere;
}
.card > header { display: flex; gap: .6rem; align-items: baseline; font-size: .8rem; color: var(--quiet); }
.vendor { color: var(--accent); font-weight: 600; white-space: nowrap; }
.to { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.to strong { color: var(--ink); }
.tools { display: flex; gap: .5rem; margin-top: 1.2rem; }
.tools input { flex: 1; min-width: 0; }
button, input[type=search] {
  font: inherit;
  font-size: .85rem;
  color: var(--ink);
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: .6rem;
  padding: .35rem .7rem;
}
button { cursor: pointer; }
button:hover { border-color: var(--accent); }
.taps { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin-top: .6rem; }
.taps output { font-size: .8rem; color: var(--quiet); }
.faults fieldset { border: 1px solid var(--line); border-radius: .6rem; margin: .5rem 0 0; padding: .6rem .8rem; display: grid; gap: .35rem; }
.faults legend { color: var(--quiet); padding: 0 .3rem; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.card h2 { font-size: 1rem; margin: .35rem 0 0; }
.card p { margin: .1rem 0 0; white-space: pre-line; }
.silent { color: var(--quiet); font-style: italic; }
details { margin-top: .5rem; font-size: .8rem; }
summary { cursor: pointer; color: var(--quiet); width: fit-content; border-radius: .3rem; }
summary:hover { color: var(--ink); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
pre {
  margin: .5rem 0 0;
  padding: .7rem .8rem;
  max-height: 24rem;
  overflow: auto;
  background: var(--ground);
  border-radius: .6rem;
  white-space: pre-wrap;
}
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.empty { margin-top: 3rem; text-align: center; color: var(--quiet); }
ol:not(:empty) + .empty { display: none; }
@media (prefers-reduced-motion: no-preference) {
  .new { animation: arrive .35s ease-out; }
  @keyframes arrive { from { opacity: 0; transform: translateY(-.6rem); } }
}
`;

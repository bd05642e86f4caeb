// A file of its own, run before the first paint: the page allows no inline script.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('postrider-color-scheme');
  } catch {
    // Storage may be forbidden: the machine's own choice then holds.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();

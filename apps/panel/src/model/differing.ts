/** The settings that are others than in `base`. */
export function differing<Settings extends object>(
  settings: Partial<Settings>,
  base: Partial<Settings>,
): Partial<Settings> {
  const entries = Object.entries(settings) as [keyof Settings & string, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name])),
  ) as Partial<Settings>;
}

/** Returns the class of a vendor's code, if the table has it. A code may be any text, `constructor` too. */
export function classIn<Class>(table: Readonly<Record<string, Class>>, code: string | undefined): Class | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}

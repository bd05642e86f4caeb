/** Asks again until the answer is one; the test's own time limit is the only other end. */
export async function until<T>(ask: () => Promise<T | null | undefined | false>, everyMs = 50): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    await new Promise((later) => setTimeout(later, everyMs));
  }
}

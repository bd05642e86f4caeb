/** Whether a text holds anything to be rendered. Other texts are passed on as they are. */
export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

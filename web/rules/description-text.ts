/** Whether it holds markup at all; plain text keeps its lines. */
export const isMarkup = (text: string): boolean => /<[a-z!/]|&[a-z#]/i.test(text)

/** One description after the other, of whichever form each is. */
export function bothDescriptions(first: string, second: string): string {
  const texts = [first, second].filter((text) => text.trim())
  if (!texts.some(isMarkup)) return texts.join('\n\n')
  return texts.map((text) => (isMarkup(text) ? text : asMarkup(text))).join('\n<hr>\n')
}

const asMarkup = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .split(/\n{2,}/)
    .map((part) => `<p>${part.replaceAll('\n', '<br>')}</p>`)
    .join('\n')

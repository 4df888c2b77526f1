/** Texts of the first of `all`, until they have `max` characters in all; of one at least, where there is one. */
export async function textsUpTo<T>(
  all: readonly T[],
  max: number,
  textOf: (each: T) => string | Promise<string>,
): Promise<string[]> {
  const texts: string[] = []
  let size = 0
  for (const each of all) {
    if (size >= max) break
    const text = await textOf(each)
    texts.push(text)
    size += text.length
  }
  return texts
}

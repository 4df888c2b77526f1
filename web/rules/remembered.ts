/** A pure function of one text that is dear to work out: its answers are the same for everyone and are cached. */
export function remembered<T>(workOut: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const value = workOut(text)
    known.set(text, value)
    return value
  }
}

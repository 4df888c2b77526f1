/** One place on, `by` -1 or 1, where there is one. */
export function moved<T extends { key: string }>(list: readonly T[], key: string, by: number): T[] {
  const from = list.findIndex((each) => each.key === key)
  const to = from + by
  const each = list[from]
  return !each || to < 0 || to >= list.length ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, each)
}

/** To the place where another one is. */
export function movedTo<T extends { key: string }>(list: readonly T[], key: string, over: string): T[] {
  const from = list.findIndex((each) => each.key === key)
  const to = list.findIndex((each) => each.key === over)
  return from < 0 || to < 0 ? [...list] : moved(list, key, to - from)
}

export interface TagInTree {
  tag_id: string
  name: string
  extends: readonly string[]
}

export interface TagNode<T> {
  tag: T
  /** Those that extend it. */
  below: TagNode<T>[]
}

/** Tags under those that they extend; one that extends two is under both. */
export function tagTree<T extends TagInTree>(tags: readonly T[]): TagNode<T>[] {
  const known = new Set(tags.map(({ tag_id }) => tag_id))
  const under = Map.groupBy(
    tags.flatMap((tag) => tag.extends.map((base) => ({ base, tag }))),
    ({ base }) => base,
  )
  const node = (tag: T): TagNode<T> => ({
    tag,
    below: (under.get(tag.tag_id) ?? []).map((each) => node(each.tag)),
  })
  return tags.filter((tag) => !tag.extends.some((base) => known.has(base))).map(node)
}

/** The tag and all that extend it, however far: none of them can be its base. */
export function withExtending(tags: readonly TagInTree[], tag_id: string): Set<string> {
  const found = new Set([tag_id])
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const tag of tags) if (tag.extends.some((base) => found.has(base))) found.add(tag.tag_id)
  }
  return found
}

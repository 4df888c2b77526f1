/** What a sentence about a change is made of. */
export interface ChangeFacts {
  /** Number of events by type. */
  counts: Record<string, number>
  /** Of those, by type: what they spoke of. Few are kept, for a sentence is short. */
  about: Map<string, { names: Set<string>; tags: Set<string>; paths: Set<string> }>
  /** Tags that items were created with, and how many of the `tag_applied` that were. */
  withTags: { tags: Set<string>; count: number }
  /** The item that was created last: its tags follow it. */
  created: string | undefined
}

/** What an event tells of itself for the summary. */
export interface EventFacts {
  event_type: string
  item_id?: string
  /** Of the item or tag. */
  name?: string | undefined
  tag_name?: string | undefined
  fields?: readonly string[] | undefined
}

/** More is told as "…". */
const KEPT = 4

export const emptyFacts = (): ChangeFacts => ({
  counts: {},
  about: new Map(),
  withTags: { tags: new Set(), count: 0 },
  created: undefined,
})

export function noteFacts(
  facts: ChangeFacts,
  { event_type, item_id, name, tag_name, fields }: EventFacts,
): void {
  facts.counts[event_type] = (facts.counts[event_type] ?? 0) + 1
  if (event_type === 'item_created') facts.created = item_id
  if (event_type === 'tag_applied' && item_id === facts.created) {
    facts.withTags.count++
    keep(facts.withTags.tags, tag_name)
    return
  }
  let about = facts.about.get(event_type)
  if (!about) facts.about.set(event_type, (about = { names: new Set(), tags: new Set(), paths: new Set() }))
  keep(about.names, name)
  keep(about.tags, tag_name)
  for (const field of fields ?? []) {
    if (about.paths.size >= KEPT) break
    keep(about.paths, tag_name === undefined ? field : `${tag_name}.${field}`)
  }
}

function keep(set: Set<string>, value: string | undefined): void {
  if (value !== undefined && set.size < KEPT) set.add(value)
}

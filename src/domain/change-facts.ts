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

/** What an event says of itself for the summary. */
export interface EventFacts {
  event_type: string
  item_id?: string
  /** Of the item or tag. */
  name?: string | undefined
  tag_name?: string | undefined
  fields?: readonly string[] | undefined
}

/** The same, as JSON can carry it; nothing of items that are created. */
export interface TellableFacts {
  counts: Record<string, number>
  about: [event_type: string, names: string[], tags: string[], paths: string[]][]
}

export const tellable = ({ counts, about }: ChangeFacts): TellableFacts => ({
  counts,
  about: [...about].map(([type, { names, tags, paths }]) => [type, [...names], [...tags], [...paths]]),
})

/** Notes what was noted elsewhere of the events that follow. */
export function addFacts(facts: ChangeFacts, { counts, about }: TellableFacts): void {
  for (const [type, count] of Object.entries(counts)) facts.counts[type] = (facts.counts[type] ?? 0) + count
  for (const [type, names, tags, paths] of about) {
    const known = aboutOf(facts, type)
    for (const name of names) keep(known.names, name)
    for (const tag of tags) keep(known.tags, tag)
    for (const path of paths) keep(known.paths, path)
  }
}

function aboutOf({ about }: ChangeFacts, event_type: string) {
  let found = about.get(event_type)
  if (!found) about.set(event_type, (found = { names: new Set(), tags: new Set(), paths: new Set() }))
  return found
}

/** More is shown as "…". */
const MOST_NAMED = 4

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
  const about = aboutOf(facts, event_type)
  keep(about.names, name)
  keep(about.tags, tag_name)
  for (const field of fields ?? []) {
    if (about.paths.size >= MOST_NAMED) break
    keep(about.paths, tag_name === undefined ? field : `${tag_name}.${field}`)
  }
}

function keep(set: Set<string>, value: string | undefined): void {
  if (value !== undefined && set.size < MOST_NAMED) set.add(value)
}

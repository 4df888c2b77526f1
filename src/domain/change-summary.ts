import { cutText } from '#src/domain/cut-text.ts'
import type { ChangeFacts } from '#src/domain/change-facts.ts'

/** Names in a sentence are cut here. */
const MAX_SHOWN_NAME = 60
/** Things that a sentence names before it says "more". */
const NAMED = 3

type About = { names: ReadonlySet<string>; tags: ReadonlySet<string>; paths: ReadonlySet<string> }
const NOTHING: About = { names: new Set(), tags: new Set(), paths: new Set() }

/** One English sentence that says what a change did: "Set Task.status of 37 items". */
export function changeSummary(
  { counts, about, withTags }: ChangeFacts,
  tell: (part: string) => string = (part) => part,
): string {
  const parts: string[] = []
  for (const [type, say] of SENTENCES) {
    const counted = counts[type]
    if (counted === undefined) continue
    const count = type === 'tag_applied' ? counted - withTags.count : counted
    if (count <= 0) continue
    const said = say(count, about.get(type) ?? NOTHING)
    parts.push(tell(type === 'item_created' && withTags.count ? `${said} with ${list(withTags.tags)}` : said))
  }
  const [first = 'Changed nothing', ...rest] = parts
  const all = [first, ...rest.map((part) => part.charAt(0).toLowerCase() + part.slice(1))]
  return all.length === 1 ? first : `${all.slice(0, -1).join(', ')} and ${all.at(-1)!}`
}

/** What a change would do, as a request: "Set Task.status of 37 items". */
export const proposedSummary = (facts: ChangeFacts): string =>
  changeSummary(facts, (part) => part.replace(/^\w+/, (verb) => REQUESTS[verb] ?? verb))

const REQUESTS: Readonly<Record<string, string>> = {
  Created: 'Create',
  Restored: 'Restore',
  Changed: 'Change',
  Brought: 'Bring',
  Applied: 'Apply',
  Deleted: 'Delete',
  Took: 'Take',
}

/** In the order in which they are listed. */
const SENTENCES = Object.entries<(count: number, about: About) => string>({
  tag_created: (count, { names }) => `Created ${tags(count, names)}`,
  tag_restored: (count, { names }) => `Restored ${tags(count, names)}`,
  tag_updated: (count, { names, paths }) =>
    paths.size ? `Changed ${list(paths)} of ${tags(count, names)}` : `Changed ${tags(count, names)}`,
  item_created: (count, { names }) => `Created ${items(count, names)}`,
  item_restored: (count, { names }) => `Restored ${items(count, names)}`,
  item_updated: (count, { names, paths }) => `Changed ${list(paths)} of ${items(count, names)}`,
  tag_values_updated: (count, { paths, tags: named }) =>
    paths.size
      ? `Set ${list(paths)} of ${items(count)}`
      : `Brought ${list(named)} of ${items(count)} up to date`,
  tag_applied: (count, { tags: named }) => `Applied ${list(named)} to ${items(count)}`,
  tag_deleted: (count, { names }) => `Deleted ${tags(count, names)}`,
  tag_removed: (count, { tags: named }) => `Took ${list(named)} off ${items(count)}`,
  item_deleted: (count, { names }) => `Deleted ${items(count, names)}`,
  tag_purged: (count, { names }) => `Purged ${tags(count, names)}`,
  item_purged: (count, { names }) => `Purged ${items(count, names)}`,
  audit_redacted: (count) => `Redacted what the log said of ${items(count)}`,
})

const items = (count: number, names?: ReadonlySet<string>) =>
  count === 1 ? (names?.size === 1 ? `item '${cut([...names][0]!)}'` : '1 item') : `${count} items`

const tags = (count: number, names: ReadonlySet<string>) =>
  names.size === count && count <= NAMED
    ? `${count === 1 ? 'tag' : 'tags'} ${[...names].map((name) => `'${cut(name)}'`).join(', ')}`
    : `${count} ${count === 1 ? 'tag' : 'tags'}`

function list(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, NAMED).map(cut)
  return names.size > NAMED ? `${shown.join(', ')} and more` : shown.join(', ') || 'values'
}

const cut = (name: string) => cutText(name, MAX_SHOWN_NAME)

/** What of a change says whether it is one with its neighbour. */
export interface Foldable {
  operation: string | null
  summary: string
  created_at: string
  user_id: string | null
  source: string
  client: { id: string | null } | null
  counts: Readonly<Record<string, number>>
  undone_by: string | null
}

/** What makes many items by calls that follow each other, as an import does. */
const IN_PARTS = new Set(['bulkCreate', 'upsertItems'])
/** Milliseconds between two calls of one import. */
const PAUSE = 60_000
/** So many can be taken back at once. */
const MOST = 40

/** Changes, newest first, with those together that are the parts of one import. */
export function foldChanges<T extends Foldable>(changes: readonly T[]): T[][] {
  const folded: T[][] = []
  for (const change of changes) {
    const last = folded.at(-1)
    if (last && last.length < MOST && areOne(last.at(-1)!, change)) last.push(change)
    else folded.push([change])
  }
  return folded
}

const areOne = (later: Foldable, earlier: Foldable): boolean =>
  IN_PARTS.has(later.operation ?? '') &&
  later.operation === earlier.operation &&
  later.user_id === earlier.user_id &&
  later.source === earlier.source &&
  later.client?.id === earlier.client?.id &&
  (later.undone_by === null) === (earlier.undone_by === null) &&
  tagsIn(later) === tagsIn(earlier) &&
  Date.parse(later.created_at) - Date.parse(earlier.created_at) <= PAUSE

/** `Deal` of `Created 1000 items with Deal`. */
const tagsIn = ({ summary }: Foldable): string | undefined =>
  /^Created .+? with ([^,]+?)(?:,| and |$)/.exec(summary)?.[1]

/** What they did together: `Created 20,000 items with Deal`. */
export function foldedWords(changes: readonly Foldable[]): string {
  const [first] = changes
  if (!first || changes.length === 1) return first?.summary ?? ''
  const sum = (type: string) => changes.reduce((all, { counts }) => all + (counts[type] ?? 0), 0)
  const [made, set] = [sum('item_created'), sum('tag_values_updated')]
  const tags = tagsIn(first)
  const created = made && `Created ${made.toLocaleString()} items${tags ? ` with ${tags}` : ''}`
  const changed = set && `${made ? 'set' : 'Set'} values of ${set.toLocaleString()} items`
  return [created, changed].filter(Boolean).join(' and ') || first.summary
}

import { type Foldable, foldedWords } from '#web/rules/fold-changes.ts'

/** Milliseconds after which the same is something new. */
const PAUSE = 60 * 60_000

interface Kind {
  of: RegExp
  /** What is alike, of the parts that the sentence has. */
  key: (parts: readonly string[]) => string
  say: (times: number, count: number, parts: readonly string[]) => string
}

const items = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'item' : 'items'}`

/** Sentences of the service of which several make one. */
const KINDS: readonly Kind[] = [
  {
    of: /^Set (.+) of \d+ items?$/,
    key: ([paths]) => `Set ${paths}`,
    // Of the same item perhaps: what is counted is how often.
    say: (times, _, [paths]) => `Set ${paths} ${times.toLocaleString()} times`,
  },
  {
    of: /^Created (?:item '.*'|\d+ items)( with .+)?$/s,
    key: ([tags]) => `Created${tags}`,
    say: (_, count, [tags]) => `Created ${items(count)}${tags}`,
  },
  {
    of: /^Deleted (?:item '.*'|\d+ items)$/s,
    key: () => 'Deleted',
    say: (_, count) => `Deleted ${items(count)}`,
  },
  {
    of: /^(Applied .+ to|Took .+ off) \d+ items?$/,
    key: ([what]) => what!,
    say: (_, count, [what]) => `${what} ${items(count)}`,
  },
  {
    of: /^(Changed (?:name|description)) of item '(.*)'$/s,
    key: ([what, name]) => `${what} ${name}`,
    say: (times, _, [what, name]) => `${what} of '${name}' ${times.toLocaleString()} times`,
  },
]

const COUNT = /^[^']* (\d+) items(?: with [^']*)?$/

const kindOf = ({ summary }: Foldable) => KINDS.find(({ of }) => of.test(summary))
const partsOf = ({ of }: Kind, { summary }: Foldable): string[] =>
  of
    .exec(summary)!
    .slice(1)
    .map((part) => part ?? '')
const countOf = ({ summary }: Foldable): number => Number(COUNT.exec(summary)?.[1] ?? 1)

/** Changes, newest first, as few sentences: what somebody did again and again stands once, where it was last done. */
export function digest<T extends Foldable>(changes: readonly T[]): T[][] {
  const lines: { key: string; changes: T[] }[] = []
  for (const change of changes) {
    const { user_id, source, client, undone_by } = change
    const kind = kindOf(change)
    const alike = kind ? kind.key(partsOf(kind, change)) : change.summary
    const key = JSON.stringify([user_id, source, client?.id, undone_by === null, alike])
    const line = lines.find((each) => each.key === key && isSoonAfter(each.changes.at(-1)!, change))
    if (line) line.changes.push(change)
    else lines.push({ key, changes: [change] })
  }
  return lines.map((line) => line.changes)
}

const isSoonAfter = (later: Foldable, earlier: Foldable) =>
  Date.parse(later.created_at) - Date.parse(earlier.created_at) <= PAUSE

/** `Set Task.status 12 times`. */
export function digestWords(changes: readonly Foldable[]): string {
  const [first] = changes
  const kind = first && kindOf(first)
  if (!first || changes.length === 1) return foldedWords(changes)
  if (!kind) return `${first.summary}, ${changes.length.toLocaleString()} times`
  const count = changes.reduce((sum, change) => sum + countOf(change), 0)
  return kind.say(changes.length, count, partsOf(kind, first))
}

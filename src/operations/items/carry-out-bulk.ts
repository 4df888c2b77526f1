import type { BulkAnswer } from '#src/operations/items/bulk-answer.ts'
import { type BulkWork, isLarge, type RecordedPart } from '#src/operations/items/bulk-plan.ts'
import type { SqlContext } from '#src/operations/operation.ts'
import { restsOnWhatIs, writeRecorded } from '#src/storage/changes/recorded-work.ts'

/** Items that are read and changed at once: memory stays bounded, and a statement serves many items. */
const CHUNK = 5000

/** What was worked out of a change before, and what has moved since. */
export interface PlannedParts {
  /** The items (row ids) of that moment, oldest first, of which each part has the next few. */
  items: readonly number[]
  parts: readonly RecordedPart[]
  /** What the parts write, in their order. */
  lines: Generator<string, void>
  /** Items whose parts do not hold any more. */
  moved: ReadonlySet<number>
}

/** Works on items (row ids, oldest first), with what has been worked out before: it comes to the same. @throws as `work` does */
export async function carryOutBulk(
  context: SqlContext,
  { items, answer }: { items: readonly number[]; answer: BulkAnswer },
  work: BulkWork,
  planned?: PlannedParts,
): Promise<void> {
  context.change.large = isLarge(items.length)
  let done = 0
  const workUpTo = async (end: number) => {
    for (; done < end; done = Math.min(done + CHUNK, end))
      await work.carryOut(context, items.slice(done, Math.min(done + CHUNK, end)))
  }
  if (planned) {
    let from = 0
    for (const part of planned.parts) {
      const of = planned.items.slice(from, (from += part.items))
      const start = firstFrom(items, of[0]!, done)
      if (!holds(items, start, of, planned.moved) || !(await restsOnWhatIs(context.db, part))) {
        for (let i = part.statements + part.events.length; i > 0; i--) planned.lines.next()
        continue
      }
      await workUpTo(start)
      await writeRecorded(context.db, context, part, planned.lines)
      answer.add(part)
      work.passed?.(part.items)
      done = start + part.items
    }
  }
  await workUpTo(items.length)
  work.finish?.()
}

/** Where the items from that one on begin. */
function firstFrom(items: readonly number[], item: number, from: number): number {
  let low = from
  for (let high = items.length; low < high;) {
    const middle = (low + high) >> 1
    if (items[middle]! < item) low = middle + 1
    else high = middle
  }
  return low
}

const holds = (
  items: readonly number[],
  start: number,
  of: readonly number[],
  moved: ReadonlySet<number>,
): boolean => of.every((item, i) => items[start + i] === item && !moved.has(item))

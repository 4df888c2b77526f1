import { badRequest, conflict, notFound, ServiceError } from '#src/domain/errors.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import { canonicalId, type Ulid } from '#src/domain/ulid.ts'
import { undoEvents, type Undone } from '#src/domain/undo/undo-events.ts'
import { comesToTheSame, undoWork, type UndoWork } from '#src/domain/undo/undo-work.ts'
import { copyWorld, type UndoWorld } from '#src/domain/undo/undo-world.ts'
import { changeQuery } from '#src/operations/schemas/change.ts'
import {
  backAsBefore,
  type Histories,
  isChosen,
  itemsMet,
  MAX_KNOWN,
  tookBackPart,
  whollyTakenBack,
} from '#src/operations/changes/taken-back.ts'
import type { Db } from '#src/sql/query.ts'
import { changesOf, readChange, type StoredChange } from '#src/storage/changes/changes.ts'
import { findChanges } from '#src/storage/changes/find-changes.ts'
import { historiesOf, undosAtItems } from '#src/storage/changes/part-undos.ts'
import { eventsOfChange } from '#src/storage/changes/past-events.ts'
import { readUndoWorld } from '#src/storage/changes/undo-world.ts'

const MAX_EVENTS = 100_000
/** Characters of what was and of what is: all of it is in memory at once. */
const MAX_TEXT = 128 * 2 ** 20
/** Changes of a filter that are read at once. */
const PAGE = 1000

/** What is to be undone; one of the two is given. */
export interface UndoInput {
  change_ids?: readonly string[] | undefined
  filter?: Parameters<typeof changeQuery>[1] | undefined
  /** Only what was done to these items. */
  only_item_ids?: readonly string[] | undefined
}

/** What undoing would change, before anything is written (decision 43). */
export interface UndoPlan extends Undone {
  work: UndoWork
  /** The changes that are taken back, at least in part; of a part that was chosen, those of which nothing is left. */
  undoes: Ulid[]
  /** Items and tags that the changes concern: while these stay as they are, so does the plan. */
  concerns: { items: Ulid[]; tags: boolean }
}

/** @throws NotFound for an unknown change, Conflict for one that is undone already, BadRequest for too many events */
export async function planUndo(db: Db, { change_ids, filter, only_item_ids }: UndoInput): Promise<UndoPlan> {
  if ((change_ids === undefined) === (filter === undefined))
    throw badRequest('Give exactly one of change_ids and filter', {
      suggestion: 'POST /api/changes/search (list_changes) shows the changes with their ids',
    })
  const only = only_item_ids && new Set(only_item_ids.map(canonicalId))
  if (change_ids) return planFor(db, await namedChanges(db, change_ids), only)
  const matching = await matchingChanges(db, filter!)
  const chosen = withoutUndone(matching)
  const plan = await planFor(db, chosen, only)
  // What was changed between a change and its undoing may be in force only with the two of them taken back as well, and
  // an undoing that left a conflict out has left something over.
  const ids = new Set(matching.map(({ change_id }) => change_id))
  const all = matching.filter(({ undone_by }) => undone_by === null || ids.has(undone_by))
  const whole = all.length > chosen.length ? await planIfItFits(db, all, only) : null
  if (!whole || whole.conflicts.length) return plan
  return !plan.conflicts.length && comesToTheSame(plan.work, whole.work) ? plan : whole
}

/** Null where it is more than one undo takes. */
async function planIfItFits(
  db: Db,
  changes: readonly StoredChange[],
  only?: ReadonlySet<Ulid>,
): Promise<UndoPlan | null> {
  try {
    return await planFor(db, changes, only)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'BadRequest') return null
    throw error
  }
}

const eventsIn = (changes: readonly StoredChange[]) => changes.reduce((sum, { events }) => sum + events, 0)

async function planFor(
  db: Db,
  changes: readonly StoredChange[],
  only?: ReadonlySet<Ulid>,
): Promise<UndoPlan> {
  const count = eventsIn(changes)
  if (count > MAX_EVENTS)
    throw badRequest(`These changes have ${count} events; one undo takes at most ${MAX_EVENTS}`, {
      suggestion: 'Undo the newest ones first, then the others',
    })
  const events: PastEvent[] = []
  const onText = withinText(changes.length)
  for (const change of changes.toReversed())
    for (const event of await eventsOfChange(db, change, onText)) events.push(event)
  const before = await readUndoWorld(db, events, onText)
  const chosen = only ? events.filter((event) => isChosen(event, only)) : events
  const first = planOf({ events, chosen, before, only, histories: new Map() })
  const looked = new Set([...itemsMet(first), ...first.left_at])
  if (!looked.size) return withoutNotes(first)
  const histories = await historiesOf(db, [...looked], MAX_KNOWN)
  // What the items were before tells of a part alone whether it left something.
  const plan = only && histories.size ? planOf({ events, chosen, before, only, histories }) : first
  const back = backAsBefore({ chosen, before, ...plan }, histories)
  const firsts = [...back.values()].map(([first]) => first!.event_id)
  const oldest = firsts.reduce((a, b) => (a < b ? a : b), '~')
  const undos = await undosAtItems(db, [...back.keys()], oldest)
  const done = new Set(
    undos.flatMap((undo) => {
      const own = back.get(undo.item_id)!
      return undo.change_id > own[0]!.event_id && tookBackPart(undo, before) ? own : []
    }),
  )
  if (!done.size) return withoutNotes(plan)
  const rest = chosen.filter((event) => !done.has(event))
  return withoutNotes(planOf({ events, chosen: rest, before, only, histories }))
}

/** It crosses to the writer. */
function withoutNotes(plan: PartPlan): UndoPlan {
  const { left_at: _, ...rest } = plan
  return rest
}

interface Planned {
  /** Oldest first. */
  events: readonly PastEvent[]
  /** Those of them that are to be taken back. */
  chosen: readonly PastEvent[]
  before: UndoWorld
  only: ReadonlySet<Ulid> | undefined
  histories: Histories
}

/** With the items at which a part leaves something of its changes, as far as can be told. */
interface PartPlan extends UndoPlan {
  left_at: ReadonlySet<Ulid>
}

function planOf({ events, chosen, before, only, histories }: Planned): PartPlan {
  const dead = new Set<Ulid>()
  const clashing = new Map<Ulid, string>()
  for (;;) {
    const after = copyWorld(before)
    const undone = undoEvents(chosen, after, dead, clashing)
    const lost = tagsThatDoNotCome(after, dead)
    const clashes = nameClashes(after)
    for (const [event_id, name] of clashes) clashing.set(event_id, name)
    if (!lost.length && !clashes.length) {
      const { conflicts, changes } = undone
      const part = only && whollyTakenBack({ events, only, conflicts, after, histories })
      const undoes = part ? changes.filter((id) => part.whole.has(id)) : changes
      const left_at = part?.left_at ?? new Set()
      return { ...undone, work: undoWork(before, after), undoes, concerns: concernsOf(events), left_at }
    }
    for (const tag_id of lost) dead.add(tag_id)
  }
}

/** Counts what is read. Its result throws BadRequest once that is too much. */
function withinText(changes: number): (length: number) => void {
  let left = MAX_TEXT
  return (length) => {
    left -= length
    if (left >= 0) return
    throw badRequest(
      `What is to be undone is longer than ${MAX_TEXT} characters, the most that one undo takes`,
      {
        suggestion:
          changes > 1
            ? 'Undo the newest changes first, then the others'
            : 'Set the items back one by one, to what their history says',
      },
    )
  }
}

function concernsOf(events: readonly PastEvent[]): UndoPlan['concerns'] {
  const items = new Set(events.flatMap(({ item_id }) => item_id ?? []))
  return { items: [...items], tags: events.some(({ item_id }) => item_id === null) }
}

/**
 * Names that two tags have in the end, by the event that was taken back last for one of them: on the way there names
 * may cross.
 */
export function nameClashes({ tags, named }: UndoWorld): [event_id: Ulid, name: string][] {
  const holders = Map.groupBy(
    [...tags.values()].filter(({ presence }) => presence === 'live'),
    ({ name }) => name,
  )
  return [...holders].flatMap(([name, held]) => {
    if (held.length === 1) return []
    // Oldest events are taken back last.
    const [last] = held.flatMap(({ tag_id }) => named.get(tag_id) ?? []).sort()
    return last === undefined ? [] : [[last, name]]
  })
}

/** Deleted tags that items would get back, because their own restoration was still to come and did not. */
export function tagsThatDoNotCome({ items, tags }: UndoWorld, dead: ReadonlySet<Ulid>): Ulid[] {
  const lost = new Set<Ulid>()
  for (const item of items.values())
    for (const tag_id of item.tags.keys())
      if (tags.get(tag_id)?.presence !== 'live' && !dead.has(tag_id)) lost.add(tag_id)
  return [...lost]
}

/** Newest first. */
async function namedChanges(db: Db, given: readonly string[]): Promise<StoredChange[]> {
  const wanted = new Set(given.map(canonicalId))
  const changes = await changesOf(db, [...wanted])
  const found = new Set(changes.map(({ change_id }) => change_id))
  for (const id of wanted)
    if (!found.has(id))
      throw notFound('Change', id, {
        suggestion: 'POST /api/changes/search (list_changes) shows the changes with their ids',
      })
  for (const { change_id, undone_by } of changes)
    // One that is undone by a change which is taken back as well is in force again when its turn comes.
    if (undone_by !== null && !found.has(undone_by))
      throw conflict(`The change '${change_id}' is undone already, by '${undone_by}'`, {
        suggestion: `Leave it out; to bring it back, undo '${undone_by}'`,
        details: { change_id, undone_by },
      })
  return changes
}

/** Newest first. */
async function matchingChanges(db: Db, filter: NonNullable<UndoInput['filter']>): Promise<StoredChange[]> {
  const query = await changeQuery(db, filter, { path: 'filter.' })
  const matching: StoredChange[] = []
  for (let before: Ulid | undefined; ;) {
    const rows = await findChanges(db, { ...query, before }, PAGE)
    matching.push(...rows.map(readChange))
    if (rows.length < PAGE) break
    if (matching.length > MAX_EVENTS) break
    before = rows.at(-1)!.change_id
  }
  return matching
}

/** Without those that are undone already, and without what undid only what is meant as well: mostly both are as before. */
function withoutUndone(matching: readonly StoredChange[]): StoredChange[] {
  const ids = new Set(matching.map(({ change_id }) => change_id))
  const chosen = new Set<Ulid>()
  return matching.filter(({ change_id, undoes, undone_by }) => {
    const stands = undone_by === null || chosen.has(undone_by)
    if (!stands || (undoes.length && undoes.every((id) => ids.has(id)))) return false
    chosen.add(change_id)
    return true
  })
}

import { valuesNow } from '#src/domain/past-rename.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import {
  type ProposedEvent,
  leftOfEvent,
  type MadeEntry,
  type MadeItem,
  type MadeTag,
  pastEvent,
  type StoredPart,
} from '#src/domain/proposals/proposed-part.ts'
import { needsOf, withNeeded } from '#src/domain/proposals/needs.ts'
import { conflictOf, type ProposalConflict } from '#src/domain/proposals/plan-conflicts.ts'
import { pathOf } from '#src/domain/undo/conflict-values.ts'
import { fits } from '#src/domain/renamed-entry.ts'
import { flattenFields } from '#src/domain/field-schema.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { underNamesOfNow } from '#src/domain/undo/undo-events.ts'
import { undoItemEvent } from '#src/domain/undo/undo-item-event.ts'
import type { Undoing } from '#src/domain/undo/undo-outcome.ts'
import { versionOf } from '#src/domain/undo/undo-rename.ts'
import { undoTagEvent } from '#src/domain/undo/undo-tag-event.ts'
import { type UndoWork, undoWork } from '#src/domain/undo/undo-work.ts'
import { copyWorld, laterRenames, type UndoWorld } from '#src/domain/undo/undo-world.ts'
import { nameClashes, tagsThatDoNotCome } from '#src/operations/changes/plan-undo.ts'
import { addRenames } from '#src/operations/proposals/keep-parts.ts'
import type { Db } from '#src/sql/query.ts'
import { changesOf } from '#src/storage/changes/changes.ts'
import { readUndoWorld } from '#src/storage/changes/undo-world.ts'
import type { ProposalRow } from '#src/storage/proposals/proposals.ts'

export interface ItemToMake extends MadeItem {
  item_id: Ulid
}
export interface TagToMake extends MadeTag {
  tag_id: Ulid
}

/** What acceptance would change, before anything is written. Plain data: it crosses to the writer. */
export interface AcceptancePlan {
  /** Of what there is. */
  work: UndoWork
  items: ItemToMake[]
  tags: TagToMake[]
  conflicts: ProposalConflict[]
  /** Positions of the parts that are done with it, and what is left of others. */
  accepted: number[]
  left: StoredPart[]
  /** While these stay as they are, so does the plan: items, or everything. */
  concerns: { items: Ulid[]; tags: boolean }
}

/** A part that an attempt could not carry out whole. */
interface Refused {
  conflicts: ProposalConflict[]
  /** By the id of its event: which of the fields, by their places; null: all of it. */
  events: Map<string, ReadonlySet<number> | null>
  /** What needs it cannot be carried out either. */
  blocks: boolean
}

/** What accepting these parts, and all that they go with, comes to on the base as it is. */
export async function planAcceptance(
  db: Db,
  row: Pick<ProposalRow, 'after_event' | 'change_ids'>,
  parts: readonly StoredPart[],
  chosen: readonly number[] = parts.map(({ position }) => position),
): Promise<AcceptancePlan> {
  const needs = needsOf(parts)
  const wanted = withNeeded(chosen, needs)
  return new Planning(
    await readWorld(
      db,
      row,
      parts.filter(({ position }) => wanted.has(position)),
    ),
    parts.filter(({ position }) => wanted.has(position)),
    needs,
    row.after_event,
  ).plan()
}

/** The base as far as the parts concern it, with the renames that it does not know yet. */
async function readWorld(
  db: Db,
  { after_event, change_ids }: Pick<ProposalRow, 'after_event' | 'change_ids'>,
  parts: readonly StoredPart[],
): Promise<UndoWorld> {
  const events = parts.flatMap((part) => part.events.map((event) => pastEvent(part, event)))
  const made = parts.flatMap((part): PastEvent[] =>
    (part.made_item?.tags ?? []).map(({ tag_id }) => ({
      ...pastEvent(part, {
        event_id: after_event,
        event_type: 'tag_applied',
        tag_id,
        details: {},
        state: null,
      }),
      item_id: null,
    })),
  )
  const world = await readUndoWorld(db, [...events, ...made], () => {})
  // What earlier acceptances of it renamed is part of it, and nothing that came after it.
  const own = await changesOf(db, JSON.parse(change_ids) as Ulid[])
  for (const [tag_id, renames] of world.renames)
    world.renames.set(
      tag_id,
      renames.filter(
        ({ event_id }) =>
          !own.some(({ change_id, last_event }) => change_id <= event_id && event_id <= last_event),
      ),
    )
  addRenames(world, events)
  return world
}

class Planning {
  private readonly before: UndoWorld
  private readonly parts: readonly StoredPart[]
  private readonly needs: ReadonlyMap<number, ReadonlySet<number>>
  private readonly after_event: string
  /** Parts that are left out, because something that they need is; with its name. */
  private readonly out = new Map<number, string>()
  private readonly dead = new Set<Ulid>()
  private readonly clashing = new Map<string, string>()

  constructor(
    before: UndoWorld,
    parts: readonly StoredPart[],
    needs: ReadonlyMap<number, ReadonlySet<number>>,
    after_event: string,
  ) {
    this.before = before
    this.parts = parts
    this.needs = needs
    this.after_event = after_event
  }

  plan(): AcceptancePlan {
    for (;;) {
      const world = this.worldToChange()
      const refused = new Map<number, Refused>()
      this.carryOut(world, refused)
      const items = this.itemsToMake(world, refused)
      if (!this.learns(world, refused)) return this.result(world, items, refused)
    }
  }

  /** With the tags that are to be made, as if they were there. */
  private worldToChange(): UndoWorld {
    const world = copyWorld(this.before)
    for (const { position, tag_id, made_tag } of this.parts) {
      if (!made_tag || this.out.has(position)) continue
      const clash = this.clashing.has(nameEvent(tag_id!))
      const { live, ...tag } = made_tag
      world.tags.set(tag_id!, {
        ...tag,
        id: -1,
        tag_id: tag_id!,
        presence: live && !clash ? 'live' : 'deleted',
        stored_fields: tag.fields,
        renamed: [],
      })
      world.edges.set(tag_id!, tag.extends)
      if (live) world.named.set(tag_id!, nameEvent(tag_id!))
    }
    return world
  }

  private carryOut(world: UndoWorld, refused: Map<number, Refused>): void {
    const undoing: Undoing = {
      world,
      dead: this.dead,
      clashing: this.clashing,
      initial: new Set(),
    }
    const events = this.parts
      .filter(({ position }) => !this.out.has(position))
      .flatMap((part) => part.events.map((event) => ({ part, event })))
      .sort((a, b) => (a.event.event_id > b.event.event_id ? -1 : 1))
    for (const { part, event } of events) {
      const past = pastEvent(part, event)
      const now = past.item_id === null ? past : underNamesOfNow(past, world)
      const outcome = past.item_id === null ? undoTagEvent(now, undoing) : undoItemEvent(now, undoing)
      const conflicts = outcome.refused.flatMap((each) => conflictOf(now, each, world) ?? [])
      if (conflicts.length) noteRefused(refused, part, event, conflicts, fieldsRefused(now, conflicts, world))
    }
    for (const { position, tag_id, made_tag } of this.parts) {
      if (!made_tag || this.out.has(position)) continue
      const fault = this.faultOfTag(tag_id!, made_tag, world)
      if (fault) refused.set(position, { conflicts: [fault], events: new Map(), blocks: true })
    }
  }

  private faultOfTag(
    tag_id: Ulid,
    { extends: bases }: MadeTag,
    { tags }: UndoWorld,
  ): ProposalConflict | null {
    const name = this.clashing.get(nameEvent(tag_id))
    if (name !== undefined)
      return conflictAt({ tag_id, path: 'name', reason: `Another tag is named '${name}' now` })
    return bases.some((base) => !tags.has(base))
      ? conflictAt({ tag_id, path: 'extends', reason: 'A tag that it extends has been purged' })
      : null
  }

  private itemsToMake(world: UndoWorld, refused: Map<number, Refused>): ItemToMake[] {
    return this.parts.flatMap(({ position, item_id, made_item }) => {
      if (!made_item || this.out.has(position)) return []
      const gone = made_item.live
        ? made_item.tags.filter(({ tag_id }) => world.tags.get(tag_id)?.presence !== 'live')
        : []
      if (gone.length) {
        const conflicts = gone.map(({ tag_id, tag_name }) =>
          conflictAt({
            item_id,
            tag_id,
            item_name: made_item.name,
            path: world.tags.get(tag_id)?.name ?? tag_name,
            reason: world.tags.has(tag_id) ? 'The tag is deleted' : 'The tag has been purged',
          }),
        )
        refused.set(position, { conflicts, events: new Map(), blocks: true })
        return []
      }
      const tags = made_item.tags.flatMap((entry) => entryNow(entry, world, this.after_event) ?? [])
      return { ...made_item, item_id: item_id!, tags }
    })
  }

  /** Whether something has to be left out that was tried. */
  private learns(world: UndoWorld, refused: ReadonlyMap<number, Refused>): boolean {
    const known = this.out.size + this.dead.size + this.clashing.size
    for (const tag_id of tagsThatDoNotCome(world, this.dead)) this.dead.add(tag_id)
    for (const [event_id, name] of nameClashes(world)) this.clashing.set(event_id, name)
    const names = new Map(this.parts.map(({ position, name }) => [position, name]))
    for (const { position } of this.parts) {
      if (this.out.has(position)) continue
      for (const needed of this.needs.get(position) ?? [])
        if (this.out.has(needed) || refused.get(needed)?.blocks) this.out.set(position, names.get(needed)!)
    }
    return this.out.size + this.dead.size + this.clashing.size > known
  }

  private result(
    world: UndoWorld,
    items: ItemToMake[],
    refused: ReadonlyMap<number, Refused>,
  ): AcceptancePlan {
    const conflicts: ProposalConflict[] = []
    const accepted: number[] = []
    const left: StoredPart[] = []
    for (const part of this.parts) {
      const needed = this.out.get(part.position)
      const refusal = refused.get(part.position)
      if (needed !== undefined) conflicts.push(leftOut(part, needed))
      else if (!refusal) accepted.push(part.position)
      else {
        conflicts.push(...refusal.conflicts)
        const rest = leftOf(part, refusal)
        if (rest) left.push(rest)
      }
    }
    const done = new Set(accepted)
    const tags = this.parts.flatMap(({ position, tag_id, made_tag }) =>
      made_tag && done.has(position) ? { ...made_tag, tag_id: tag_id! } : [],
    )
    return {
      work: undoWork(this.before, withoutNew(world, this.before)),
      items,
      tags,
      conflicts,
      accepted,
      left,
      concerns: this.concerns(),
    }
  }

  private concerns(): AcceptancePlan['concerns'] {
    const items = this.parts.flatMap(({ item_id, made_item }) => (made_item ? [] : (item_id ?? [])))
    return { items, tags: this.parts.some(({ tag_id }) => tag_id !== null) }
  }
}

/** What gives a tag that is to be made its name. */
const nameEvent = (tag_id: Ulid): string => `made ${tag_id}`

function noteRefused(
  refused: Map<number, Refused>,
  { position, item_id }: StoredPart,
  { event_id }: ProposedEvent,
  conflicts: ProposalConflict[],
  fields: ReadonlySet<number> | null,
): void {
  const known: Refused = refused.get(position) ?? { conflicts: [], events: new Map(), blocks: false }
  known.conflicts.push(...conflicts)
  known.events.set(event_id, fields)
  known.blocks ||=
    item_id === null && conflicts.some(({ path }) => path === null || path === 'fields' || path === 'extends')
  refused.set(position, known)
}

/** The fields of an event that conflicts are about, by their places; null: all of it. */
function fieldsRefused(
  event: PastEvent,
  conflicts: readonly ProposalConflict[],
  world: UndoWorld,
): ReadonlySet<number> | null {
  const fields = event.details.fields_changed
  if (!fields?.length) return null
  const paths = new Set(conflicts.map(({ path }) => path))
  const refused = fields.flatMap((field, i) => (paths.has(pathOf(event, field, world)) ? i : []))
  return refused.length ? new Set(refused) : null
}

/** What of a part was refused: it stays open. */
function leftOf(part: StoredPart, { events }: Refused): StoredPart | null {
  if (part.made_item ?? part.made_tag) return null
  return {
    ...part,
    events: part.events.flatMap((event) => {
      if (!events.has(event.event_id)) return []
      const fields = events.get(event.event_id)!
      return fields ? leftOfEvent(event, fields) : event
    }),
  }
}

export function conflictAt(
  given: Partial<ProposalConflict> & Pick<ProposalConflict, 'path' | 'reason'>,
): ProposalConflict {
  return {
    change_id: null,
    event_id: null,
    item_id: null,
    tag_id: null,
    item_name: null,
    suggestion: 'Accept the rest with on_conflict: "skip", or have it proposed again',
    present: null,
    restored: null,
    ...given,
  }
}

const leftOut = ({ item_id, tag_id, name }: StoredPart, needed: string): ProposalConflict =>
  conflictAt({
    item_id,
    tag_id,
    item_name: item_id === null ? null : name,
    path: null,
    reason: `It needs '${needed}' of this proposal, which conflicts itself`,
  })

/** A tag of an item that is to be made, under the names of now; null where the tag has gone and the item with it. */
function entryNow(entry: MadeEntry, world: UndoWorld, after_event: string): MadeEntry | null {
  const tag = world.tags.get(entry.tag_id)
  if (tag?.presence !== 'live') return null
  const values = valuesNow(entry.values, laterRenames(world, entry.tag_id, after_event))
  const version = tag.id < 0 ? tag.schema_version : versionOf(tag, tag.fields)
  const current = entry.current && fits(flattenFields(tag.fields), values)
  return { ...entry, values, schema_version: current ? version : Math.min(entry.schema_version, version) }
}

/** Only what there is in the base: the rest is made by itself. */
const withoutNew = (world: UndoWorld, { tags }: UndoWorld): UndoWorld => ({
  ...world,
  tags: new Map([...world.tags].filter(([tag_id]) => tags.has(tag_id))),
})

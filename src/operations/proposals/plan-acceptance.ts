import { valuesNow } from '#src/domain/past-rename.ts'
import type { PastEvent } from '#src/domain/past-event.ts'
import {
  actionOf,
  idOfPart,
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
import {
  danglingFields,
  type Gone,
  reasonOfGone,
  reasonOfMerge,
  withoutFields,
} from '#src/domain/proposals/referred-items.ts'
import { pathOf } from '#src/domain/undo/conflict-values.ts'
import { fits } from '#src/domain/renamed-entry.ts'
import { flattenFields } from '#src/domain/field-schema.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { underNamesOfNow } from '#src/domain/undo/undo-events.ts'
import { undoItemEvent } from '#src/domain/undo/undo-item-event.ts'
import type { Refusal, Undoing } from '#src/domain/undo/undo-outcome.ts'
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
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

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

/**
 * What accepting these parts, and all that they go with, comes to on the base as it is. `seen`: by whom it is looked
 * whether items that it refers to are there.
 */
export async function planAcceptance(
  db: Db,
  row: Pick<ProposalRow, 'after_event' | 'change_ids'>,
  parts: readonly StoredPart[],
  {
    chosen = parts.map(({ position }) => position),
    seen = db,
  }: { chosen?: readonly number[]; seen?: Db } = {},
): Promise<AcceptancePlan> {
  const needs = needsOf(parts)
  const wanted = withNeeded(chosen, needs)
  const planned = parts.filter(({ position }) => wanted.has(position))
  const world = await readWorld(db, row, planned)
  const gone = await goneItems(seen, planned)
  return new Planning(world, planned, { needs, after_event: row.after_event, gone }).plan()
}

/** Of the items that parts need to be there, and do not make or restore themselves, those that are not. */
async function goneItems(db: Db, parts: readonly StoredPart[]): Promise<ReadonlyMap<Ulid, Gone>> {
  const made = new Set(parts.flatMap(({ item_id, made_item }) => (made_item ? (item_id ?? []) : [])))
  const restored = new Set(parts.flatMap((part) => (actionOf(part) === 'restored' ? idOfPart(part) : [])))
  const needed = parts.flatMap(neededItems).filter((item_id) => !made.has(item_id))
  const targets = await findTargets(db, needed)
  return new Map(
    needed.flatMap((item_id) => {
      const state = targets.get(item_id)?.state ?? 'purged'
      const isThere = state === 'live' || (state === 'deleted' && restored.has(item_id))
      return isThere ? [] : [[item_id, state] as const]
    }),
  )
}

const neededItems = ({ refers = [], merged_into }: StoredPart): Ulid[] =>
  merged_into === undefined ? refers : [...refers, merged_into]

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
  private readonly gone: ReadonlyMap<Ulid, Gone>
  /** Parts that are left out, because something that they need is; with its name. */
  private readonly out = new Map<number, string>()
  private readonly dead = new Set<Ulid>()
  private readonly clashing = new Map<string, string>()

  constructor(
    before: UndoWorld,
    parts: readonly StoredPart[],
    {
      needs,
      after_event,
      gone,
    }: {
      needs: ReadonlyMap<number, ReadonlySet<number>>
      after_event: string
      gone: ReadonlyMap<Ulid, Gone>
    },
  ) {
    this.before = before
    this.parts = parts
    this.needs = needs
    this.after_event = after_event
    this.gone = gone
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
      const dangling = this.danglingOf(part, now, world)
      const refused_at = new Set(dangling.map(({ field }) => field))
      const rest = refused_at.size ? restOf(now, refused_at) : now
      const refusals = [...dangling.map(({ refusal }) => refusal), ...(rest ? refusalsOf(rest, undoing) : [])]
      const conflicts = refusals.flatMap((each) => conflictOf(now, each, world) ?? [])
      if (conflicts.length) noteRefused(refused, part, event, conflicts, fieldsRefused(now, conflicts, world))
    }
    for (const { position, tag_id, made_tag } of this.parts) {
      if (!made_tag || this.out.has(position)) continue
      const fault = this.faultOfTag(tag_id!, made_tag, world)
      if (fault) refused.set(position, { conflicts: [fault], events: new Map(), blocks: true })
    }
  }

  /** What an event cannot bring back, because the item that it would lead to, or make place for, is gone. */
  private danglingOf(
    { merged_into }: StoredPart,
    event: PastEvent,
    world: UndoWorld,
  ): { field: string | null; refusal: Refusal }[] {
    if (!this.gone.size || event.item_id === null) return []
    const { event_type, tag_id, details } = event
    const state = merged_into === undefined ? undefined : this.gone.get(merged_into)
    if (event_type === 'item_restored')
      return state ? [{ field: null, refusal: goneAt(null, reasonOfMerge(merged_into!, state)) }] : []
    if (event_type !== 'tag_removed' && event_type !== 'tag_values_updated') return []
    const tag = world.tags.get(tag_id!)?.name ?? details.tag_name ?? tag_id!
    return danglingFields(details.old_values ?? {}, details.new_values ?? {}, this.gone).map((each) => ({
      field: event_type === 'tag_removed' ? null : each.field,
      refusal: goneAt(`${tag}.${each.field}`, reasonOfGone(each.item_id, each.state)),
    }))
  }

  private faultOfTag(
    tag_id: Ulid,
    { extends: bases }: MadeTag,
    { tags }: UndoWorld,
  ): ProposalConflict | null {
    const deleted = bases.find((base) => this.before.tags.get(base)?.presence === 'deleted')
    const name = this.clashing.get(nameEvent(tag_id))
    if (name !== undefined)
      return conflictAt({ tag_id, path: 'name', reason: `Another tag is named '${name}' now` })
    if (bases.some((base) => !tags.has(base)))
      return conflictAt({ tag_id, path: 'extends', reason: 'A tag that it extends has been purged' })
    if (deleted === undefined) return null
    const reason = `The tag '${tags.get(deleted)!.name}', which it extends, is deleted`
    return conflictAt({ tag_id, path: 'extends', reason })
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
      const dangling = made_item.live ? this.danglingOfMade(item_id!, made_item, world) : []
      if (dangling.length) {
        refused.set(position, { conflicts: dangling, events: new Map(), blocks: true })
        return []
      }
      const tags = made_item.tags.flatMap((entry) => entryNow(entry, world, this.after_event) ?? [])
      return { ...made_item, item_id: item_id!, tags }
    })
  }

  private danglingOfMade(item_id: Ulid, { name, tags }: MadeItem, world: UndoWorld): ProposalConflict[] {
    if (!this.gone.size) return []
    return tags.flatMap(({ tag_id, tag_name, values }) =>
      danglingFields(values, {}, this.gone).map((each) =>
        conflictAt({
          item_id,
          tag_id,
          item_name: name,
          path: `${world.tags.get(tag_id)?.name ?? tag_name}.${each.field}`,
          reason: reasonOfGone(each.item_id, each.state),
          restored: values[each.field],
        }),
      ),
    )
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
    const items = this.parts.flatMap((part) => [
      ...(part.made_item || part.item_id === null ? [] : [part.item_id]),
      ...neededItems(part),
    ])
    return { items, tags: this.parts.some(({ tag_id }) => tag_id !== null) }
  }
}

const goneAt = (path: string | null, reason: string): Refusal => ({ path, reason, suggestion: '' })

/** Null where nothing of it is left: of an event that is not of several fields, null stands for all of it. */
function restOf(event: PastEvent, refused: ReadonlySet<string | null>): PastEvent | null {
  if (refused.has(null)) return null
  const rest = withoutFields(event, refused as ReadonlySet<string>)
  return rest.details.fields_changed!.length ? rest : null
}

const refusalsOf = (event: PastEvent, undoing: Undoing): readonly Refusal[] =>
  (event.item_id === null ? undoTagEvent(event, undoing) : undoItemEvent(event, undoing)).refused

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

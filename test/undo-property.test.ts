import { afterEach, describe, expect, it } from 'vitest'
import { Random } from '#bench/random.ts'
import { type Caller, NOBODY, type Source } from '#src/domain/caller.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { type Transactional, withinTransaction } from '#src/engine/transaction.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { planUndo } from '#src/operations/changes/plan-undo.ts'
import { writeUndo } from '#src/operations/changes/undo-steps.ts'
import { getItem } from '#src/operations/items/get-item.ts'
import type { SqlOperation, Step } from '#src/runtime/operation.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { runSql } from '#src/runtime/sql-runner.ts'
import { type Base, openBase } from '#test/support/base.ts'
import { type BaseState, baseState } from '#test/support/base-state.ts'
import { indexDisagreements } from '#test/support/index-disagreements.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'
import { type RandomCall, RandomChanges } from '#test/support/random-changes.ts'
import { runs } from '#test/support/runs.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'
import {
  isNotAsLeft,
  predictConflicts,
  predictRename,
  type Rename,
  underNewNames,
} from '#test/support/undo-model.ts'

// More on demand: UNDO_SEQUENCES=5000 UNDO_SEED=7 npx vitest run --project facet test/undo-property.test.ts
const SEQUENCES = TEST_ENGINE === 'sqlite' ? runs(40, 100, 'UNDO_SEQUENCES') : runs(5, 20, 'UNDO_SEQUENCES')
const SEED = Number(process.env.UNDO_SEED ?? 1)
/** Sequences in one base, each from where the one before ended. */
const IN_A_BASE = Math.min(10, SEQUENCES)
const TIMEOUT = 600_000

/** Several people, each through an interface of theirs. */
const CALLERS = (['rest', 'mcp', 'chat'] as Source[]).map((source, i): Caller => ({
  ...NOBODY,
  address: '127.0.0.1',
  source,
  user_id: `01JJXZ5T7GQ3M8K4B9R2C6D0A${i}`,
}))

interface Made {
  change_id: string
  call: RandomCall
  before: BaseState
  after: BaseState
}

type OpenBase = Base & {
  close(): void | Promise<void>
}

class Play {
  readonly base: OpenBase
  readonly random: Random
  now = Date.parse('2026-01-31T09:30:00.000Z')
  private readonly ids = ulidSource()

  constructor(base: OpenBase, random: Random) {
    this.base = base
    this.random = random
  }

  static async open(seed: number): Promise<Play> {
    const base = TEST_ENGINE === 'postgres' ? await openPostgresBase() : await openBase()
    return new Play(base, new Random(seed))
  }

  state = () => baseState(this.base.db)

  /** The id of the change; null where the call was refused or changed nothing. */
  async call(operation: SqlOperation | Step, input: object): Promise<string | null> {
    const db = this.base.db as Transactional
    this.now += 1 + this.random.below(3)
    const time = this.now
    const caller = this.random.pick(CALLERS)
    const context = { db, caller, now: new Date(time), time_zone: 'UTC', newId: () => this.ids(time) }
    try {
      const { meta } = await withinTransaction(db, db.dialect.begin.write, () =>
        runSql(operation, context, input as Record<string, unknown>),
      )
      return meta?.change_id ?? null
    } catch (error) {
      if (error instanceof ServiceError) return null
      throw error
    }
  }

  async undo(input: object): Promise<string | null> {
    // As after a plan that does not hold any more: it is made in the transaction.
    const read = JSON.stringify({ newest: 'none', plan: { concerns: { tags: true, items: [] } } })
    return this.call(writeUndo, { on_conflict: 'refuse', read, here: true, ...input })
  }

  async shown(item_id: string, as_of?: string): Promise<unknown> {
    try {
      return await this.base.run(getItem, { item_id, ...(as_of && { as_of }) })
    } catch (error) {
      if (error instanceof ServiceError) return error.code
      throw error
    }
  }
}

let play: Play
afterEach(() => play.base.close())

/** Items and tags that were not there have gone, and count as never made. */
function since(state: BaseState, start: BaseState): BaseState {
  const known = <T>(all: Record<string, T & { live: boolean }>, before: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(all).filter(([id, { live }]) => live || id in before))
  return { items: known(state.items, start.items), tags: known(state.tags, start.tags) }
}

/**
 * Which have found something once: a rename of a deleted tag's variants; values of a deleted item that are set back;
 * values that are set back and stood where a renamed one comes back; a rename whose undo was undone.
 */
const FINDS = [900_024, 900_004, 900_002, 900_026, 7_700_048]
const bases = Array.from({ length: Math.ceil(SEQUENCES / IN_A_BASE) }, (_, i) => SEED * 100_000 + i)

describe.each([...bases, ...FINDS])('with the seed %i', (seed) => {
  it(
    'undoing everything, and that, comes back to the first and to the last state',
    { timeout: TIMEOUT },
    async () => {
      play = await Play.open(seed)
      const changes = new RandomChanges(play.random, { purges: false })
      for (let sequence = 0; sequence < IN_A_BASE; sequence++) {
        play.now += 10
        const start = await play.state()
        const from = new Date(play.now).toISOString()
        const snapshots: { item_id: string; at: number; shown: unknown }[] = []
        const undoable: string[] = []
        for (let i = 0; i < 14; i++) {
          const state = await play.state()
          const { operation, input } = changes.next(state)
          const change_id = await play.call(operation, input)
          if (change_id) undoable.push(change_id)
          if (undoable.length && play.random.chance(0.15))
            await play.undo({ change_ids: [play.random.pick(undoable)] })
          for (const item_id of Object.keys(state.items).slice(-8))
            snapshots.push({ item_id, at: play.now, shown: await play.shown(item_id) })
        }
        const end = await play.state()
        for (const { item_id, at, shown } of snapshots)
          expect(await play.shown(item_id, new Date(at).toISOString()), `${item_id} as of ${at}`).toEqual(
            shown,
          )
        const where = `sequence ${sequence} of the seed ${seed}`
        const filter = { after_time: from }
        const { conflicts } = await planUndo(play.base.db, { filter })
        expect(conflicts, where).toEqual([])
        const undoing = await play.undo({ filter })
        expect(since(await play.state(), start), where).toEqual(start)
        if (undoing) {
          const { conflicts } = await planUndo(play.base.db, { change_ids: [undoing] })
          expect(conflicts, where).toEqual([])
          await play.undo({ change_ids: [undoing] })
        }
        expect(await play.state(), where).toEqual(end)
        if (play.base.db instanceof SqliteConnection)
          expect(indexDisagreements(play.base.db), where).toEqual([])
      }
    },
  )

  it('conflicts are those that a model predicts', { timeout: TIMEOUT }, async () => {
    play = await Play.open(seed + 50_000)
    const changes = new RandomChanges(play.random, { purges: true })
    for (let sequence = 0; sequence < IN_A_BASE; sequence++) {
      const made: Made[] = []
      for (let i = 0; i < 12; i++) {
        const before = await play.state()
        const call = changes.next(before)
        const change_id = await play.call(call.operation, call.input)
        if (change_id) made.push({ change_id, call, before, after: await play.state() })
      }
      const now = await play.state()
      for (const [i, each] of made.entries()) {
        if (!isAboutItemsOrFields(each.before, each.after)) continue
        const { conflicts } = await planUndo(play.base.db, { change_ids: [each.change_id] })
        const told = conflicts.map(({ item_id, tag_id, path }) => `${item_id ?? tag_id} ${path}`)
        const where = `${each.change_id} (${each.call.operation.name}), sequence ${sequence}, seed ${seed}`
        check({ ...each, now, told: [...new Set(told)].sort(), later: made.slice(i + 1) }, where)
      }
    }
  })
})

interface Planned extends Made {
  now: BaseState
  /** The conflicts that the service tells. */
  told: string[]
  later: readonly Made[]
}

/** Whether the conflicts of one change are those of the model. */
function check({ call, before, after, now, told, later }: Planned, where: string): void {
  const renames = later.flatMap((each) => renameOf(each.call) ?? [])
  const rename = renameOf(call)
  if (rename) {
    const own = renames.filter(({ tag_id }) => tag_id === rename.tag_id)
    const ofTag = told.filter((each) => each.startsWith(rename.tag_id))
    expect(ofTag, where).toEqual(predictRename(rename, { before, after, now }, own))
    return
  }
  const [was, left] = [before, after].map((state) => renames.reduce(underNewNames, state))
  const predicted = predictConflicts(was!, left!, now)
  if (!renames.length && !COMBINED.has(call.operation.name)) {
    expect(told, where).toEqual(predicted)
    return
  }
  // Of parts that changed the same thing each is told, under a name that may have moved on: nothing more, and no item less.
  expect(
    told.filter((each) => !isNotAsLeft(each, left!, now)),
    where,
  ).toEqual([])
  const subjects = (list: readonly string[]) => new Set(list.map((each) => each.split(' ')[0]!))
  expect([...subjects(predicted).difference(subjects(told))], where).toEqual([])
}

const COMBINED = new Set(['batch', 'runBatch', 'mergeItems'])

function renameOf({ input }: RandomCall): Rename | undefined {
  const { tag_id, rename_fields, rename_variants } = input as {
    tag_id?: string
    rename_fields?: Rename['fields']
    rename_variants?: Rename['variants']
  }
  if (!tag_id || !(rename_fields || rename_variants)) return undefined
  return { tag_id, fields: rename_fields ?? {}, variants: rename_variants ?? {} }
}

/** Tags that come or go take many things along; those the model does not know. */
const isAboutItemsOrFields = (before: BaseState, after: BaseState) =>
  Object.entries(after.tags).every(([id, { live }]) => before.tags[id]?.live === live)

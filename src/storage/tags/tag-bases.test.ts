import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '#src/domain/errors.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { getTag } from '#src/operations/tags/get-tag.ts'
import { restoreTag } from '#src/operations/tags/restore-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { extendingTags } from '#src/storage/tags/tag-bases.ts'
import { findTagById } from '#src/storage/tags/tags.ts'
import { openBase } from '#test/support/base.ts'

type Base = Awaited<ReturnType<typeof openBase>>

/** The relation as plain sets, and its closure by trying every path. */
class NaiveRelation {
  readonly bases: number[][]
  readonly deleted = new Set<number>()

  constructor(size: number) {
    this.bases = Array.from({ length: size }, () => [])
  }

  liveBases = (tag: number) => this.bases[tag]!.filter((base) => !this.deleted.has(base))

  reaches(from: number, to: number, path: readonly number[] = []): boolean {
    if (from === to) return true
    return this.liveBases(from).some(
      (base) => !path.includes(base) && this.reaches(base, to, [...path, base]),
    )
  }

  extending = (tag: number) =>
    this.bases.map((_, i) => i).filter((i) => !this.deleted.has(i) && this.reaches(i, tag))
}

const SIZE = 7
const tagIndex = fc.nat(SIZE - 1)
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('extend' as const),
      tag: tagIndex,
      bases: fc.uniqueArray(tagIndex, { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), tag: tagIndex }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), tag: tagIndex }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const codeOf = (error: unknown) => (error instanceof ServiceError ? error.code : error)

/** What the step must answer; the model changes with it. */
function expectedOf(model: NaiveRelation, given: Step): string {
  const { tag } = given
  const isDeleted = model.deleted.has(tag)
  if (given.kind === 'delete') {
    if (isDeleted) return 'NotFound'
    model.deleted.add(tag)
    return 'done'
  }
  if (given.kind === 'restore') {
    if (!isDeleted) return 'NotFound'
    model.deleted.delete(tag)
    if (!model.liveBases(tag).some((base) => model.reaches(base, tag))) return 'done'
    model.deleted.add(tag)
    return 'Conflict'
  }
  if (isDeleted) return 'NotFound'
  if (given.bases.some((base) => model.deleted.has(base) || model.reaches(base, tag))) return 'BadRequest'
  const same = JSON.stringify(model.liveBases(tag)) === JSON.stringify(given.bases)
  if (!same) model.bases[tag] = given.bases
  return 'done'
}

describe('the extension of tags', () => {
  let base: Base
  let names = 0
  const create = (extended: string[] = []) =>
    base.run(createTag, { name: `Tag ${++names}`, fields: {}, extends: extended })
  beforeAll(async () => {
    base = await openBase()
  })
  afterAll(() => base.close())

  it('stays what plain sets say through random changes', async () => {
    const take = async (ids: string[], given: Step) => {
      const tag_id = ids[given.tag]!
      if (given.kind === 'delete') await base.run(deleteTag, { tag_id })
      else if (given.kind === 'restore') await base.run(restoreTag, { tag_id })
      else await base.run(updateTag, { tag_id, extends: given.bases.map((each) => ids[each]!) })
      return 'done'
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const model = new NaiveRelation(SIZE)
        const tags = []
        for (let i = 0; i < SIZE; i++) tags.push(await create())
        const ids = tags.map(({ tag_id }) => tag_id)
        const rows: number[] = []
        for (const id of ids) rows.push((await findTagById(base.db, id))!.id)
        for (const given of steps) {
          expect(await take(ids, given).catch(codeOf)).toBe(expectedOf(model, given))
          for (let tag = 0; tag < SIZE; tag++) {
            if (model.deleted.has(tag)) continue
            expect(await extendingTags(base.db, rows[tag]!)).toEqual(model.extending(tag).map((i) => rows[i]))
            expect((await base.run(getTag, { tag_id: ids[tag]! })).extends).toEqual(
              model.liveBases(tag).map((i) => ids[i]),
            )
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('spans hundreds of levels', async () => {
    const chain = [await create()]
    for (let i = 0; i < 300; i++) chain.push(await create([chain.at(-1)!.name]))
    const top = (await findTagById(base.db, chain[0]!.tag_id))!
    expect(await extendingTags(base.db, top.id)).toHaveLength(301)
    const closing = base.run(updateTag, { tag_id: top.tag_id, extends: [chain.at(-1)!.tag_id] })
    await expect(closing).rejects.toMatchObject({ code: 'BadRequest' })
  })

  it('does not count a tag twice that is reached by many ways', async () => {
    let [left, right] = [await create(), await create()]
    const top = (await findTagById(base.db, left.tag_id))!
    for (let i = 0; i < 30; i++) {
      const above = [left.tag_id, right.tag_id]
      ;[left, right] = [await create(above), await create(above)]
    }
    const rows = await extendingTags(base.db, top.id)
    expect(rows).toHaveLength(61)
    expect(new Set(rows).size).toBe(61)
  })

  it('names the whole circle', async () => {
    const a = await create()
    const b = await create([a.tag_id])
    const c = await create([b.name])
    await expect(base.run(updateTag, { tag_id: a.tag_id, extends: [c.name] })).rejects.toMatchObject({
      details: {
        errors: [
          {
            path: 'extends',
            message: `a tag cannot extend itself, directly or through others: ${[a, c, b, a].map(({ name }) => name).join(' → ')}`,
          },
        ],
      },
    })
  })
})

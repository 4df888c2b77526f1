import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { extendingTags } from '#src/storage/tags/tag-bases.ts'
import { findTag, findTagById, findTagByName, findTagByRow, missingTag } from '#src/storage/tags/tags.ts'
import { openBase } from '#test/support/base.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'

let base: Awaited<ReturnType<typeof openBase>>
beforeEach(async () => {
  base = await openBase()
})
afterEach(() => base.close())
const create = (name: string, more: object = {}) =>
  base.run(createTag, { name, fields: { a: 'String' }, ...more })

describe('finding a tag', () => {
  it('goes by id in any case, by name in its own', async () => {
    const { tag_id } = await create('Task')
    for (const text of [tag_id, tag_id.toLowerCase(), 'Task'])
      expect((await findTag(base.db, text))?.tag_id).toBe(tag_id)
    expect(await findTag(base.db, 'task')).toBeUndefined()
    expect(await findTagById(base.db, 'Task')).toBeUndefined()
  })

  it('lets an id win over a tag that is named like one', async () => {
    const first = await create('First')
    const second = await create(first.tag_id)
    expect((await findTag(base.db, first.tag_id))!.name).toBe('First')
    expect((await findTagByName(base.db, first.tag_id))!.tag_id).toBe(second.tag_id)
    await base.run(deleteTag, { tag_id: first.tag_id })
    expect((await findTag(base.db, first.tag_id))!.tag_id).toBe(second.tag_id)
  })

  it('suggests what was meant', async () => {
    const { tag_id } = await create('Project')
    expect((await missingTag(base.db, 'Porject')).suggestion).toBe(`Did you mean 'Project', ${tag_id}?`)
    expect((await missingTag(base.db, 'Something else')).suggestion).toContain('List the tags')
  })
})

describe('what a connection remembers of tags', () => {
  it('goes with a change of its own', async () => {
    const tag = await create('Task')
    const below = await create('Bug', { extends: ['Task'] })
    const { id } = (await findTagByName(base.db, 'Task'))!
    expect(await extendingTags(base.db, id)).toHaveLength(2)
    await base.run(updateTag, { tag_id: tag.tag_id, name: 'Job', fields: { b: 'Date' } })
    expect(await findTagByName(base.db, 'Task')).toBeUndefined()
    expect([...(await findTagByName(base.db, 'Job'))!.schema.keys()]).toEqual(['b'])
    expect((await findTagById(base.db, below.tag_id))!.bases[0]!.name).toBe('Job')
    await base.run(deleteTag, { tag_id: below.tag_id })
    expect(await extendingTags(base.db, id)).toEqual([id])
    expect(await findTagByRow(base.db, id)).toMatchObject({ name: 'Job' })
  })

  it('goes with a rollback', async () => {
    const { tag_id } = await create('Task')
    base.db.exec('BEGIN IMMEDIATE')
    base.db.exec('SAVEPOINT call')
    const context = {
      db: base.db,
      caller: base.caller,
      now: new Date(),
      time_zone: 'UTC',
      newId: () => '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
      change: new OpenChange('getTag', () => ''),
    }
    await updateTag.run(context, { tag_id, name: 'Job', fields: { b: 'Date' } })
    expect(await findTagByName(base.db, 'Job')).toBeDefined()
    base.db.rollback('call')
    expect(await findTagByName(base.db, 'Job')).toBeUndefined()
    expect([...(await findTagByName(base.db, 'Task'))!.rows.keys()]).toEqual(['a'])
    base.db.rollback()
  })

  it('goes when another connection has changed the tag', async () => {
    const { tag_id } = await create('Task')
    const other = new SqliteConnection(join(base.folder, 'facet.db'), { readonly: true })
    try {
      other.refresh()
      expect(await findTagByName(other, 'Task')).toBeDefined()
      await base.run(updateTag, { tag_id, name: 'Job' })
      other.refresh()
      expect(await findTagByName(other, 'Task')).toBeUndefined()
      expect(await findTagByName(other, 'Job')).toBeDefined()
    } finally {
      other.close()
    }
  })
})

describe('the catalog for filters', () => {
  it('knows names, fields with their variants, and what extends what', async () => {
    const task = await create('Task', {
      fields: { s: { type: 'Select', variants: ['x', { name: 'y', fields: { d: 'Date' } }] } },
    })
    const bug = await create('Bug', { extends: [task.tag_id] })
    const catalog = tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' })
    const found = (await catalog.byName('Task'))!
    expect(found).toEqual(await catalog.byId(task.tag_id))
    expect([...found.fields.values()]).toEqual([
      { id: expect.any(Number), name: 's', type: 'Select', variants: ['x', 'y'] },
      {
        id: expect.any(Number),
        name: 'd',
        type: 'Date',
        variants: [],
        parents: [{ field: 's', variants: ['y'] }],
      },
    ])
    expect(await catalog.names()).toEqual(['Task', 'Bug'])
    expect(await catalog.extending(found)).toEqual([found.id, (await catalog.byId(bug.tag_id))!.id])
    expect(await catalog.byId('01JJXZ5T7GQ3M8K4B9R2C6D0EF')).toBeUndefined()
    expect(await catalog.itemRowIds(['01JJXZ5T7GQ3M8K4B9R2C6D0EF'])).toEqual(new Map())
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { ABSENT, newName, tagged } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

describe('deleting and restoring tags', () => {
  let service: Service
  let client: Client
  const create = (body: object = {}) =>
    client.ok('POST', '/api/tags', { name: newName('Tag'), fields: { a: 'String', b: 'Number' }, ...body })
  const item = async (...tags: object[]) =>
    (await client.ok('POST', '/api/items', { name: 'Item', tags })).item_id as string
  const found = async (filter: object) =>
    (await client.ok('POST', '/api/items/search', { filter })).map((each: { id: string }) => each.id)

  beforeAll(async () => {
    service = await startService()
    client = await service.user()
  })
  afterAll(() => service.close())

  it('answers the tag, then hides it', async () => {
    const tag = await create()
    const path = `/api/tags/${tag.tag_id}`
    expect(await client.ok('DELETE', path)).toEqual(tag)
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const)
      expect((await client.send(method, path, body)).status).toBe(404)
    expect(await client.ok('POST', '/api/tags/search', { filter: { name: tag.name } })).toEqual([])
    expect((await client.delete(`/api/tags/${ABSENT}`)).status).toBe(404)
  })

  it('frees its name', async () => {
    const tag = await create()
    await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
    const { tag_id } = await create({ name: tag.name })
    expect(tag_id).not.toBe(tag.tag_id)
  })

  it('makes it an unknown tag wherever one is named', async () => {
    const tag = await create()
    await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
    for (const ref of [tag.tag_id, tag.name]) {
      const create = await client.post('/api/items', { name: 'x', tags: [{ tag_ref: { Existing: ref } }] })
      expect(create.status).toBe(404)
      const search = await client.post('/api/items/search', { filter: { has_tag: ref } })
      expect(search).toMatchObject({ status: 400, body: { message: `Tag '${ref}' not found` } })
      const extending = await client.post('/api/tags', { name: 'E', fields: {}, extends: [ref] })
      expect(extending.status).toBe(400)
    }
  })

  it('takes it off all items, deleted ones too, each with its event', async () => {
    const [tag, other] = [await create(), await create()]
    const living = await item(tagged(tag, { a: 'x', b: null }), tagged(other, { a: 'kept' }))
    const deleted = await item(tagged(tag, { b: 5 }))
    const untouched = await item(tagged(other, { a: 'y' }))
    await client.ok('DELETE', `/api/items/${deleted}`)
    const before = await client.ok('GET', `/api/items/${living}`)
    await client.ok('DELETE', `/api/tags/${tag.tag_id}`)

    const after = await client.ok('GET', `/api/items/${living}`)
    expect(Object.keys(after.data)).toEqual([other.tag_id])
    expect(after.data[other.tag_id]).toEqual(before.data[other.tag_id])
    expect(after.updated_at).toBe(before.updated_at)
    const restored = await client.ok('POST', `/api/items/${deleted}/restore`)
    expect(restored.data).toEqual({})
    expect(await found({ [`${other.name}.a`]: { exists: true } })).toEqual([living, untouched])

    const events = await client.ok('POST', '/api/audit-log/search', { tag_ids: [tag.tag_id], limit: 100 })
    const removed = events.filter((event: { event_type: string }) => event.event_type === 'tag_removed')
    expect(removed.map((event: object) => ({ ...event }))).toMatchObject([
      {
        entity_type: 'item',
        item_id: deleted,
        tag_id: tag.tag_id,
        details: { tag_name: tag.name, old_values: { b: 5 } },
      },
      {
        entity_type: 'item',
        item_id: living,
        tag_id: tag.tag_id,
        details: { tag_name: tag.name, old_values: { a: 'x', b: null } },
      },
    ])
    expect(
      events.filter((event: { event_type: string }) => event.event_type === 'tag_deleted'),
    ).toMatchObject([{ entity_type: 'tag', item_id: null, details: { name: tag.name } }])
  })

  it('brings the tag back as it was, but not onto items', async () => {
    const tag = await create({ description: 'd' })
    const id = await item(tagged(tag, { a: 'x' }))
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { a: 'Date' } })
    const before = await client.ok('GET', `/api/tags/${tag.tag_id}`)
    await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
    expect(await client.ok('POST', `/api/tags/${tag.tag_id}/restore`)).toEqual(before)
    expect(await client.ok('GET', `/api/tags/${tag.tag_id}`)).toEqual(before)
    expect((await client.ok('GET', `/api/items/${id}`)).data).toEqual({})
    expect(await found({ has_tag: tag.name })).toEqual([])
    const [event] = await client.ok('POST', '/api/audit-log/search', { tag_ids: [tag.tag_id] })
    expect(event).toMatchObject({
      event_type: 'tag_restored',
      entity_type: 'tag',
      details: { name: tag.name },
    })

    await client.ok('POST', `/api/items/${id}/tags`, { tag: tagged(tag, { a: '2026-01-31' }) })
    expect(await found({ [`${tag.name}.a`]: '2026-01-31' })).toEqual([id])
  })

  it('restores only what is deleted', async () => {
    const tag = await create()
    for (const id of [tag.tag_id, ABSENT, 'x']) {
      const { status, body } = await client.post(`/api/tags/${id}/restore`)
      expect({ status, message: body.message }).toEqual({
        status: 404,
        message: `Deleted tag '${id}' not found`,
      })
    }
  })

  it('does not restore a tag whose name has been taken meanwhile', async () => {
    const tag = await create()
    await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
    const successor = await create({ name: tag.name })
    const refused = await client.post(`/api/tags/${tag.tag_id}/restore`)
    expect(refused).toMatchObject({ status: 409, body: { error: 'Conflict' } })
    await client.ok('PUT', `/api/tags/${successor.tag_id}`, { name: `${tag.name} II` })
    expect(await client.ok('POST', `/api/tags/${tag.tag_id}/restore`)).toEqual(tag)
  })

  it('lets one of many restores at once succeed', async () => {
    const tag = await create()
    await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.post(`/api/tags/${tag.tag_id}/restore`)),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404, 404, 404, 404, 404])
  })

  it('lists deleted tags, oldest first', async () => {
    const tags = [await create(), await create(), await create()]
    for (const tag of tags.toReversed()) await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
    const listed = await client.ok('GET', '/api/tags/deleted')
    expect(listed.slice(-3)).toEqual(tags.map((tag) => ({ ...tag, deleted_at: expect.any(String) })))
    await client.ok('POST', `/api/tags/${tags[1].tag_id}/restore`)
    const left = (await client.ok('GET', '/api/tags/deleted')).map((tag: { id: string }) => tag.id)
    expect(left).not.toContain(tags[1].tag_id)
    expect(left).toContain(tags[2].tag_id)
  })
})

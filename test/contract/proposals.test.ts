import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { withDatabase } from '#test/support/bare-database.ts'
import { ABSENT, fixtures, newName, ULID } from '#test/support/fixtures.ts'
import { registeredApp } from '#test/support/oauth-app.ts'
import { type Service, startService } from '#test/support/service.ts'
import { TokenClient } from '#test/support/token-client.ts'

let service: Service
let owner: Client
let reader: Client
let task: { tag_id: string; name: string }
const make = fixtures(() => owner)

beforeAll(async () => {
  service = await startService()
  owner = await service.user()
  const editor = await service.user()
  const { user_id } = await editor.ok('GET', '/api/auth/me')
  await owner.ok('PUT', `/api/users/${user_id}`, { role: 'reader' })
  reader = editor
  task = await owner.ok('POST', '/api/tags', {
    name: 'Task',
    fields: { a: 'Number', b: 'String', who: 'Reference' },
  })
})
afterAll(() => service.close())

type Proposal = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- asserted on, not typed

const set = (item_id: string, field_values: object) => ({
  operation: 'updateTagValues',
  input: { item_id, tag_id: task.tag_id, field_values, merge: true },
})
const create = (name: string, more: object = {}) => ({ operation: 'createItem', input: { name, ...more } })

async function propose(operations: object[], message?: string, by: Client = reader): Promise<Proposal> {
  const { status, body } = await by.post('/api/proposals', { operations, message })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const read = (id: string, query = '') => owner.ok('GET', `/api/proposals/${id}${query}`)
const accept = (id: string, body: object = {}) => owner.post(`/api/proposals/${id}/accept`, body)
async function accepted(id: string, body: object = {}): Promise<Proposal> {
  const answer = await accept(id, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const item = (id: string) => owner.ok('GET', `/api/items/${id}`)
const values = async (id: string) => (await item(id)).data[task.tag_id]?.field_values
const undo = (...change_ids: string[]) => owner.ok('POST', '/api/changes/undo', { change_ids })

describe('a proposal', () => {
  it('is made by a reader too, changes nothing, and says what it would do', async () => {
    const id = await make.createItem('One', task.tag_id, { a: 1 })
    const before = await item(id)
    const made = await propose([set(id, { a: 2, b: 'x' })], 'because')
    expect(made).toMatchObject({
      state: 'open',
      summary: 'Set Task.a, Task.b of 1 item',
      message: 'because',
      counts: { tag_values_updated: 1 },
      changed_count: 1,
      conflicts: [],
      decided_by: null,
      decided_at: null,
      reason: null,
      change_ids: [],
      made: {},
      changes: [
        {
          item_id: id,
          name: 'One',
          action: 'changed',
          changes: [
            { path: 'Task.a', old: 1, new: 2 },
            { path: 'Task.b', old: null, new: 'x' },
          ],
        },
      ],
    })
    expect(made.proposal_id).toMatch(ULID)
    expect(await item(id)).toEqual(before)
    expect(await read(made.proposal_id)).toEqual(made)
    const [newest] = await owner.ok('GET', '/api/proposals?state=open&limit=1')
    expect(newest).toMatchObject({ proposal_id: made.proposal_id, changed_count: 1 })
    expect(newest).not.toHaveProperty('changes')
  })

  it('is carried out as one change of the account that accepts it, which can be undone', async () => {
    const id = await make.createItem('One', task.tag_id, { a: 1 })
    const { proposal_id } = await propose([set(id, { a: 2 })])
    const answer = await accept(proposal_id)
    const change_id = answer.headers.get('x-change-id')
    const { user_id } = await owner.ok('GET', '/api/auth/me')
    expect(answer.body).toMatchObject({ state: 'accepted', change_ids: [change_id], decided_by: user_id })
    expect(answer.body.changes).toHaveLength(1)
    expect(await values(id)).toEqual({ a: 2 })
    const [change] = await owner.ok('POST', '/api/changes/search', { limit: 1 })
    expect(change).toMatchObject({
      change_id,
      operation: 'acceptProposal',
      user_id,
      proposed_by: { user_id: (await reader.ok('GET', '/api/auth/me')).user_id, client: { kind: 'session' } },
    })
    const events = await owner.ok('POST', '/api/audit-log/search', { change_id })
    expect(events.map((event: Proposal) => event.details.proposal_id)).toEqual([proposal_id])
    await undo(change_id!)
    expect(await values(id)).toEqual({ a: 1 })
    expect((await accept(proposal_id)).status).toBe(409)
  })

  it('makes what it has placeholders for, with all that it refers to', async () => {
    const tag = newName('Made')
    const { proposal_id, changes } = await propose([
      { operation: 'createTag', input: { name: tag, fields: { of: 'Reference' } }, as: 'tag' },
      { ...create('New project'), as: 'project' },
      create('New task', {
        tags: [{ tag_ref: { Existing: { $: 'tag' } }, field_values: { of: { $: 'project' } } }],
      }),
    ])
    expect(changes.map(({ name, action }: Proposal) => [name, action])).toEqual([
      [tag, 'created'],
      ['New project', 'created'],
      ['New task', 'created'],
    ])
    const [{ tag_id }, project, made_task] = changes
    expect((await owner.get(`/api/items/${project.item_id}`)).status).toBe(404)
    const { made } = await accepted(proposal_id)
    expect(new Set(Object.keys(made))).toEqual(new Set([tag_id, project.item_id, made_task.item_id]))
    const shown = await item(made[made_task.item_id])
    expect(shown.data[made[tag_id]]).toMatchObject({
      tag_name: tag,
      schema_version: 1,
      field_values: { of: made[project.item_id] },
    })
    expect(await make.search({ [`${tag}.of->name`]: { eq: 'New project' } })).toEqual(['New task'])
    const history = await owner.ok('GET', `/api/items/${made[made_task.item_id]}/history`)
    expect(history.map((each: Proposal) => each.event_type)).toEqual(['tag_applied', 'item_created'])
    const [{ change_id }] = history
    await undo(change_id)
    expect((await owner.get(`/api/items/${made[project.item_id]}`)).status).toBe(404)
    expect((await owner.get(`/api/tags/${made[tag_id]}`)).status).toBe(404)
  })

  it('is refused with a reason, withdrawn by its author alone, and decided once', async () => {
    const id = await make.newItem()
    const rename = { operation: 'updateItem', input: { item_id: id, name: 'Other' } }
    const refused = await propose([rename])
    const answer = await owner.ok('POST', `/api/proposals/${refused.proposal_id}/refuse`, { reason: 'no' })
    expect(answer).toMatchObject({ state: 'refused', reason: 'no', change_ids: [] })
    for (const what of ['accept', 'refuse', 'withdraw'])
      expect(
        (await (what === 'withdraw' ? reader : owner).post(`/api/proposals/${refused.proposal_id}/${what}`))
          .status,
      ).toBe(409)
    const other = await propose([rename])
    const path = `/api/proposals/${other.proposal_id}`
    expect((await owner.post(`${path}/withdraw`)).status).toBe(403)
    expect((await reader.post(`${path}/accept`)).status).toBe(403)
    expect((await reader.post(`${path}/refuse`)).status).toBe(403)
    expect(await reader.ok('POST', `${path}/withdraw`)).toMatchObject({ state: 'withdrawn' })
    expect((await owner.post(`/api/proposals/${ABSENT}/accept`)).status).toBe(404)
    const states = await owner.ok('GET', '/api/proposals?state=refused')
    expect(states.map((each: Proposal) => each.state)).not.toContain('open')
  })

  it('is not kept where it would change nothing, and must pass a dry run', async () => {
    const id = await make.createItem('Same', task.tag_id, { a: 1 })
    const same = await reader.post('/api/proposals', { operations: [set(id, { a: 1 })] })
    expect(same).toMatchObject({ status: 200, body: { proposal_id: null, changes: [] } })
    const input = { filter: { 'Task.a': { contains: 'x' } } }
    const never = await reader.post('/api/proposals', { operations: [{ operation: 'bulkDelete', input }] })
    expect(never).toMatchObject({ status: 200, body: { proposal_id: null } })
    expect(never.headers.get('x-filter-warnings')).toContain('operations[0]: ')
    const faulty = await reader.post('/api/proposals', { operations: [set(id, { a: 'x' })] })
    expect(faulty.status).toBe(400)
    expect(faulty.body.details.errors[0].path).toMatch(/^operations\[0\]\.input\./)
    for (const [operation, input] of [
      ['purgeDeleted', {}],
      ['undoChanges', { change_ids: [ABSENT] }],
      ['createView', {}],
    ] as const)
      expect((await owner.post('/api/proposals', { operations: [{ operation, input }] })).status).toBe(400)
    const tried = await reader.post('/api/proposals', {
      operations: [{ operation: 'createItem', input: { name: 'X', dry_run: true } }],
    })
    expect(tried).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/a proposal has none: leave it out$/) },
    })
  })

  it('shows its changes in pages', async () => {
    const { proposal_id } = await propose(['A', 'B', 'C'].map((name) => create(name)))
    const first = await owner.get(`/api/proposals/${proposal_id}?limit=2`)
    expect(first.body.changes.map((each: Proposal) => each.name)).toEqual(['A', 'B'])
    const next = first.headers.get('x-next-cursor')
    const second = await owner.get(`/api/proposals/${proposal_id}?limit=2&after=${next}`)
    expect(second.body.changes.map((each: Proposal) => each.name)).toEqual(['C'])
    expect(second.headers.get('x-next-cursor')).toBeNull()
    expect((await owner.get(`/api/proposals/${proposal_id}?after=x`)).status).toBe(400)
  })
})

describe('what has moved since', () => {
  it('is a conflict, and what is already as it is wanted is none', async () => {
    const [a, b, c] = await Promise.all(
      ['A', 'B', 'C'].map((name) => make.createItem(name, task.tag_id, { a: 1, b: 'old' })),
    )
    const { proposal_id } = await propose([a, b, c].map((id) => set(id!, { a: 2, b: 'new' })))
    await owner.ok('POST', '/api/batch', { operations: [set(a!, { a: 9 }), set(b!, { a: 2 })] })
    const { conflicts } = await read(proposal_id)
    expect(conflicts).toMatchObject([{ item_id: a, item_name: 'A', path: 'Task.a', present: 9, restored: 2 }])
    const refused = await accept(proposal_id)
    expect(refused.status).toBe(409)
    expect(refused.body.details.conflicts).toEqual(conflicts)
    expect(await values(c!)).toEqual({ a: 1, b: 'old' })
    const rest = await accepted(proposal_id, { on_conflict: 'skip' })
    expect(rest).toMatchObject({ state: 'open', conflicts: [{ path: 'Task.a' }] })
    expect(rest.changes).toEqual([
      { item_id: a, name: 'A', action: 'changed', changes: [{ path: 'Task.a', old: 1, new: 2 }] },
    ])
    expect(await values(a!)).toEqual({ a: 9, b: 'new' })
    expect(await values(b!)).toEqual({ a: 2, b: 'new' })
    await owner.ok('POST', '/api/batch', { operations: [set(a!, { a: 1 })] })
    expect(await accepted(proposal_id)).toMatchObject({ state: 'accepted' })
    expect(await values(a!)).toEqual({ a: 2, b: 'new' })
  })

  it('is a conflict too where a sub-field would have a value without its variant', async () => {
    const { tag_id, name } = await make.createTag({
      how: { type: 'Select', variants: [{ name: 'post', fields: { box: 'String' } }, 'mail', 'x'] },
      n: 'Number',
    })
    const tagged = (field_values: object) => make.createItem('Sent', tag_id, field_values)
    const update = (item_id: string, field_values: object) => ({
      operation: 'updateTagValues',
      input: { item_id, tag_id, field_values, merge: true },
    })
    const now = (id: string, field_values: object) =>
      owner.ok('PUT', `/api/items/${id}/tags/${tag_id}`, { field_values, merge: true })
    const [one, two] = [
      await tagged({ how: { variant: 'mail' } }),
      await tagged({ how: { variant: 'post' } }),
    ]
    const { proposal_id } = await propose([
      update(one, { how: { variant: 'post' }, box: '12', n: 5 }),
      update(two, { box: '13' }),
    ])
    await now(one, { how: { variant: 'x' } })
    await now(two, { how: { variant: 'mail' } })
    const { conflicts } = await read(proposal_id)
    expect(conflicts.map(({ item_id, path }: Proposal) => [item_id, path])).toEqual([
      [one, `${name}.how`],
      [one, `${name}.box`],
      [two, `${name}.box`],
    ])
    expect((await accept(proposal_id)).status).toBe(409)
    const rest = await accepted(proposal_id, { on_conflict: 'skip' })
    expect(rest.changes.map((each: Proposal) => each.changes.length)).toEqual([2, 1])
    expect((await item(one)).data[tag_id].field_values).toEqual({ how: { variant: 'x' }, n: 5 })
    await now(one, { how: { variant: 'mail' } })
    await now(two, { how: { variant: 'post' } })
    expect(await accepted(proposal_id)).toMatchObject({ state: 'accepted' })
    expect((await item(one)).data[tag_id].field_values).toEqual({ how: { variant: 'post' }, box: '12', n: 5 })
    expect((await item(two)).data[tag_id].field_values).toEqual({ how: { variant: 'post' }, box: '13' })
  })

  it('keeps back what needs something that conflicts', async () => {
    const tag = newName('Wanted')
    const x = await make.newItem()
    const { proposal_id } = await propose([
      { operation: 'createTag', input: { name: tag, fields: {} }, as: 'tag' },
      { operation: 'applyTag', input: { item_id: x, tag: { tag_ref: { Existing: { $: 'tag' } } } } },
      { operation: 'updateItem', input: { item_id: x, name: 'Renamed' } },
      { ...create('With it', { tags: [{ tag_ref: { Existing: { $: 'tag' } } }] }) },
      create('Without it'),
    ])
    const taken = await owner.ok('POST', '/api/tags', { name: tag, fields: {} })
    const { conflicts } = await read(proposal_id)
    expect(conflicts.map(({ path, reason }: Proposal) => [path, reason])).toEqual([
      ['name', `Another tag is named '${tag}' now`],
      [null, `It needs '${tag}' of this proposal, which conflicts itself`],
      [null, `It needs '${tag}' of this proposal, which conflicts itself`],
    ])
    const rest = await accepted(proposal_id, { on_conflict: 'skip' })
    expect(rest.changes).toHaveLength(3)
    expect(await make.search({ name: { in: ['With it', 'Without it'] } })).toEqual(['Without it'])
    await owner.ok('PUT', `/api/tags/${taken.tag_id}`, { name: newName('Moved') })
    const whole = await accepted(proposal_id)
    expect(whole).toMatchObject({ state: 'accepted', conflicts: [] })
    expect(whole.change_ids).toHaveLength(2)
    expect((await item(x)).name).toBe('Renamed')
  })

  it('can be a purge, or a deletion', async () => {
    const [gone, deleted] = [
      await make.createItem('Gone', task.tag_id, { a: 1 }),
      await make.createItem('Deleted', task.tag_id, { a: 1 }),
    ]
    const { proposal_id } = await propose([set(gone, { a: 2 }), set(deleted, { a: 2 })])
    await owner.ok('DELETE', `/api/items/${gone}`)
    await owner.ok('DELETE', `/api/items/${deleted}`)
    await owner.ok('POST', '/api/items/purge', { item_ids: [gone] })
    const { conflicts } = await read(proposal_id)
    expect(conflicts.map((each: Proposal) => each.item_id).sort()).toEqual([gone, deleted].sort())
  })
})

describe('what a proposal refers to', () => {
  const at = (name: string, field_values: object = {}) => make.createItem(name, task.tag_id, field_values)
  const remove = (id: string) => owner.ok('DELETE', `/api/items/${id}`)
  const purge = async (id: string) => {
    await remove(id)
    await owner.ok('POST', '/api/items/purge', { item_ids: [id] })
  }
  const tagged = (field_values: object) => ({
    tags: [{ tag_ref: { Existing: task.tag_id }, field_values }],
  })
  /** Nothing is changed by who takes all or nothing. */
  const told = async (proposal_id: string): Promise<[string | null, string | null, string][]> => {
    const { conflicts } = await read(proposal_id)
    const newest = () => owner.ok('POST', '/api/audit-log/search', { limit: 1 })
    const before = await newest()
    const { status, body } = await accept(proposal_id)
    expect([status, body.details?.conflicts]).toEqual([409, conflicts])
    expect(await newest()).toEqual(before)
    return conflicts.map((each: Proposal) => [each.item_name, each.path, each.reason])
  }

  it('must be there still: what would refer to an item that was deleted or purged since is a conflict', async () => {
    const [one, two, gone, away] = await Promise.all(['One', 'Two', 'Gone', 'Away'].map((name) => at(name)))
    const { proposal_id } = await propose([
      set(one!, { a: 5, who: gone }),
      set(two!, { who: away }),
      create('Made', tagged({ who: gone })),
      { ...create('Led to'), as: 'target' },
      create('Refers to what is made', tagged({ who: { $: 'target' } })),
    ])
    expect((await read(proposal_id)).conflicts).toEqual([])
    await purge(gone!)
    await remove(away!)
    const reason = (id: string, state: string) =>
      `The item '${id}', to which it would refer, has been ${state}`
    const byName = (await told(proposal_id)).toSorted(([a], [b]) => (a! < b! ? -1 : 1))
    expect(byName).toEqual([
      ['Made', 'Task.who', reason(gone!, 'purged')],
      ['One', 'Task.who', reason(gone!, 'purged')],
      ['Two', 'Task.who', reason(away!, 'deleted')],
    ])
    const rest = await accepted(proposal_id, { on_conflict: 'skip' })
    expect(rest).toMatchObject({ state: 'open' })
    expect(rest.changes.map((each: Proposal) => each.name).sort()).toEqual(['Made', 'One', 'Two'])
    expect([await values(one!), await values(two!)]).toEqual([{ a: 5 }, {}])
    const names = ['Made', 'Led to', 'Refers to what is made']
    expect((await make.search({ name: { in: names } })).sort()).toEqual(names.slice(1).sort())
    await owner.ok('POST', `/api/items/${away}/restore`)
    const { changes } = await accepted(proposal_id, { on_conflict: 'skip' })
    expect(changes.map((each: Proposal) => each.name).sort()).toEqual(['Made', 'One'])
    expect(await values(two!)).toEqual({ who: away })
  })

  it('may dangle where it did so, or where the proposal itself takes it away or brings it back', async () => {
    const [one, two, three, there, before, back] = await Promise.all(
      ['One', 'Two', 'Three', 'There', 'Before', 'Back'].map((name) => at(name)),
    )
    await owner.ok('POST', '/api/batch', { operations: [set(two!, { who: before })] })
    await remove(before!)
    await remove(back!)
    const { proposal_id } = await propose([
      set(one!, { who: there }),
      { operation: 'deleteItem', input: { item_id: there } },
      // Takes over a reference that dangles.
      { operation: 'mergeItems', input: { item_id: await at('Keeps'), from: [two] } },
      { operation: 'restoreItem', input: { item_id: back } },
      set(three!, { who: back }),
    ])
    await make.newItem()
    expect((await read(proposal_id)).conflicts).toEqual([])
    await accepted(proposal_id)
    expect([await values(one!), await values(three!)]).toEqual([{ who: there }, { who: back }])
  })

  it('is kept where it would be merged into an item that is gone', async () => {
    const merge = (item_id: string, from: string) => ({
      operation: 'mergeItems',
      input: { item_id, from: [from] },
    })
    const reason = (id: string, state: string) =>
      `The item '${id}', into which it would be merged, has been ${state}`
    const [kept, goes] = [await at('Kept', { a: 1 }), await at('Goes', { a: 2 })]
    const refers = await at('Refers', { who: goes })
    const { proposal_id } = await propose([merge(kept, goes)])
    await purge(kept)
    const conflicts = await told(proposal_id)
    expect(conflicts).toContainEqual(['Goes', null, reason(kept, 'purged')])
    const places = new Set(conflicts.map(([name, path]) => `${name} ${path}`))
    expect(places).toEqual(new Set(['Goes null', 'Refers Task.who']))
    const left = await accepted(proposal_id, { on_conflict: 'skip' })
    expect([left.state, left.changes.length, left.change_ids]).toEqual(['open', 2, []])
    expect([(await item(goes)).name, await values(refers)]).toEqual(['Goes', { who: goes }])

    // Merged by somebody else: into another item, of which nothing here knows.
    const [first, second, other] = [await at('First'), await at('Second'), await at('Other')]
    const alone = await propose([merge(first, second)])
    const reference = await propose([set(other, { who: first })])
    await owner.ok('POST', `/api/items/${other}/merge`, { from: [first] })
    expect(await told(alone.proposal_id)).toEqual([['Second', null, reason(first, 'deleted')]])
    expect(await told(reference.proposal_id)).toMatchObject([['Other', 'Task.who', expect.any(String)]])
    // What goes has gone: that is as it is wanted.
    const again = await propose([merge(other, second)])
    await remove(second)
    expect((await read(again.proposal_id)).conflicts).toEqual([])
  })

  it('counts with the tag that a new tag extends', async () => {
    const base = await make.createTag({})
    const name = newName('Extending')
    const input = { name, fields: {}, extends: [base.tag_id] }
    const { proposal_id } = await propose([{ operation: 'createTag', input }])
    await owner.ok('DELETE', `/api/tags/${base.tag_id}`)
    expect(await told(proposal_id)).toEqual([
      [null, 'extends', `The tag '${base.name}', which it extends, is deleted`],
    ])
  })

  it('is to a key that sees a part as if it had been purged, once it is not seen', async () => {
    const tag = await make.createTag({ n: 'Number', to: 'Reference' })
    const limit = { tag_ids: [tag.tag_id], filter: { [`${tag.name}.n`]: { lt: 10 } } }
    const { key } = await owner.ok('POST', '/api/keys', { name: newName('part'), scope: 'propose', limit })
    const agent = new TokenClient(service.url, key)
    const [from, to] = [
      await make.createItem('From', tag.tag_id, { n: 1 }),
      await make.createItem('To', tag.tag_id, { n: 1 }),
    ]
    const path = `/api/items/${from}/tags/${tag.tag_id}`
    const { proposal_id } = (await agent.put(path, { field_values: { n: 1, to } })).body
    const conflicts = async () => (await agent.get(`/api/proposals/${proposal_id}`)).body.conflicts
    expect(await conflicts()).toEqual([])
    await owner.ok('PUT', `/api/items/${to}/tags/${tag.tag_id}`, { field_values: { n: 99 } })
    const hidden = await conflicts()
    expect(hidden).toMatchObject([
      { item_id: from, path: `${tag.name}.to`, reason: expect.stringMatching(/has been purged$/) },
    ])
    expect((await read(proposal_id)).conflicts).toEqual([])
    await remove(to)
    expect(await conflicts()).toEqual(hidden)
    expect((await read(proposal_id)).conflicts).toMatchObject([{ reason: expect.stringMatching(/deleted$/) }])
  })
})

describe('some of a proposal', () => {
  it('is accepted with what it needs of it; the rest stays open', async () => {
    const tag = newName('Part')
    const [x, y] = [await make.newItem({ name: 'X' }), await make.newItem({ name: 'Y' })]
    const apply = (item_id: string) => ({
      operation: 'applyTag',
      input: {
        item_id,
        tag: { tag_ref: { Existing: { $: 'tag' } }, field_values: { to: { $: 'target' } } },
      },
    })
    const { proposal_id, changes } = await propose([
      { operation: 'createTag', input: { name: tag, fields: { to: 'Reference' } }, as: 'tag' },
      { ...create('Target'), as: 'target' },
      apply(x),
      apply(y),
      create('Another'),
    ])
    const rest = await accepted(proposal_id, { item_ids: [x] })
    expect(rest).toMatchObject({ state: 'open', decided_by: null })
    expect(rest.changes.map((each: Proposal) => each.name)).toEqual(['Y', 'Another'])
    const placeholder = changes.find((each: Proposal) => each.name === 'Target').item_id
    const target = rest.made[placeholder]
    expect(Object.values((await item(x)).data)).toMatchObject([{ field_values: { to: target } }])
    expect((await accept(proposal_id, { item_ids: [x] })).status).toBe(400)
    await accepted(proposal_id, { item_ids: [y] })
    expect(Object.values((await item(y)).data)).toMatchObject([{ field_values: { to: target } }])
    const whole = await accepted(proposal_id)
    expect(whole).toMatchObject({ state: 'accepted' })
    expect(whole.change_ids).toHaveLength(3)
    expect(await make.search({ name: { eq: 'Target' } })).toEqual(['Target'])
  })

  it('brings the schema that its values are of', async () => {
    const tag = await make.createTag({ a: 'Number' })
    const [x, y] = [
      await make.createItem('SX', tag.tag_id, { a: 1 }),
      await make.createItem('SY', tag.tag_id, { a: 1 }),
    ]
    const values_of = (item_id: string) => ({
      operation: 'updateTagValues',
      input: { item_id, tag_id: tag.tag_id, field_values: { b: 'new' }, merge: true },
    })
    const { proposal_id } = await propose([
      {
        operation: 'updateTag',
        input: { tag_id: tag.tag_id, fields: { a: 'Number', b: 'String' } },
      },
      values_of(x),
      values_of(y),
    ])
    const rest = await accepted(proposal_id, { item_ids: [x] })
    expect(rest.changes.map((each: Proposal) => each.name)).toEqual(['SY'])
    expect(await make.entry(x, tag.tag_id)).toMatchObject({
      schema_version: 2,
      field_values: { a: 1, b: 'new' },
    })
    await accepted(proposal_id)
    expect(await make.valuesOf(y, tag.tag_id)).toEqual({ a: 1, b: 'new' })
  })
})

describe('who decides', () => {
  it('is never the key that proposed', async () => {
    const { key } = await owner.ok('POST', '/api/keys', { name: 'agent', scope: 'write' })
    const agent = new TokenClient(service.url, key)
    const id = await make.newItem()
    const rename = (name: string) => ({ operation: 'updateItem', input: { item_id: id, name } })
    const { proposal_id } = await propose([rename('By agent')], undefined, agent)
    expect((await agent.post(`/api/proposals/${proposal_id}/accept`)).status).toBe(403)
    expect((await agent.post(`/api/proposals/${proposal_id}/refuse`)).status).toBe(403)
    const other = await propose([rename('By reader')])
    expect((await agent.post(`/api/proposals/${other.proposal_id}/accept`)).status).toBe(200)
    const { key: second } = await owner.ok('POST', '/api/keys', { name: 'second', scope: 'write' })
    expect(
      (await new TokenClient(service.url, second).post(`/api/proposals/${proposal_id}/withdraw`)).status,
    ).toBe(403)
    expect((await agent.post(`/api/proposals/${proposal_id}/withdraw`)).body.state).toBe('withdrawn')
  })

  it('is never the app that proposed, also let in again with more', async () => {
    const app = await registeredApp(service.url)
    const client = async (scope: string) =>
      new TokenClient(service.url, (await app.tokens(owner, { scope })).access_token)
    const agent = await client('propose')
    const { status, body } = await agent.post('/api/items', { name: newName('By an app') })
    expect(status).toBe(202)
    expect((await agent.post(`/api/proposals/${body.proposal_id}/accept`)).status).toBe(403)
    const again = await client('write')
    for (const what of ['accept', 'refuse'])
      expect((await again.post(`/api/proposals/${body.proposal_id}/${what}`)).status).toBe(403)
    expect((await accepted(body.proposal_id)).state).toBe('accepted')
  })

  it('is never a program whose access was ended before it was let in again', async () => {
    const [app, another] = [await registeredApp(service.url), await registeredApp(service.url)]
    const client = async (scope: string, of = app) =>
      new TokenClient(service.url, (await of.tokens(owner, { scope })).access_token)
    const agent = await client('propose')
    const proposed = async (): Promise<string> =>
      (await agent.post('/api/items', { name: newName('By an app') })).body.proposal_id
    const [known, older] = [await proposed(), await proposed()]
    const { client: by } = await read(known)
    expect(by).toEqual({ kind: 'app', id: expect.stringMatching(ULID), name: expect.any(String) })
    // As one that was made before proposals kept of which program they are.
    await withDatabase(service.database_url, (db) =>
      db
        .updateTable('proposal')
        .set({ client: JSON.stringify(by) })
        .where('proposal_id', '=', older)
        .execute(),
    )
    const other = await client('write', another)
    await owner.ok('DELETE', `/api/auth/apps/${by.id}`)
    const again = await client('write')
    for (const proposal_id of [known, older])
      for (const what of ['accept', 'refuse'])
        expect([what, (await again.post(`/api/proposals/${proposal_id}/${what}`)).status]).toEqual([
          what,
          403,
        ])
    // Of which program the older one is nobody knows any more: a person decides.
    expect((await other.post(`/api/proposals/${older}/accept`)).status).toBe(403)
    const { body } = await other.post(`/api/proposals/${known}/accept`)
    expect(body).toMatchObject({ state: 'accepted', client: by })
    const [change] = await owner.ok('POST', '/api/changes/search', { limit: 1 })
    expect(change).toMatchObject({ change_id: body.change_ids[0] })
    expect(change.proposed_by.client).toEqual(by)
    expect((await accepted(older)).state).toBe('accepted')
  })

  it('decides on what it finds while the same items are changed: all of it, or nothing and 409', async () => {
    const ids = await Promise.all(
      ['A', 'B', 'C', 'D'].map((name) => make.createItem(name, task.tag_id, { a: 1 })),
    )
    for (let i = 0; i < 5; i++) {
      const wanted = 10 + i
      const { proposal_id } = await propose(ids.map((id) => set(id, { a: wanted })))
      const change = (id: string) =>
        owner.send('PUT', `/api/items/${id}/tags/${task.tag_id}`, {
          field_values: { a: -wanted },
          merge: true,
        })
      const [first, decided, ...rest] = await Promise.all([
        i % 2 ? change(ids[1]!) : item(ids[1]!),
        accept(proposal_id),
        change(ids[2]!),
        change(ids[3]!),
      ])
      expect([first, ...rest].every(({ status = 200 }) => status === 200)).toBe(true)
      const now = await Promise.all(ids.map(async (id) => (await values(id)).a as number))
      if (decided.status === 200) expect(now.every((a) => a === wanted || a === -wanted)).toBe(true)
      else {
        expect(decided).toMatchObject({ status: 409, body: { details: { conflicts: expect.any(Array) } } })
        expect(now).not.toContain(wanted)
        await reader.ok('POST', `/api/proposals/${proposal_id}/withdraw`)
      }
    }
  })

  it('decides once, also two at once', async () => {
    const id = await make.createItem('Two', task.tag_id, { a: 1 })
    const { proposal_id } = await propose([set(id, { a: 2 }), create(newName('Once'))])
    const editor = await service.user()
    const answers = await Promise.all(
      (['accept', 'refuse'] as const).flatMap((what) =>
        [owner, editor].map((by) => by.post(`/api/proposals/${proposal_id}/${what}`)),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
    const isAccepted = (await read(proposal_id)).state === 'accepted'
    expect(answers.findIndex(({ status }) => status === 200) < 2).toBe(isAccepted)
    expect((await values(id)).a).toBe(isAccepted ? 2 : 1)
  })
})

describe('who may only propose', () => {
  const proposer = async (by: Client = owner): Promise<TokenClient> =>
    new TokenClient(
      service.url,
      (await by.ok('POST', '/api/keys', { name: newName('agent'), scope: 'propose' })).key,
    )

  it('has each change of the base kept, and reads and tries out as ever', async () => {
    const agent = await proposer()
    const id = await make.createItem('Kept', task.tag_id, { a: 1 })
    const before = await item(id)
    const answers = [
      await agent.put(`/api/items/${id}`, { name: 'Renamed' }),
      await agent.delete(`/api/items/${id}`),
      await agent.post('/api/items', { name: 'New' }),
      await agent.post('/api/items/bulk-update-fields', {
        filter: { 'Task.a': { eq: 1 } },
        tag_id: 'Task',
        field_values: { b: 'all' },
        merge: true,
      }),
      await agent.post('/api/batch', { operations: [set(id, { a: 5 })] }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    expect(await item(id)).toEqual(before)
    const [renamed] = answers
    expect(renamed!.body).toEqual({
      proposal_id: expect.stringMatching(ULID),
      summary: "Change name of item 'Kept'",
      changed_count: 1,
      sample: [
        {
          item_id: id,
          name: 'Kept',
          action: 'changed',
          changes: [{ path: 'name', old: 'Kept', new: 'Renamed' }],
        },
      ],
    })
    expect(answers[1]!.body.sample[0]).toMatchObject({
      action: 'deleted',
      changes: [{ path: 'name', old: 'Kept', new: null }],
    })
    const tried = await agent.post('/api/batch', { operations: [set(id, { a: 5 })], dry_run: true })
    expect(tried).toMatchObject({ status: 200, body: { dry_run: true } })
    expect((await agent.get(`/api/items/${id}`)).body).toEqual(before)
    await accepted(renamed!.body.proposal_id)
    expect((await item(id)).name).toBe('Renamed')
    const same = await agent.put(`/api/items/${id}`, { name: 'Renamed' })
    expect(same).toMatchObject({ status: 200, body: { proposal_id: null, changed_count: 0, sample: [] } })
  })

  it('gets faults as anybody does', async () => {
    const agent = await proposer()
    const { key } = await owner.ok('POST', '/api/keys', { name: newName('writer'), scope: 'write' })
    const writer = new TokenClient(service.url, key)
    const id = await make.createItem('Faulty', task.tag_id, { a: 1 })
    const { updated_at } = await item(id)
    const wrong: [string, string, object, Record<string, string>?][] = [
      ['PUT', `/api/items/${ABSENT}`, { name: 'x' }],
      ['POST', '/api/items', { name: '' }],
      ['PUT', `/api/items/${id}/tags/${task.tag_id}`, { field_values: { a: 'x' } }],
      ['POST', '/api/items', { name: 'x', tags: [{ tag_ref: { Existing: 'Tsk' } }] }],
      ['PUT', `/api/tags/${task.name}`, { description: 'a name in a path is no id' }],
      ['PUT', `/api/items/${id}/tags/${task.name}`, { field_values: { a: 2 } }],
      ['PUT', `/api/items/${id}`, { name: 'x' }, { 'if-match': '"2020-01-01T00:00:00.000Z"' }],
    ]
    for (const [method, path, body, headers] of wrong) {
      const [mine, theirs] = [
        await agent.send(method, path, body, headers),
        await writer.send(method, path, body, headers),
      ]
      expect(mine.status).toBeGreaterThanOrEqual(400)
      expect([mine.status, mine.body]).toEqual([theirs.status, theirs.body])
    }
    const right = await agent.put(`/api/items/${id}`, { name: 'x' }, { 'if-match': `"${updated_at}"` })
    expect(right.status).toBe(202)
  })

  it('is accepted once under an Idempotency-Key, with the same answer', async () => {
    const { proposal_id } = await propose([create('Accepted once')])
    const key = { 'idempotency-key': newName('key') }
    const accept = () => owner.post(`/api/proposals/${proposal_id}/accept`, {}, key)
    const [first, again] = [await accept(), await accept()]
    expect(first.body).toMatchObject({ proposal_id, state: 'accepted' })
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it('is told what the filter of a bulk call says that can never match', async () => {
    const agent = await proposer()
    const { status, headers } = await agent.post('/api/items/bulk-delete', {
      filter: { [`${task.name}.a`]: { contains: 'x' } },
    })
    expect([status, headers.get('x-filter-warnings')]).toEqual([200, expect.stringContaining('.a')])
  })

  it('proposes once under an Idempotency-Key', async () => {
    const agent = await proposer()
    const key = { 'idempotency-key': newName('key') }
    const [first, again] = [
      await agent.post('/api/items', { name: 'Once' }, key),
      await agent.post('/api/items', { name: 'Once' }, key),
    ]
    expect(again.body).toEqual(first.body)
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it('reaches nothing else that changes something', async () => {
    const agent = await proposer()
    const { proposal_id } = await propose([create('Not by it')])
    const [{ change_id }] = await owner.ok('POST', '/api/changes/search', { limit: 1 })
    for (const [method, path, body] of [
      ['POST', '/api/items/purge', {}],
      ['POST', '/api/changes/undo', { change_ids: [change_id] }],
      ['POST', '/api/views', { name: 'View', icon: 'x', filter: {}, view_type: 'Table' }],
      ['POST', '/api/chats', {}],
      ['PUT', '/api/preferences', {}],
      ['POST', '/api/keys', { name: 'k', scope: 'write' }],
      ['POST', `/api/proposals/${proposal_id}/accept`, {}],
      ['POST', `/api/proposals/${proposal_id}/refuse`, {}],
      ['POST', `/api/proposals/${proposal_id}/withdraw`, {}],
    ] as const)
      expect([path, (await agent.send(method, path, body)).status]).toEqual([path, 403])
    expect(
      (await agent.post('/api/batch', { operations: [{ operation: 'purgeDeleted', input: {} }] })).status,
    ).toBe(400)
  })

  it('may be a reader, whose dry runs are refused as ever', async () => {
    const agent = await proposer(reader)
    expect((await agent.post('/api/items', { name: 'By a reader' })).status).toBe(202)
    const tried = { operations: [create('x')], dry_run: true }
    expect((await agent.post('/api/batch', tried)).status).toBe(403)
  })

  it('gets its own by list_proposals, with the reason', async () => {
    const agent = await proposer()
    const call = async (name: string, args: object) => {
      const { body } = await agent.post('/api/mcp/message', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      })
      return body.result.content.map(({ text }: { text: string }) => JSON.parse(text))
    }
    const [kept, beside] = await call('add_item', { name: 'Through a tool' })
    expect(kept).toMatchObject({ changed_count: 1, summary: "Create item 'Through a tool'" })
    expect(beside.note).toContain('list_proposals')
    await owner.ok('POST', `/api/proposals/${kept.proposal_id}/refuse`, { reason: 'not now' })
    const [own] = await call('list_proposals', {})
    expect(own).toMatchObject([{ proposal_id: kept.proposal_id, state: 'refused', reason: 'not now' }])
    const { body } = await agent.post('/api/mcp/message', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const names = body.result.tools.map(({ name }: { name: string }) => name)
    expect(names).toContain('edit_item')
    expect(names).toContain('propose_changes')
    for (const name of ['undo_changes', 'purge_deleted_items', 'add_view']) expect(names).not.toContain(name)
  })

  it('uploads files, which an open proposal shows to those who decide; others’ own it does not', async () => {
    const agent = await proposer()
    const other = await service.user()
    const upload = async (by: Client) => {
      const { text } = await by.exchange('POST', '/api/files?name=a.txt', { body: newName('text') })
      return (JSON.parse(text) as { file_id: string }).file_id
    }
    const [own, foreign] = [await upload(agent), await upload(other)]
    const shown = (id: string) => `<a href="/api/files/${id}">a</a>`
    const kept = await agent.post('/api/items', {
      name: 'With files',
      description: shown(own) + shown(foreign),
    })
    expect(kept.status).toBe(202)
    expect((await reader.get(`/api/files/${own}`)).status).toBe(200)
    expect((await reader.get(`/api/files/${foreign}`)).status).toBe(404)
    await owner.ok('POST', `/api/proposals/${kept.body.proposal_id}/refuse`)
    expect((await reader.get(`/api/files/${own}`)).status).toBe(404)
  })

  it('shows no file of its account because it takes out, or leaves, what somebody else wrote of it', async () => {
    const agent = await proposer()
    const other = await service.user()
    const { text } = await agent.exchange('POST', '/api/files?name=a.txt', { body: newName('text') })
    const { file_id } = JSON.parse(text) as { file_id: string }
    const shown = `<a href="/api/files/${file_id}">a</a>`
    const { item_id } = await other.ok('POST', '/api/items', { name: newName('Noted'), description: shown })
    const read = async () => (await reader.get(`/api/files/${file_id}`)).status
    for (const description of [`${shown} and more`, null]) {
      const kept = await agent.put(`/api/items/${item_id}`, { description })
      expect([kept.status, await read()]).toEqual([202, 404])
      await accepted(kept.body.proposal_id)
      expect(await read()).toBe(404)
    }
    const gone = await agent.delete(`/api/items/${item_id}`)
    expect([gone.status, await read()]).toEqual([202, 404])
    const put = await agent.put(`/api/items/${item_id}`, { description: shown })
    expect([put.status, await read()]).toEqual([202, 200])
  })

  it('gets a URL to upload by, which takes the bytes', async () => {
    const agent = await proposer()
    const { file_id, upload_url } = await agent.ok('POST', '/api/files/prepare', { name: 'a.txt' })
    const { pathname, search } = new URL(upload_url)
    const sent = await fetch(`${service.url}${pathname}${search}`, { method: 'PUT', body: 'bytes' })
    expect(sent.status).toBe(200)
    expect((await agent.get(`/api/files/${file_id}`)).status).toBe(200)
  })

  it('proposes within its part where it is limited, and reads its own alone', async () => {
    const tag = await make.createTag({ n: 'Number' })
    const inside = await make.createItem('Inside', tag.tag_id, { n: 1 })
    const outside = await make.newItem()
    const { key } = await owner.ok('POST', '/api/keys', {
      name: newName('part'),
      scope: 'propose',
      limit: { tag_ids: [tag.tag_id] },
    })
    const agent = new TokenClient(service.url, key)
    const { proposal_id } = await propose([create('Not of it')])
    expect((await agent.put(`/api/items/${outside}`, { name: 'x' })).status).toBe(404)
    expect((await agent.post('/api/items', { name: 'Out of sight' })).status).toBe(403)
    const batch = await agent.post('/api/batch', {
      operations: [create('Within'), { operation: 'deleteTag', input: { tag_id: tag.tag_id } }],
    })
    expect(batch).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/^operations\[1\]: /) },
    })
    expect((await agent.get(`/api/proposals/${proposal_id}`)).status).toBe(404)
    const kept = await agent.put(`/api/items/${inside}`, { name: 'Renamed within' })
    expect(kept.status).toBe(202)
    expect((await agent.get('/api/proposals')).body).toMatchObject([{ proposal_id: kept.body.proposal_id }])
    await owner.ok('PUT', `/api/items/${inside}`, { name: 'Meanwhile' })
    const { body } = await agent.get(`/api/proposals/${kept.body.proposal_id}`)
    expect(body.conflicts).toMatchObject([
      {
        item_id: inside,
        item_name: 'Meanwhile',
        path: 'name',
        present: 'Meanwhile',
        restored: 'Renamed within',
      },
    ])
  })

  it('does not learn what an item in its sight has for a tag that has left it', async () => {
    const seen = await make.createTag({ n: 'Number' })
    const extending = { name: newName('extending'), fields: { m: 'Number' } }
    const tag = await owner.ok('POST', '/api/tags', { ...extending, extends: [seen.tag_id] })
    const { key } = await owner.ok('POST', '/api/keys', {
      name: newName('part'),
      scope: 'propose',
      limit: { tag_ids: [seen.tag_id] },
    })
    const agent = new TokenClient(service.url, key)
    const id = await make.createItem('Inside', seen.tag_id, { n: 1 })
    await owner.ok('POST', `/api/items/${id}/tags`, { tag: { tag_ref: { Existing: tag.tag_id } } })
    const values = `/api/items/${id}/tags/${tag.tag_id}`
    const { proposal_id } = (await agent.put(values, { field_values: { m: 5 } })).body
    const conflicts = async () => (await agent.get(`/api/proposals/${proposal_id}`)).body.conflicts
    await owner.ok('PUT', values, { field_values: { m: 7 } })
    const conflict = { item_id: id, item_name: 'Inside', path: `${tag.name}.m`, restored: 5 }
    expect(await conflicts()).toMatchObject([{ ...conflict, present: 7 }])
    await owner.ok('PUT', `/api/tags/${tag.tag_id}`, { extends: [] })
    expect((await agent.get(`/api/items/${id}`)).body.data).not.toHaveProperty(tag.tag_id)
    expect(await conflicts()).toMatchObject([{ ...conflict, present: null }])
  })

  it('does not learn what has become of an item that has left its sight', async () => {
    const tag = await make.createTag({ n: 'Number' })
    const { key } = await owner.ok('POST', '/api/keys', {
      name: newName('part'),
      scope: 'propose',
      limit: { tag_ids: [tag.tag_id], filter: { [`${tag.name}.n`]: { lt: 10 } } },
    })
    const agent = new TokenClient(service.url, key)
    const id = await make.createItem('Inside', tag.tag_id, { n: 1 })
    const kept = await agent.put(`/api/items/${id}/tags/${tag.tag_id}`, { field_values: { n: 5 } })
    const conflicts = async () =>
      (await agent.get(`/api/proposals/${kept.body.proposal_id}`)).body.conflicts as Proposal[]
    const change = (n: number) =>
      owner.ok('PUT', `/api/items/${id}/tags/${tag.tag_id}`, { field_values: { n } })
    expect(await conflicts()).toEqual([])
    await change(2)
    expect(await conflicts()).toMatchObject([{ path: `${tag.name}.n`, present: 2, restored: 5 }])
    await change(99)
    const hidden = await conflicts()
    expect(hidden).toMatchObject([
      { item_id: id, item_name: null, path: null, reason: 'The item has been purged' },
    ])
    // A guess that hits, a deletion and a purge are told alike.
    await owner.ok('DELETE', `/api/items/${id}/tags/${tag.tag_id}`)
    expect(await conflicts()).toEqual(hidden)
    await owner.ok('DELETE', `/api/items/${id}`)
    expect(await conflicts()).toEqual(hidden)
    await owner.ok('POST', '/api/items/purge', { item_ids: [id] })
    expect(await conflicts()).toEqual(hidden)
  })
})

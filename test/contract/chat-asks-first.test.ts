import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { chat, type ChatEvent } from '#test/support/events.ts'
import { ULID } from '#test/support/fixtures.ts'
import { type ModelProvider, startModelProvider } from '#test/support/model-provider.ts'
import { type Service, startService } from '#test/support/service.ts'

let provider: ModelProvider
let service: Service
let owner: Client
let item_id: string

beforeAll(async () => {
  provider = await startModelProvider()
  service = await startService({
    env: { LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'scripted', LLM_BASE_URL: provider.url },
  })
  owner = await service.user()
  await owner.ok('POST', '/api/tags', { name: 'Task', fields: { effort: 'Number' } })
  const tags = [{ tag_ref: { Existing: 'Task' }, field_values: { effort: 1 } }]
  item_id = (await owner.ok('POST', '/api/items', { name: 'Paint', tags })).item_id
})
afterAll(async () => {
  await service.close()
  await provider.close()
})

/** What the tools answered that the model called for one message. */
async function results(by: Client, ...calls: { name: string; arguments: object }[]): Promise<ChatEvent[]> {
  provider.say({ calls }, { text: ['Done.'] })
  const events = await chat(by, 'Do it')
  return events.filter(({ status }) => status === 'completed').map(({ result }) => result)
}
const rename = (name: string) => ({ name: 'edit_item', arguments: { item_id, name } })
const nameNow = async () => (await owner.ok('GET', `/api/items/${item_id}`)).name
const bulk = {
  name: 'bulk_update_field_values',
  arguments: {
    filter: { has_tag: 'Task' },
    tag_id: 'Task',
    field_values: { effort: 3 },
  },
}

describe('the preference assistant: "propose"', () => {
  it('keeps every change of the assistant as a proposal, which counts once it is accepted', async () => {
    await owner.ok('PUT', '/api/preferences', { web: { theme: 'dark' }, assistant: 'propose' })
    const [renamed, many, dry] = await results(owner, rename('Proposed'), bulk, {
      ...bulk,
      arguments: { ...bulk.arguments, dry_run: true },
    })
    expect(renamed).toMatchObject({ proposal_id: expect.stringMatching(ULID), changed_count: 1 })
    expect(many).toMatchObject({ proposal_id: expect.stringMatching(ULID), changed_count: 1 })
    expect(dry).toMatchObject({ dry_run: true })
    expect(await nameNow()).toBe('Paint')
    expect(provider.requests.at(-1)!.body.messages[0].content).toContain('look before anything changes')
    const path = `/api/proposals/${renamed.proposal_id}`
    expect(await owner.ok('GET', path)).toMatchObject({ state: 'open', source: 'chat' })
    const { change_ids } = await owner.ok('POST', `${path}/accept`, {})
    expect(await nameNow()).toBe('Proposed')
    const [change] = await owner.ok('POST', '/api/changes/search', { limit: 1 })
    expect(change).toMatchObject({ change_id: change_ids[0], proposed_by: { client: { kind: 'session' } } })
    await owner.ok('POST', `/api/proposals/${many.proposal_id}/refuse`, { reason: 'Not these' })
    const [listed] = await results(owner, { name: 'list_proposals', arguments: {} })
    expect(listed).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ proposal_id: many.proposal_id, state: 'refused', reason: 'Not these' }),
        expect.objectContaining({ proposal_id: renamed.proposal_id, state: 'accepted' }),
      ]),
    )
  })

  it('is the account’s own, lets a reader propose, and ends with it', async () => {
    const reader = await service.user()
    const { user_id } = await reader.ok('GET', '/api/auth/me')
    await owner.ok('PUT', `/api/users/${user_id}`, { role: 'reader' })
    expect(await results(reader, rename('By a reader'))).toEqual([
      { error: expect.stringContaining("no tool 'edit_item'") },
    ])
    await reader.ok('PUT', '/api/preferences', { assistant: 'propose' })
    const [kept] = await results(reader, rename('By a reader'))
    expect(kept.proposal_id).toMatch(ULID)
    expect((await reader.post(`/api/proposals/${kept.proposal_id}/accept`, {})).status).toBe(403)
    expect(await nameNow()).toBe('Proposed')
    await owner.ok('PUT', '/api/preferences', { web: { theme: 'dark' } })
    expect(await results(owner, rename('At once'))).toEqual([expect.objectContaining({ name: 'At once' })])
    expect(await nameNow()).toBe('At once')
  })
})

import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectedChain, type ToldEvent } from '#test/support/audit-chain.ts'
import type { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { facet, runFacet } from '#test/support/facet-command.ts'
import { ABSENT } from '#test/support/fixtures.ts'
import { mapTo, settled, uploaded } from '#test/support/imports.ts'
import { startService, type Service } from '#test/support/service.ts'
import { testDatabase } from '#test/support/test-database.ts'

const ZEROS = '0'.repeat(64)
const TIMEOUT = 120_000

let service: Service
let client: Client
const folder = mkdtempSync(join(tmpdir(), 'facet-chain-'))

beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

async function wholeLog(): Promise<ToldEvent[]> {
  const events: ToldEvent[] = []
  for (let after = ABSENT.replace(/./g, '0'); ;) {
    const page: ToldEvent[] = await client.ok('POST', '/api/audit-log/search', {
      after_event: after,
      limit: 1000,
    })
    events.push(...page)
    if (page.length < 1000) return events
    after = page.at(-1)!.event_id
  }
}
/** As an export was before events had hashes, or with those of a newer file taken out. */
function withoutChain(file: string, version: number): string {
  const lines = file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const end = lines.pop()!
  for (const line of lines) {
    if (line['record'] === 'header') line['version'] = version
    if (line['record'] === 'audit_event')
      for (const column of ['state', 'details_salt', 'details_hash', 'hash', 'redacted']) delete line[column]
    if (line['record'] === 'change')
      for (const column of ['summary_salt', 'summary_hash', 'hash']) delete line[column]
  }
  return summedUp([...lines, end].map((line) => JSON.stringify(line)))
}

/** Lines of an export with sums that fit. */
function summedUp(lines: readonly string[]): string {
  let text = ''
  const sha256 = () => createHash('sha256').update(text).digest('hex')
  for (const line of lines) {
    const { record } = JSON.parse(line) as { record: string }
    const told = record === 'check' || record === 'end' ? { ...JSON.parse(line), sha256: sha256() } : line
    text += `${typeof told === 'string' ? told : JSON.stringify(told)}\n`
  }
  return text
}

const head = () => client.ok('GET', '/api/audit-log/head')
const verify = (...words: string[]) => facet(service.database_url, 'audit', 'verify', ...words)

it('begins with 64 zeros', async () => {
  expect(await head()).toEqual({ event_id: null, hash: ZEROS, count: 0 })
  expect(await verify('--head', ZEROS)).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      `^The log holds: 0 events\nHead: ${ZEROS}\nChanges: ${ZEROS}\nThe security log holds: 1 event\nIts head: [0-9a-f]{64}\n$`,
    ),
  })
})

describe('of a base that is worked on', () => {
  beforeAll(async () => {
    const fields = { a: 'Number', note: 'String', when: 'Date' }
    await client.ok('POST', '/api/tags', { name: 'Täg "quoted" 😀', fields })
    const values = [1e21, 0.1, -0, 9007199254740991, 5e-324, 1e-7]
    const items = values.map((a, i) => ({
      name: `Item ${i} \u0001\u2028\ufb33`,
      description: i % 2 ? null : '<p>á\n\t"\\</p>',
      tags: [
        { tag_ref: { Existing: 'Täg "quoted" 😀' }, field_values: { a, note: '€', when: '2026-01-01' } },
      ],
    }))
    await client.ok('POST', '/api/items/bulk', { items })
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => client.ok('POST', '/api/items', { name: `Beside ${i}` })),
    )
    // One fails among others of the same COMMIT.
    await Promise.all([
      client.post('/api/items', { name: 'Well' }),
      client.post('/api/items', { name: 'Ill', tags: [{ tag_ref: { Existing: 'No such' } }] }),
      client.post('/api/batch', {
        operations: [
          { operation: 'createItem', input: { name: 'Taken back' } },
          { operation: 'deleteItem', input: { item_id: ABSENT } },
        ],
      }),
      client.post('/api/items', { name: 'Well too' }),
    ])
  })

  it('every event is chained to the one before, by the formula', async () => {
    const log = await wholeLog()
    expect(log.length).toBeGreaterThan(50)
    expect(log.map(({ details_hash, hash }) => ({ details_hash, hash }))).toEqual(expectedChain(log))
    expect(new Set(log.map(({ details_salt }) => details_salt)).size).toBe(log.length)
    for (const { details_salt } of log) expect(details_salt).toMatch(/^[0-9a-f]{32}$/)
    expect(await head()).toEqual({
      event_id: log.at(-1)!.event_id,
      hash: log.at(-1)!.hash,
      count: log.length,
    })
  })

  it('verify says so while the service runs, and that the log continues an earlier head', async () => {
    const log = await wholeLog()
    for (const words of [[], ['--head', log[7]!.hash.toUpperCase()], ['--head', ZEROS]])
      expect(await verify(...words)).toMatchObject({
        code: 0,
        out: expect.stringMatching(
          `^The log holds: ${log.length} events\nHead: ${log.at(-1)!.hash}\nChanges: [0-9a-f]{64}\nThe security log holds: \\d+ events?\nIts head: [0-9a-f]{64}\n$`,
        ),
      })
    expect(JSON.parse((await verify('--json')).out)).toEqual({
      ...(await head()),
      redacted: 0,
      unsealed: 0,
      changes_head: expect.stringMatching(/^[0-9a-f]{64}$/),
      security: { count: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/), unchained: 0 },
    })
    const other = await verify('--head', 'ab'.repeat(32))
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(other.err).toContain(`The log does not continue ${'ab'.repeat(32)}`)
  })

  for (const [words, says] of [
    [['verify', '--head', 'abc'], '--head takes a hash of 64 hexadecimal digits'],
    [['verify', 'twice'], "audit verify does not take 'twice'"],
    [['redact'], 'audit redact needs --item'],
    [['forget'], 'audit needs the command verify or redact'],
  ] as const)
    it(`refuses audit ${words.join(' ')}`, async () => {
      const { code, err } = await facet(service.database_url, 'audit', ...words)
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(says) })
    })

  it('needs a session', async () => {
    expect((await service.client().get('/api/audit-log/head')).status).toBe(401)
  })

  it(
    'goes along with an export, and on after it; what changed on the way is found by verify',
    async () => {
      const file = join(folder, 'whole.jsonl')
      await facet(service.database_url, 'export', '--out', file)
      const log = await wholeLog()
      const { url, drop } = await testDatabase(mkdtempSync(join(folder, 'base-')))
      try {
        expect(await facet(url, 'import', file)).toMatchObject({ code: 0 })
        expect(await facet(url, 'audit', 'verify', '--head', log.at(-1)!.hash)).toMatchObject({ code: 0 })
      } finally {
        await drop()
      }
    },
    TIMEOUT,
  )

  it(
    'a file from before the chain gets one as it is imported',
    async () => {
      const file = join(folder, 'before.jsonl')
      await facet(service.database_url, 'export', '--out', file)
      const before = join(folder, 'older.jsonl')
      writeFileSync(before, withoutChain(readFileSync(file, 'utf8'), 2))
      const { url, drop } = await testDatabase(mkdtempSync(join(folder, 'base-')))
      try {
        const imported = await facet(url, 'import', before)
        const { length } = await wholeLog()
        expect(imported).toMatchObject({
          code: 0,
          err: expect.stringContaining(`${length} events of the log had no hash`),
        })
        const { code, out } = await facet(url, 'audit', 'verify', '--json')
        expect(code).toBe(0)
        expect(JSON.parse(out)).toMatchObject({
          count: length,
          redacted: 0,
          unsealed: length,
          changes_head: ZEROS,
        })
      } finally {
        await drop()
      }
    },
    TIMEOUT,
  )

  it('a file of today without hashes is refused, with the line', async () => {
    const file = join(folder, 'today.jsonl')
    await facet(service.database_url, 'export', '--out', file)
    const altered = join(folder, 'altered.jsonl')
    writeFileSync(altered, withoutChain(readFileSync(file, 'utf8'), 3))
    const { url, drop } = await testDatabase(mkdtempSync(join(folder, 'base-')))
    try {
      const { code, err } = await facet(url, 'import', altered)
      expect({ code, err }).toMatchObject({
        code: 1,
        err: expect.stringMatching(/damaged at line \d+: the event has no hash/),
      })
    } finally {
      await drop()
    }
  })

  it('a state and a change that somebody altered in the file are found in the new base', async () => {
    const file = join(folder, 'stated.jsonl')
    await facet(service.database_url, 'export', '--out', file)
    const text = readFileSync(file, 'utf8')
    for (const [part, other] of [
      [/("record":"audit_event".*"state":"\{)/, '$1\\"part\\":9,'],
      [/("record":"change".*"operation":")create/, '$1delete'],
    ] as const) {
      const lines = text.trimEnd().split('\n')
      const at = lines.findLastIndex((line) => part.test(line))
      lines[at] = lines[at]!.replace(part, other)
      const altered = join(folder, 'altered-state.jsonl')
      writeFileSync(altered, summedUp(lines))
      const { url, drop } = await testDatabase(mkdtempSync(join(folder, 'base-')))
      try {
        expect(await facet(url, 'import', altered)).toMatchObject({ code: 0 })
        const said = await facet(url, 'audit', 'verify')
        expect(said).toMatchObject({ code: 1, out: '' })
        const { code, out, err } = await facet(url, 'audit', 'verify', '--json')
        expect([code, err]).toEqual([1, ''])
        const { fault, count, hash } = JSON.parse(out)
        expect(`${fault.message}\n${fault.suggestion}\n`).toBe(said.err)
        expect([count, hash]).toEqual([expect.any(Number), expect.stringMatching(/^[0-9a-f]{64}$/)])
      } finally {
        await drop()
      }
    }
  })
})

describe('redacting an item', () => {
  let item_id: string
  let before: ToldEvent[]
  let proposals: string[]
  let tag_id: string

  beforeAll(async () => {
    const tag = await client.ok('POST', '/api/tags', { name: 'Secret', fields: { word: 'String' } })
    tag_id = tag.tag_id
    const made = await client.ok('POST', '/api/items', {
      name: 'Whisper',
      description: 'hush',
      tags: [{ tag_ref: { Existing: 'Secret' }, field_values: { word: 'hidden' } }],
    })
    item_id = made.item_id
    await client.ok('PUT', `/api/items/${item_id}/tags/${tag_id}`, { field_values: { word: 'hidden too' } })
    const answer = await client.send(
      'PUT',
      `/api/items/${item_id}`,
      { name: 'Whispered' },
      { 'idempotency-key': 'k1' },
    )
    expect(answer.status).toBe(200)
    const other = await client.ok('POST', '/api/items', { name: 'Spoken' })
    const proposed = async (...item_ids: string[]) => {
      const operations = item_ids.map((id) => ({
        operation: 'updateItem',
        input: { item_id: id, description: 'hushed' },
      }))
      return (await client.post('/api/proposals', { operations })).body.proposal_id
    }
    proposals = [await proposed(item_id), await proposed(item_id, other.item_id)]
    await client.ok('DELETE', `/api/items/${item_id}`)
    before = await wholeLog()
  })

  it('empties its events, records that, and the chain holds', async () => {
    const done = await facet(service.database_url, 'audit', 'redact', '--item', item_id.toLowerCase())
    expect(done).toMatchObject({ code: 0, err: '' })
    expect(done.out).toContain(`Redacted 5 events of ${item_id}\n`)
    expect(done.out).toContain('Exports and backups made before keep what they have')
    expect(done.out).toContain('The item itself is still there')

    const log = await wholeLog()
    const last = log.at(-1)!
    expect(last).toMatchObject({
      event_type: 'audit_redacted',
      item_id,
      details: { events: 5 },
      client: { kind: 'cli', id: null, name: null },
    })
    expect(log.slice(0, -1)).toEqual(
      before.map((event) =>
        event['item_id'] === item_id ? { ...event, details: {}, details_salt: null, redacted: true } : event,
      ),
    )
    expect(expectedChain(log).map(({ hash }) => hash)).toEqual(log.map(({ hash }) => hash))
    expect((await verify('--head', before.at(-1)!.hash)).out).toContain(
      `The log holds: ${log.length} events, 5 of them redacted\n`,
    )
  })

  it('once more it does nothing, and of no item it is refused', async () => {
    const count = (await wholeLog()).length
    const again = await facet(service.database_url, 'audit', 'redact', '--item', item_id)
    expect(again.out).toBe(`The log has nothing left of ${item_id}\n`)
    expect((await wholeLog()).length).toBe(count)
    expect(await facet(service.database_url, 'audit', 'redact', '--item', ABSENT)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`item '${ABSENT}' not found`),
    })
  })

  it('leaves no word of it in the log, the changes and the kept answers', async () => {
    for (const text of ['audit_event', 'change', 'kept_answer'])
      expect(JSON.stringify(await queryDatabase(service, `select * from ${text}`))).not.toMatch(
        /Whisper|hidden|hush/,
      )
    const changes = await client.ok('POST', '/api/changes/search', { item_ids: [item_id] })
    expect(changes.map(({ summary }: { summary: string }) => summary)).toContain('Deleted 1 item')
  })

  it('empties what proposals keep of it: the rest can be accepted, and one that is empty is open no more', async () => {
    const [empty, rest] = await Promise.all(proposals.map((id) => client.ok('GET', `/api/proposals/${id}`)))
    expect(empty).toMatchObject({
      state: 'withdrawn',
      reason: 'All that was left of it has been redacted',
      summary: 'Change values of 1 item',
      changes: [],
    })
    expect(rest).toMatchObject({ state: 'open', conflicts: [], changes: [{ name: 'Spoken' }] })
    const kept = await queryDatabase(service, 'select * from proposal')
    const parts = await queryDatabase(service, `select * from proposal_part where item_id = '${item_id}'`)
    expect(JSON.stringify([kept, parts])).not.toMatch(/Whisper|hush/)
    expect((await client.post(`/api/proposals/${proposals[0]}/accept`, {})).status).toBe(409)
    const done = await client.ok('POST', `/api/proposals/${proposals[1]}/accept`, {})
    expect(done).toMatchObject({ state: 'accepted', changes: [{ name: 'Spoken' }] })
  })

  it('drops kept answers to the proposal that made it', async () => {
    const operations = [{ operation: 'createItem', input: { name: 'Rumour', description: 'gossip' } }]
    const proposed = await client.send(
      'POST',
      '/api/proposals',
      { operations },
      { 'idempotency-key': 'rumour' },
    )
    const { made } = await client.ok('POST', `/api/proposals/${proposed.body.proposal_id}/accept`, {})
    const [made_id] = Object.values(made) as string[]
    await client.ok('DELETE', `/api/items/${made_id}`)
    await client.ok('POST', '/api/items/purge', { item_ids: [made_id] })
    const kept = async () => JSON.stringify(await queryDatabase(service, 'select * from kept_answer'))
    expect(await kept()).toMatch(/gossip/)
    expect(await facet(service.database_url, 'audit', 'redact', '--item', made_id!)).toMatchObject({
      code: 0,
    })
    expect(await kept()).not.toMatch(/Rumour|gossip/)
  })

  it('once more it empties what has been copied since, also where that was never accepted', async () => {
    const made = await client.ok('POST', '/api/items', { name: 'Mutter' })
    const redact = async (id: string) =>
      (await facet(service.database_url, 'audit', 'redact', '--item', id)).out
    const proposed = async (operation: string, input: object) => {
      const key = { 'idempotency-key': `mutter ${operation}` }
      const operations = [{ operation, input }]
      const { proposal_id, changes } = (await client.send('POST', '/api/proposals', { operations }, key)).body
      await client.ok('POST', `/api/proposals/${proposal_id}/refuse`, { reason: 'no' })
      return { proposal_id, item_id: changes[0].item_id as string }
    }
    expect(await redact(made.item_id)).toContain(`Redacted 1 event of ${made.item_id}\n`)
    const count = (await wholeLog()).length
    const input = { item_id: made.item_id, name: 'Mutter', description: 'grumble' }
    const change = await proposed('updateItem', input)
    const creation = await proposed('createItem', { name: 'Mutter again', description: 'grumble' })
    // Under its key it answers what the item has, without an event.
    await client.send('PUT', `/api/items/${made.item_id}`, { name: 'Mutter' }, { 'idempotency-key': 'same' })
    for (const { proposal_id, item_id: id } of [change, creation])
      expect(await redact(id)).toBe(
        `The log has nothing left of ${id}\nEmptied what the proposal ${proposal_id} kept of it\n`,
      )
    for (const table of ['proposal', 'proposal_part', 'kept_answer'])
      expect(JSON.stringify(await queryDatabase(service, `select * from ${table}`))).not.toMatch(
        /Mutter|grumble/,
      )
    for (const { item_id: id } of [change, creation])
      expect(await redact(id)).toBe(`The log has nothing left of ${id}\n`)
    expect((await wholeLog()).length).toBe(count)
  })

  it('names the imports that still keep it, and drops what they answered', async () => {
    const file_id = await uploaded(client, 'rumours.csv', 'name\nTattle\n')
    const key = { 'idempotency-key': 'tattle' }
    const { import_id } = (await client.send('POST', '/api/imports', { file_id }, key)).body
    await settled(client, import_id)
    await mapTo(client, import_id, {})
    await client.post(`/api/imports/${import_id}/run`, {})
    await settled(client, import_id)
    const [tattle] = await client.ok('POST', '/api/items/search', { filter: { name: { eq: 'Tattle' } } })
    const done = await facet(service.database_url, 'audit', 'redact', '--item', tattle.item_id)
    expect(done.out).toContain(`DELETE /api/imports/${import_id}\n`)
    const kept = JSON.stringify(await queryDatabase(service, 'select * from kept_answer'))
    expect(kept).not.toContain(import_id)
    await client.ok('DELETE', `/api/imports/${import_id}`)
  })

  it('history says which events are redacted', async () => {
    const history = await client.ok('GET', `/api/items/${item_id}/history`)
    expect(history[0]).toMatchObject({ event_type: 'audit_redacted', changes: [] })
    for (const entry of history.slice(1)) expect(entry).toMatchObject({ changes: [], redacted: true })
  })

  it('as_of says what is missing', async () => {
    const { created_at } = before.find(({ item_id: id }) => id === item_id)! as unknown as {
      created_at: string
    }
    const { status, body } = await client.get(`/api/items/${item_id}?as_of=${created_at}`)
    expect({ status, body }).toMatchObject({
      status: 404,
      body: {
        error: 'NotFound',
        message: `What the item '${item_id}' was then has been redacted from the log`,
      },
    })
  })

  it('undo says what is missing, and undoes what needs no details', async () => {
    await client.ok('POST', `/api/items/${item_id}/restore`)
    const changes: { change_id: string; operation: string }[] = await client.ok(
      'POST',
      '/api/changes/search',
      { item_ids: [item_id] },
    )
    const of = (operation: string) => changes.find((each) => each.operation === operation)!.change_id
    const refused = await client.post('/api/changes/undo', { change_ids: [of('updateItem')] })
    expect(refused).toMatchObject({
      status: 409,
      body: {
        details: { conflicts: [{ item_id, reason: 'What it changed has been redacted from the log' }] },
      },
    })
    const redaction = await client.post('/api/changes/undo', { change_ids: [of('redactItem')] })
    expect(redaction.body.details.conflicts).toMatchObject([{ reason: 'A redaction cannot be undone' }])
    await client.ok('POST', '/api/changes/undo', { change_ids: [of('restoreItem')] })
  })

  it('the filters of the log go by what is left', async () => {
    const paths = ['Secret', 'Secret.word', 'name']
    const found: ToldEvent[] = await client.ok('POST', '/api/audit-log/search', { paths, limit: 1000 })
    expect(found.filter((event) => event['item_id'] === item_id && event.redacted)).toEqual([])
  })

  it('is let through by the database only as the log reports it', async () => {
    const [event] = await wholeLog()
    for (const change of [
      `update audit_event set details = '{}', details_salt = null, redacted = 1 where event_id = '${event!.event_id}'`,
      `update audit_event set details = '{"a":1}' where item_id = '${item_id}'`,
      `update audit_event set redacted = 0 where item_id = '${item_id}'`,
      `update audit_event set hash = '${ZEROS}' where item_id = '${item_id}'`,
      `update audit_event set user_id = null, details = '{}', details_salt = null, redacted = 1 where item_id = '${item_id}'`,
      `delete from audit_event where item_id = '${item_id}'`,
    ])
      await expect(queryDatabase(service, change)).rejects.toThrow('audit_event is append-only')
  })

  it(
    'goes along with an export',
    async () => {
      const file = join(folder, 'redacted.jsonl')
      const env = { FILES: join(service.folder, 'files') }
      expect(await runFacet(service.database_url, ['export', '--out', file], env)).toMatchObject({ code: 0 })
      const { url, drop } = await testDatabase(mkdtempSync(join(folder, 'base-')))
      try {
        expect(await facet(url, 'import', file)).toMatchObject({ code: 0 })
        expect((await facet(url, 'audit', 'verify')).out).toContain('of them redacted')
      } finally {
        await drop()
      }
    },
    TIMEOUT,
  )
})

import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Client } from '#test/support/client.ts'
import type { TestClock } from '#test/support/clock.ts'

/** Uploads what is to be imported; the answer to the look at it. */
export async function lookAt(client: Client, name: string, content: string | Buffer, format?: string) {
  const file_id = await uploaded(client, name, content)
  const answer = await client.post('/api/imports', { file_id, ...(format && { format }) })
  if (answer.status !== 202) return answer
  // A busy machine takes longer than the service waits.
  const body = await settled(client, answer.body.import_id)
  return { ...answer, ...(body.error ? { status: 400, body: body.error } : { status: 200, body }) }
}

export async function uploaded(client: Client, name: string, content: string | Buffer): Promise<string> {
  const answer = await client.exchange('POST', `/api/files?name=${encodeURIComponent(name)}`, {
    body: Buffer.from(content),
  })
  expect(answer.status, answer.text).toBe(200)
  return JSON.parse(answer.text).file_id
}

const UNDER_WAY = ['reading', 'checking', 'running']

/** An import once nothing is done with it any more. */
export async function settled(client: Client, import_id: string) {
  for (;;) {
    const found = await client.ok('GET', `/api/imports/${import_id}`)
    if (!UNDER_WAY.includes(found.state)) return found
    await setTimeout(20)
  }
}

/** An import at which the service fails: time passes until nothing is tried any more. */
export async function givenUp(client: Client, import_id: string, clock: TestClock) {
  const file_id = await uploaded(client, 'other.csv', 'name\nOther\n')
  for (;;) {
    const found = await client.ok('GET', `/api/imports/${import_id}`)
    if (!UNDER_WAY.includes(found.state)) return found
    clock.move({ minutes: 1 })
    // What is asked for makes the service look at what waits.
    await client.post('/api/imports', { file_id })
  }
}

/** Says where columns go; the import once that is checked. */
export async function mapTo(client: Client, import_id: string, mapping: object) {
  const mapped = await client.put(`/api/imports/${import_id}`, mapping)
  // As above.
  if (mapped.status === 202) return settled(client, import_id)
  expect(mapped.status, JSON.stringify(mapped.body)).toBe(200)
  return mapped.body
}

interface Wanted {
  name?: string
  content: string | Buffer
  /** Of the only table. */
  table?: object
  mapping?: object
  on_fault?: string
}

/** From the upload to the end. */
export async function imported(
  client: Client,
  { name = 'people.csv', content, table, mapping, on_fault }: Wanted,
) {
  const looked = await lookAt(client, name, content)
  expect(looked.body).toMatchObject({ state: 'ready' })
  const { import_id, tables } = looked.body
  const body = mapping ?? (table ? { tables: [{ name: tables[0].name, ...table }] } : {})
  const mapped = await mapTo(client, import_id, body)
  const run = await client.post(`/api/imports/${import_id}/run`, on_fault ? { on_fault } : {})
  expect(run.status, JSON.stringify(run.body)).toBe(202)
  return { mapped, done: await settled(client, import_id) }
}

import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { dumpTables } from '#test/support/dump-tables.ts'
import type { Service } from '#test/support/service.ts'

/** Every id has this form. */
export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
/** Every time of an answer has this form. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** An id that nothing has. */
export const ABSENT = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'

/** What an input says of a tag that an item has. */
export const tagged = (tag: { tag_id: string }, field_values: object = {}) => ({
  tag_ref: { Existing: tag.tag_id },
  field_values,
})

/** A key for SECRET_KEY. */
export const newSecretKey = (): string => randomBytes(32).toString('base64')

let names = 0
/** A name that nothing in this process's tests has. */
export const newName = (kind: string): string => `${kind} ${++names}`

/** What tests make of tags and items, and see of them. The client is asked for when it is used: a hook makes it. */
export function fixtures(client: () => Client) {
  const newItem = async (body: object = {}): Promise<string> =>
    (await client().ok('POST', '/api/items', { name: newName('Item'), ...body })).item_id
  return {
    createTag: (fields: object = {}) => client().ok('POST', '/api/tags', { name: newName('Tag'), fields }),
    /** The id of an item of this body, with a name of its own where the body has none. */
    newItem,
    createItem: (name: string, tag_id?: string, field_values: object = {}): Promise<string> =>
      newItem({ name, ...(tag_id !== undefined && { tags: [tagged({ tag_id }, field_values)] }) }),
    entry: async (item_id: string, tag_id: string) =>
      (await client().ok('GET', `/api/items/${item_id}`)).data[tag_id],
    valuesOf: async (item_id: string, tag_id: string) =>
      (await client().ok('GET', `/api/items/${item_id}`)).data[tag_id].field_values,
    /** Names of what a search finds, in its order. */
    search: async (filter: object, more: object = {}): Promise<string[]> =>
      (await client().ok('POST', '/api/items/search', { filter, ...more })).map(
        ({ name }: { name: string }) => name,
      ),
  }
}

/** The answer of a call that must change nothing. */
export async function unchanged<T>(service: Service, call: () => Promise<T>): Promise<T> {
  const before = await dumpTables(service)
  const answer = await call()
  expect(await dumpTables(service)).toEqual(before)
  return answer
}

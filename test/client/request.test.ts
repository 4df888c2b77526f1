import { describe, expect, it } from 'vitest'
import { facet, type InputOf } from '#client/index.ts'

/** A client whose requests are kept, and answered with an object. */
function kept() {
  const sent: { url: URL; body: string | undefined }[] = []
  const send = (async (url: string, { body }: { body?: string }) => {
    sent.push({ url: new URL(url), body })
    return Response.json({})
  }) as typeof fetch
  return { sent, base: facet({ url: 'http://x', key: 'k', fetch: send }) }
}

class Hidden {
  #value = 1
  value() {
    return this.#value
  }
}
class Values {
  status = 'open'
}

const item_id = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
type GivenValues = InputOf<'updateTagValues'>['field_values']
const given = (field_values: unknown) => ({
  item_id,
  tag_id: 'Task',
  field_values: field_values as GivenValues,
})

describe('an input', () => {
  it.each([
    ['a Map', new Map([['status', 'open']]), "'field_values' is a Map"],
    ['a Set', { labels: new Set(['a']) }, "'labels' is a Set"],
    ['a promise', { status: Promise.resolve('open') }, "'status' is a Promise"],
    ['a function', { status: () => 'open' }, "'status' is a function"],
    ['a symbol', { labels: [Symbol('a')] }, "'0' is a symbol"],
    ['a BigInt', { estimate: 1n }, "'estimate' is a bigint"],
    ['an object that shows nothing', new Hidden(), "'field_values' is a Hidden"],
  ])('that is %s is refused by its name: JSON would say nothing of it', async (_, values, message) => {
    const { sent, base } = kept()
    const call = base.updateTagValues(given(values))
    await expect(call).rejects.toThrow(message)
    await expect(call).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })

  it.each([
    ['a Map', new Map([['filter', { name: 'x' }]])],
    ['an Array', [{ filter: { name: 'x' } }]],
    ['a Values', new Values()],
    ['a string', 'x'],
    ['null', null],
  ])('that is %s itself is refused by each call: its properties would say nothing', async (kind, given) => {
    const { sent, base } = kept()
    const input = given as object
    const live = input as Parameters<typeof base.live>[0]
    const of = (what: string) => `${what} ${kind}; expected a plain object`
    await expect(base.searchItems(input)).rejects.toThrow(of('searchItems: the input is'))
    await expect(base.call('searchItems', input)).rejects.toThrow(TypeError)
    await expect(base.pages('searchItems', input).next()).rejects.toThrow(of('searchItems: the input is'))
    await expect(base.chat(input as InputOf<'chat'>).next()).rejects.toThrow(of('chat: the input is'))
    await expect(base.downloadFile(input as { file_id: string })).rejects.toThrow(TypeError)
    expect(() => base.changes(input)).toThrow(of('changes: the options are'))
    expect(() => base.live(live)).toThrow(of('live: the options are'))
    expect(sent).toEqual([])
  })

  it('that is missing, or says twice what it is about, is refused', async () => {
    const { sent, base } = kept()
    const none = undefined as unknown as Parameters<typeof base.exportItems>[0]
    const missing = 'exportItems: the input is undefined; expected a plain object'
    await expect(base.exportItems(none)).rejects.toThrow(missing)
    const filter = { search: '' }
    const which = "live: expected either a 'filter' or a 'view_id'"
    const live = (given: object) => base.live(given as Parameters<typeof base.live>[0]).next()
    for (const given of [{}, { filter: null }, { view_id: undefined }, { filter, view_id: item_id }])
      await expect(live(given)).rejects.toThrow(which)
    expect(sent).toEqual([])
  })

  it.each(['chat', 'uploadFile', 'downloadFile', 'exportItems', 'followView', 'changes'])(
    'by the name of %s, which answers no JSON, is refused with what to call',
    async (name) => {
      const { sent, base } = kept()
      const message = `'${name}' is not called by its name; use the method ${name} itself`
      await expect(base.call(name as 'getItem', { item_id })).rejects.toThrow(message)
      expect(() => base.pages(name as 'searchItems', {})).toThrow(message)
      await expect(base.call('constructor' as 'getItem', { item_id })).rejects.toThrow('is no operation')
      expect(sent).toEqual([])
    },
  )

  it('may be made by classes, without a prototype, and have dates and boxed texts', async () => {
    const { sent, base } = kept()
    const values = [
      new Values(),
      Object.assign(Object.create(null) as object, { status: 'open' }),
      { due: new Date(0), link: new URL('http://x/') },
      { note: Object('') as string },
      {},
    ]
    for (const each of values) await base.updateTagValues(given(each))
    expect(sent.map(({ body }) => (JSON.parse(body!) as { field_values: unknown }).field_values)).toEqual([
      { status: 'open' },
      { status: 'open' },
      { due: '1970-01-01T00:00:00.000Z', link: 'http://x/' },
      { note: '' },
      {},
    ])
  })

  it.each([
    ['undefined', [undefined], "'0' is undefined"],
    ['null', [null], "'fields' holds null"],
    ['an object', [{ name: 'x' }], "'fields' holds an object"],
    ['half a character', ['a\ud800b'], "'fields' holds half a character"],
  ])('for a query that holds %s is refused by its name', async (_, fields, message) => {
    const { sent, base } = kept()
    await expect(base.listItems({ fields: fields as string[] })).rejects.toThrow(`listItems: ${message}`)
    expect(sent).toEqual([])
  })

  it('for a query may hold a date, and null for what is left out', async () => {
    const { sent, base } = kept()
    const input: object = { fields: ['name'], as_of: new Date(0), limit: null }
    await base.listItems(input)
    expect(sent[0]!.url.search).toBe('?fields=name&as_of=1970-01-01T00%3A00%3A00.000Z')
  })

  it('with an id that no address holds is refused by its name', async () => {
    const { sent, base } = kept()
    const call = base.getItem({ item_id: 'a\ud800b' })
    await expect(call).rejects.toThrow("getItem: 'item_id' holds half a character")
    await expect(call).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })

  it.each(['漢', 'a\nb', 'é'])(
    'with the state %j, which no header holds, is refused by its name',
    async (state) => {
      const { sent, base } = kept()
      const call = base.updateTag({ tag_id: 'Task', name: 'x', if_updated_at: state })
      await expect(call).rejects.toThrow("updateTag: 'if_updated_at' takes the updated_at")
      await expect(call).rejects.toThrow(TypeError)
      expect(sent).toEqual([])
    },
  )
})

it('a signal that is none, as its controller, is refused before anything is sent', async () => {
  const { sent, base } = kept()
  const signal = new AbortController() as unknown as AbortSignal
  const calls = [
    base.getMe({}, { signal }),
    base.pages('listTags', {}, { signal }).next(),
    base.changes({ signal }).next(),
    base.downloadFile({ file_id: 'x' }, { signal }),
    base.uploadFile({ name: 'x', bytes: 'x' }, { signal }),
    base.decision(item_id, { signal }),
  ]
  for (const call of calls) await expect(call).rejects.toThrow('signal: expected an AbortSignal')
  expect(sent).toEqual([])
})

it('a pause between two looks for a decision that is no number is refused: it would be none', async () => {
  const { sent, base } = kept()
  for (const every of [NaN, -1, 'soon', null])
    await expect(base.decision(item_id, { every: every as number })).rejects.toThrow(
      'every: expected a number from 0 on',
    )
  expect(sent).toEqual([])
})

it('a key that is null is none', async () => {
  const asked: RequestInit[] = []
  const send = (async (_: string, init: RequestInit) => {
    asked.push(init)
    return Response.json({})
  }) as typeof fetch
  await facet({ url: 'http://x', key: null as unknown as string, fetch: send }).getHealth()
  expect(asked).toMatchObject([{ credentials: 'include', headers: {} }])
  expect(asked[0]!.headers).not.toHaveProperty('authorization')
})

it.each([
  ['1.5', 1.5],
  ['0', 0],
  ['2', 2],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5.2', undefined],
])('a Retry-After of %s is taken for %s seconds', async (text, retry_after) => {
  const send = (async () =>
    new Response('{}', { status: 429, headers: { 'retry-after': text } })) as typeof fetch
  const call = facet({ url: 'http://x', key: 'k', fetch: send, retries: 0 }).getMe()
  await expect(call).rejects.toMatchObject({ status: 429, retry_after })
})

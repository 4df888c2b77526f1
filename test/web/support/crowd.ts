import { Buffer } from 'node:buffer'
import { crc32, deflateSync } from 'node:zlib'
import type { Client } from '#test/support/client.ts'

/** Where pages of a base that holds far too much are. */
export interface Crowd {
  /** A tag of 40 fields, a list of 30 variants, and 3,000 items. */
  wide: string
  /** One with pictures. */
  pictures: string
  /** A tag of one field, and one item of it. */
  single: string
  /** An item to which many refer, with names and texts that are too long. */
  item: string
}

const LONG =
  'A name that is as long as names become where nobody has thought of how it will look in a narrow column, بالعربية أيضا'
const TAGS = [
  'Invoice',
  'Meeting',
  'Recipe',
  'Machine',
  'Letter',
  'Song',
  'Plant',
  'Sample',
  'Route',
  'Claim',
]

/** Far too much of everything. */
export async function makeCrowd(client: Client): Promise<Crowd> {
  for (let i = 0; i < 50; i++)
    await client.ok('POST', '/api/tags', { name: `${TAGS[i % 10]} ${i + 1}`, fields: { note: 'String' } })
  const variants = Array.from({ length: 30 }, (_, i) => `${i % 7 ? 'step' : LONG.slice(0, 60)} ${i + 1}`)
  const { tag_id: wide } = await client.ok('POST', '/api/tags', {
    name: LONG.slice(0, 90),
    fields: {
      status: { type: 'Select', variants },
      due: { type: 'Date', relative: true },
      begins: 'DateTime',
      mail: { type: 'String', format: 'email' },
      site: { type: 'String', format: 'url' },
      done: { type: 'Number', format: 'percent' },
      labels: { type: 'MultiSelect', variants: variants.map((name) => name.slice(-9)) },
      about: { type: 'MultiReference' },
      ...Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`measure ${i + 1}`, 'Number'])),
    },
  })
  const made: { item_id: string }[] = await client.ok('POST', '/api/items/bulk', {
    items: Array.from({ length: 3000 }, (_, i) => ({
      name: i % 9 ? `Piece ${i + 1}` : `${LONG} ${i + 1}`,
      tags: [{ tag_ref: { Existing: wide }, field_values: valuesOf(i, variants) }],
    })),
  })
  const ids = made.map(({ item_id }) => item_id)
  const item = ids.slice(0, 1).join('')
  await client.ok('PUT', `/api/items/${item}`, { description: text() })
  for (let i = 1; i < 60; i++)
    await client.ok('PUT', `/api/items/${ids[i]}/tags/${wide}`, {
      field_values: { about: ids.slice(0, (i % 5) + 1) },
      merge: true,
    })
  for (let i = 0; i < 25; i++)
    await client.ok('POST', '/api/views', {
      name: i % 4 ? `View ${i + 1}` : `${LONG.slice(0, 80)} ${i + 1}`,
      filter: { [`${wide}.status`]: variants[i] },
    })
  const { tag_id: single } = await client.ok('POST', '/api/tags', {
    name: 'Only',
    fields: { stage: { type: 'Select', variants: ['first', 'last'] }, on: 'Date' },
  })
  await client.ok('POST', '/api/items', {
    name: 'The only one',
    tags: [{ tag_ref: { Existing: single }, field_values: { stage: { variant: 'first' } } }],
  })
  return { wide, single, item, pictures: await makePictures(client) }
}

const valuesOf = (i: number, variants: readonly string[]) => ({
  status: { variant: variants[i % 30] },
  due: new Date(Date.now() + ((i % 40) - 10) * 86_400_000).toISOString().slice(0, 10),
  begins: new Date(Date.now() + (i % 90) * 3_600_000).toISOString(),
  mail: `somebody.with.a.long.address.${i}@department.example.org`,
  site: `https://www.example.org/a/long/path/that/goes/on/${i}`,
  done: (i % 101) / 100,
  labels: [variants[i % 30]?.slice(-9), variants[(i + 3) % 30]?.slice(-9), variants[(i + 8) % 30]?.slice(-9)],
  'measure 1': i * 1_234_567.891,
  'measure 2': -i / 7,
})

const text = () =>
  `<h1>${LONG}</h1>${Array.from({ length: 20 }, (_, i) => `<p>Paragraph ${i + 1}. ${LONG}. ${LONG}.</p>`).join('')}<table><tr>${'<th>A heading</th>'.repeat(9)}</tr><tr>${'<td>A value that is long</td>'.repeat(9)}</tr></table><pre>${'a line of code that does not end '.repeat(9)}</pre>`

/** Twenty items with a picture each, of a colour of its own. */
async function makePictures(client: Client): Promise<string> {
  const { tag_id } = await client.ok('POST', '/api/tags', {
    name: 'Picture',
    fields: { files: 'File', rating: 'Number' },
  })
  for (let i = 0; i < 20; i++) {
    const body = plainPng(40 + (i % 3) * 30, 60, [(i * 37) % 256, (i * 83) % 256, (i * 151) % 256])
    const { text: answer } = await client.exchange('POST', `/api/files?name=picture${i}.png`, {
      body,
      headers: new Headers({ 'content-type': 'image/png' }),
    })
    await client.ok('POST', '/api/items', {
      name: i % 5 ? `Picture ${i + 1}` : `${LONG} ${i + 1}`,
      tags: [
        {
          tag_ref: { Existing: tag_id },
          field_values: { rating: i % 6, ...(i % 7 && { files: [{ file_id: JSON.parse(answer).file_id }] }) },
        },
      ],
    })
  }
  return tag_id
}

/** A picture of one colour. */
function plainPng(width: number, height: number, colour: readonly number[]): Buffer {
  const line = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const lines = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[
      ['IHDR', head],
      ['IDAT', lines],
      ['IEND', Buffer.alloc(0)],
    ].map(([type, data]) => chunk(type as string, data as Buffer)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

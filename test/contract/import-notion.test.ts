import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { lookAt, mapTo, settled } from '#test/support/imports.ts'
import { startService, type Service } from '#test/support/service.ts'
import { zipOf } from '#test/support/zip-of.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

const ID = {
  home: '1f0a52c3d4e5461789abcdef01234567',
  notes: '2f0a52c3d4e5461789abcdef01234567',
  projects: '3f0a52c3d4e5461789abcdef01234567',
  people: '4f0a52c3d4e5461789abcdef01234567',
  garden: '5f0a52c3d4e5461789abcdef01234567',
  shed: '6f0a52c3d4e5461789abcdef01234567',
  shed_too: '7f0a52c3d4e5461789abcdef01234567',
  ada: '8f0a52c3d4e5461789abcdef01234567',
  bob: '9f0a52c3d4e5461789abcdef01234567',
  elsewhere: 'af0a52c3d4e5461789abcdef01234567',
}

/**
 * Imitates "Markdown & CSV" as Notion exported it in 2024 and 2025: a zip of zips, ids behind the names of files and
 * none behind those of folders, `_all.csv` beside the CSV of the first view, relations as `Title (path)`.
 */
async function notionExport(): Promise<Buffer> {
  const path = (folder: string, title: string, id: string) => `${folder}${title} ${id}.md`
  const to = (folder: string, title: string, id: string) => encodeURI(path(folder, title, id))
  const ada = `Ada (${to('People/', 'Ada', ID.ada)})`
  const bob = `Bob (${to('People/', 'Bob', ID.bob)})`
  const gone = `Gone (https://www.notion.so/Gone-${ID.elsewhere}?pvs=21)`
  const headings = 'Project,Name,Status,Due,Owner,Team,Done,Plan\n'
  const shown = 'Garden,The green one,Active,"March 4, 2025",'
  const first = {
    [path('', 'Home', ID.home)]:
      `# Home\n\nSee [the notes](${to('Home/', 'Notes', ID.notes)}) and [Garden](https://www.notion.so/Garden-${ID.garden}).\n\n[Projects](${encodeURI(`Home/Projects ${ID.projects}.csv`)})\n`,
    [path('Home/', 'Notes', ID.notes)]: '# Notes: all of them\n\nStatus: of no database\n',
    [`Home/Projects ${ID.projects}.csv`]: `\uFEFF${headings}${shown},,,,\n`,
    [`Home/Projects ${ID.projects}_all.csv`]:
      `\uFEFF${headings}${shown}${ada},"${ada}, ${bob}",Yes,Projects/Garden/plan.txt\n` +
      `Shed,,Active,"April 1, 2025 → April 9, 2025",${bob},${gone},No,\n` +
      `Shed,,Idle,,,${bob},No,\n`,
    [path('Home/Projects/', 'Garden', ID.garden)]:
      `# Garden\n\nName: The green one\nStatus: Active\nDue: March 4, 2025\nOwner: Ada (../${to('People/', 'Ada', ID.ada)})\nDone: Yes\n\nDig *deep*, ask [Ada](../${to('People/', 'Ada', ID.ada)}).\n`,
    'Home/Projects/Garden/plan.txt': 'roses',
    'Home/Projects/Garden/unused.txt': '-',
  }
  const second = {
    [path('Home/Projects/', 'Shed', ID.shed)]: '# Shed\n\nStatus: Idle\nDone: No\n\nThe idle one.\n',
    [path('Home/Projects/', 'Shed', ID.shed_too)]: '# Shed\n\nStatus: Active\nDone: No\n\nThe active one.\n',
    [`Home/People ${ID.people}_all.csv`]: '\uFEFFName,Born\nAda,1815\nBob,1990\n',
    [path('Home/People/', 'Ada', ID.ada)]: '# Ada\n\nBorn: 1815\n',
    [path('Home/People/', 'Bob', ID.bob)]: '# Bob\n\nBorn: 1990\n',
  }
  return zipOf({ 'Export-Part-1.zip': await zipOf(first), 'Export-Part-2.zip': await zipOf(second) })
}

interface Told {
  item_id: string
  name: string
  description: string | null
  tags: Record<string, { tag_name: string; field_values: Record<string, unknown> }>
}
const valuesOf = ({ tags }: Told) =>
  Object.values({ ...tags }).map(({ tag_name, field_values }) => [
    tag_name,
    Object.fromEntries(Object.entries(field_values).filter(([, value]) => value !== null)),
  ])

it('databases become tags, pages items with their text, relations references', async () => {
  const looked = await lookAt(client, 'Export.zip', await notionExport())
  expect(looked.status, JSON.stringify(looked.body)).toBe(200)
  const { import_id, format, tables, left_out } = looked.body
  expect(format).toBe('notion')
  expect(tables.map(({ name, rows }: { name: string; rows: number }) => [name, rows])).toEqual([
    ['People', 2],
    ['Projects', 3],
    ['Pages', 2],
  ])
  expect(left_out).toEqual([
    { name: 'Projects', reason: '1 related pages are not in the export' },
    { name: 'Home/Projects/Garden/unused.txt', reason: expect.any(String) },
  ])
  expect(await mapTo(client, import_id, {})).toMatchObject({ created: 7, faults: [] })
  await client.post(`/api/imports/${import_id}/run`, {})
  expect(await settled(client, import_id)).toMatchObject({ state: 'done', fault_count: 0 })

  const items: Told[] = await client.ok('POST', '/api/items/search', { sort: [{ by: 'name' }] })
  const [ada, bob, garden, home, notes, ...sheds] = items as [Told, Told, Told, Told, Told, Told, Told]
  expect(items.map(({ name }) => name)).toEqual([
    'Ada',
    'Bob',
    'Garden',
    'Home',
    'Notes: all of them',
    'Shed',
    'Shed',
  ])
  expect([...valuesOf(ada), ...valuesOf(home), ...valuesOf(notes)]).toEqual([['People', { Born: 1815 }]])
  expect(valuesOf(garden)).toEqual([
    [
      'Projects',
      {
        Name: 'The green one',
        Status: { variant: 'Active' },
        Due: '2025-03-04',
        Owner: ada.item_id,
        Team: [ada.item_id, bob.item_id],
        Done: true,
        Plan: [{ file_id: expect.any(String), name: 'plan.txt', size: 5, type: 'text/plain' }],
      },
    ],
  ])
  expect(garden.description).toBe(`<p>Dig <em>deep</em>, ask <a href="/items/${ada.item_id}">Ada</a>.</p>`)
  expect(home.description).toContain(`<a href="/items/${notes.item_id}">the notes</a>`)
  expect(home.description).toContain(`<a href="/items/${garden.item_id}">Garden</a>`)
  expect(home.description).toContain('<a>Projects</a>')
  expect(notes.description).toBe('<p>Status: of no database</p>')
  // Pages of one title are told apart by their properties.
  const texts = sheds.map((each) => [each.description, (valuesOf(each)[0]![1] as { Due?: string }).Due])
  expect(new Map(texts as [string, unknown][])).toEqual(
    new Map<string, unknown>([
      ['<p>The active one.</p>', '2025-04-01'],
      ['<p>The idle one.</p>', undefined],
    ]),
  )
})

it('a page that the CSV lacks keeps properties that the CSV lacks too', async () => {
  const zip = await zipOf({
    [`T ${ID.people}.csv`]: 'Name,Status\nA,x\n',
    [`T ${ID.people}/A ${ID.ada}.md`]: '# A\n\nStatus: x\n',
    [`T ${ID.people}/B ${ID.bob}.md`]: '# B\n\nStatus: zz\nOther: 1\nTitle: Dr\n\nText.\n',
  })
  const { body } = await lookAt(client, 'Export.zip', zip)
  expect(body.tables[0].first[1]).toMatchObject({
    Name: 'B',
    Status: 'zz',
    Other: '1',
    'Title (property)': 'Dr',
  })
  expect(body.tables[0].columns).toMatchObject([
    { to: 'name' },
    { to: 'description' },
    { to: { field: 'Status' } },
    { to: { field: 'Other' } },
    { to: { field: 'Title' } },
  ])
})

it('a folder of notes stays one, and what says its format is believed', async () => {
  const vault = await zipOf({ 'a.md': 'A', [`b ${ID.home}.md`]: 'B' })
  expect((await lookAt(client, 'vault.zip', vault)).body.format).toBe('markdown')
  const told = await lookAt(client, 'Export.zip', await zipOf({ [`b ${ID.home}.md`]: '# B' }), 'markdown')
  expect(told.body).toMatchObject({ format: 'markdown', tables: [{ rows: 1 }] })
})

it('what is wrong is reported with its file and line', async () => {
  const broken = await zipOf({
    [`T ${ID.people}.csv`]: 'Name,Note\nA,x\nB,y\n',
    [`T ${ID.people}/A ${ID.ada}.md`]: '# A\n\nNote: x\n\none\0\n',
  })
  const { import_id } = (await lookAt(client, 'Export.zip', broken)).body
  expect(await mapTo(client, import_id, {})).toMatchObject({
    created: 1,
    faults: [{ table: 'T', file: `T ${ID.people}/A ${ID.ada}.md`, line: 5 }],
  })
  const open = await lookAt(client, 'Export.zip', await zipOf({ [`T ${ID.people}.csv`]: 'Name\n"A\n' }))
  expect(open).toMatchObject({ status: 400, body: { details: { line: 2 } } })
  const none = await lookAt(client, 'Export.zip', await zipOf({ 'a.txt': '' }), 'notion')
  expect(none).toMatchObject({ status: 400 })
})

it('a path that two parts of an export have is named as left out, unless it is the same file', async () => {
  const page = (text: string) => ({ [`Page ${ID.home}.md`]: text, 'same.txt': 'same' })
  const zip = await zipOf({
    'Part-1.zip': await zipOf(page('# Page\n\nOne, see [it](same.txt)\n')),
    'Part-2.zip': await zipOf(page('# Page\n\nTwo\n')),
  })
  const { body } = await lookAt(client, 'twice.zip', zip, 'notion')
  expect(body.left_out).toEqual([
    { name: `Page ${ID.home}.md`, reason: 'the zip has another file of this path, which is taken' },
  ])
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '#test/support/client.ts'
import { lookAt } from '#test/support/imports.ts'
import type { Service } from '#test/support/service.ts'

export interface Given {
  /** Signed in as ada@example.org, who owns the base. */
  ada: Client
  service: Service
  /** Where the commands run. */
  folder: string
}

type Replaced = readonly (readonly [printed: string, now: string])[]

export interface PageRun {
  /** Makes what the page takes for granted; answers what stands in for what is printed. */
  given?: (given: Given) => Promise<Replaced>
  /** Blocks that are not run here, by how they begin, and why. */
  foreign?: Readonly<Record<string, string>>
  /** The page begins with an empty base. */
  isEmpty?: true
}

const POSTGRES = 'a server of PostgreSQL: test/postgres/ and test/contract/moving.test.ts run it'
const ANSWER = 'an answer, no command'
const PROVIDER = 'a model of somebody else'
const REGISTRY = 'installs from the registry'

const TASK = {
  name: 'Task',
  fields: { status: { type: 'Select', variants: ['open', 'done'] }, due: 'Date', points: 'Number' },
}

async function taskView({ ada }: Given): Promise<{ tag_id: string; view_id: string }> {
  const { tag_id } = await ada.ok('POST', '/api/tags', TASK)
  await ada.ok('POST', '/api/items', { name: 'Buy milk', tags: [{ tag_ref: { Existing: 'Task' } }] })
  const { view_id } = await ada.ok('POST', '/api/views', { name: 'Open', filter: { 'Task.status': 'open' } })
  return { tag_id, view_id }
}

async function uploaded({ ada, folder }: Given, name: string, body: string): Promise<string> {
  writeFileSync(join(folder, name), body)
  return JSON.parse((await ada.exchange('POST', `/api/files?name=${name}`, { body })).text).file_id
}

/** What each page needs besides a service, an account and a key; a page that is not here needs nothing. */
export const RUNS: Readonly<Record<string, PageRun>> = {
  'README.md': {
    isEmpty: true,
    given: async () => [
      ['$curl $api/items/search -d \'{"filter": {"Tusk', '! $curl $api/items/search -d \'{"filter": {"Tusk'],
    ],
    foreign: {
      'npm ci && npm start': `${REGISTRY}; test/first-command.test.ts starts it`,
      'npm ci && npm test': REGISTRY,
      '$curl -N $api/chat': PROVIDER,
    },
  },
  'docs/tutorial.md': {
    isEmpty: true,
    given: async () => [
      ['author=01…', 'author=$(one "Ursula K. Le Guin")'],
      ['book=01…', 'book=$(one "The Dispossessed")'],
    ],
  },
  'docs/how-to/back-up-and-restore.md': { foreign: { pg_dump: 'tools of PostgreSQL' } },
  'docs/how-to/change-a-tag-without-losing-values.md': {
    given: async (given) => [['$TAG', (await taskView(given)).tag_id]],
  },
  'docs/how-to/chat-with-a-local-model.md': {
    foreign: {
      'ollama pull': PROVIDER,
      'vllm serve': PROVIDER,
      'llama-server': PROVIDER,
      'curl -sSN http://localhost:3000/api/chat': PROVIDER,
    },
  },
  'docs/how-to/connect-an-agent.md': {
    given: async ({ service }) => {
      await service.user('agent@example.org')
      return []
    },
    foreign: { 'claude mcp add': 'an agent of somebody else' },
  },
  'docs/how-to/follow-a-view.md': {
    given: async (given) => {
      const { view_id } = await taskView(given)
      const [{ event_id }] = await given.ada.ok('POST', '/api/audit-log/search', { limit: 1 })
      return [
        ['$VIEW_ID', view_id],
        ['{view_id}', view_id],
        ['01M80F1H7J2V8M083FZ3CM5T61', event_id],
      ]
    },
  },
  'docs/how-to/follow-changes.md': {
    foreign: { '/api/changes/stream?': 'an address, no command' },
  },
  'docs/how-to/import-a-spreadsheet.md': {
    given: async (given) => {
      const csv = 'Name,Email,Born,Notes\nAda,ada@x.org,10.12.1815,First\nGrace,grace@x.org,9.12.1906,\n'
      const { body } = await lookAt(given.ada, 'people.csv', csv)
      return [
        ['"file_id":"01…"}\'', `"file_id":"${body.file_id}"}'`],
        ['/api/imports/01…', `/api/imports/${body.import_id}`],
      ]
    },
  },
  'docs/how-to/keep-files.md': {
    given: async (given) => {
      await given.ada.ok('POST', '/api/tags', { name: 'Document', fields: { files: 'File' } })
      return [['01JJXZ5T7GQ3M8K4B9R2C6D0EF', await uploaded(given, 'plan.pdf', '%PDF-1.7 the plan')]]
    },
  },
  'docs/how-to/look-at-the-base-as-it-was.md': {
    given: async (given) => {
      await taskView(given)
      return []
    },
  },
  'docs/how-to/move-to-postgresql.md': {
    given: async ({ service }) => [
      ['DATABASE_URL=file:./data/facet.db', `DATABASE_URL=${service.database_url}`],
    ],
    foreign: {
      'DATABASE_URL=postgres:': POSTGRES,
      'shared_buffers =': 'settings of PostgreSQL',
      'npm run -s facet -- user give-views':
        'views that nobody owns come from exports: test/contract/export.test.ts',
    },
  },
  'docs/how-to/run-in-production.md': {
    foreign: {
      'mkdir -p /opt/facet': 'systemd, as root; test/package.test.ts installs the tarball',
      'systemd-run --pipe': 'systemd, as root; test/package.test.ts runs the program',
      'useradd --system': 'accounts of the system, as root',
      '[Service]': 'the file of a unit',
      'docker compose':
        'a container engine; test/deploy.test.ts checks the file and runs the steps without one',
      'facet.example.org {': 'the file of a proxy',
    },
  },
  'docs/how-to/run-several-processes.md': {
    isEmpty: true,
    given: async ({ folder, service }) => {
      writeFileSync(join(folder, 'facet.env'), `DATABASE_URL=${service.database_url}\n`)
      return [['. /etc/facet/facet.env', '. ./facet.env']]
    },
    foreign: {
      '# /etc/pgbouncer/userlist.txt': 'the file of a pooler',
      "curl -b jar -H 'content-type: application/json' -d '{\"jsonrpc\"":
        'the id of the stream before; test/contract/mcp.test.ts sends it',
    },
  },
  'docs/how-to/send-changes-to-another-service.md': {
    given: async ({ ada }) => {
      const status = { type: 'Select', variants: ['open', 'paid'] }
      await ada.ok('POST', '/api/tags', { name: 'Order', fields: { status } })
      return []
    },
    foreign: {
      'POST /facet HTTP/1.1': 'what the other service gets',
      'curl -b cookies -X POST https://facet.example.org/api/webhooks/$ID/test':
        'an address that answers; test/contract/webhooks.test.ts has one',
      'WEBHOOK_PRIVATE=true npm start': 'a server that never ends',
    },
  },
  'docs/how-to/take-a-change-back.md': {
    given: async ({ ada }) => {
      await ada.ok('POST', '/api/items', { name: 'To be taken back' })
      const [{ change_id }] = await ada.ok('POST', '/api/changes/search', { limit: 1 })
      return [
        ['01JJXZ5T7GQ3M8K4B9R2C6D0CH', change_id],
        [', "client_id": "01J…"', ', "client_id": "01JJXZ5T7GQ3M8K4B9R2C6D0EF"'],
      ]
    },
  },
  'docs/how-to/take-everything-out.md': {
    given: async (given) => [['01JJXZ5T7GQ3M8K4B9R2C6D0EF', (await taskView(given)).view_id]],
  },
  'docs/how-to/use-a-key.md': {
    given: async ({ ada }) => {
      const fields = { state: { type: 'Select', variants: ['open', 'paid'] } }
      await ada.ok('POST', '/api/tags', { name: 'Invoice', fields })
      return [['export FACET_KEY=facet_…', ': # the key of above']]
    },
  },
  'docs/how-to/watch-the-service.md': { foreign: { 'RateLimit-Policy:': ANSWER } },
  'docs/how-to/write-a-program.md': {
    foreign: {
      'cd packages/client && npm pack': `${REGISTRY}; test/client-package.test.ts packs and installs it`,
    },
  },
}

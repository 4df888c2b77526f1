import { statSync } from 'node:fs'
import { badRequest, conflict } from '#src/domain/errors.ts'
import type { ReplyMeta } from '#src/domain/reply.ts'
import type { Config } from '#src/config/config.ts'
import type { Store } from '#src/cli/open-store.ts'
import type { SqlOperation, Step } from '#src/runtime/operation.ts'

/** As it is called in a checkout; the package, where it is `facet`, says that instead. */
export const PROGRAM = 'npm run facet --'

/** Every option of every command, as `parseArgs` takes it, with what it says in a help. */
export const OPTIONS = {
  json: { type: 'boolean', takes: '', does: 'answer in JSON' },
  help: { type: 'boolean', short: 'h', takes: '', does: 'this text' },
  version: { type: 'boolean', takes: '', does: 'the version' },
  'password-stdin': {
    type: 'boolean',
    takes: '',
    does: 'create, reset-password: read the password from standard input instead of making one',
  },
  role: { type: 'string', takes: 'ROLE', does: 'create: owner, editor or reader' },
  before: {
    type: 'string',
    takes: 'TIME',
    does: 'end-sessions: only those begun before TIME (ISO 8601)',
  },
  everything: {
    type: 'boolean',
    takes: '',
    does: 'end-sessions: and keys, apps, invitations, reset links; webhooks are suspended',
  },
  user: { type: 'string', takes: 'WHO', does: 'the account, by e-mail address or id' },
  scope: { type: 'string', takes: 'SCOPE', does: 'read, propose or write' },
  name: { type: 'string', takes: 'NAME', does: 'what it is for' },
  limit: {
    type: 'string',
    takes: 'JSON',
    does: 'the part of the base that it sees: {"tag_ids": ["Invoice"], "filter": {…}}',
  },
  'expires-in-days': { type: 'string', takes: 'N', does: 'without it the key does not expire' },
  'redirect-uri': {
    type: 'string',
    multiple: true,
    takes: 'URI',
    does: 'where the app waits for the answer; may come several times',
  },
  accounts: { type: 'boolean', takes: '', does: 'with accounts, their secrets and chats' },
  out: { type: 'string', takes: 'FILE', does: 'write here, not to standard output' },
  check: { type: 'boolean', takes: '', does: 'only say whether it is sound, or up to date' },
  head: {
    type: 'string',
    takes: 'HASH',
    does: 'verify: what it, or GET /api/audit-log/head, said before',
  },
  tag: { type: 'string', takes: 'NAME', does: 'the tag that the rows get: one that is there, or a new one' },
  key: { type: 'string', takes: 'COLUMN', does: 'the column by which rows meet items' },
  format: { type: 'string', takes: 'F', does: 'without it by the name of the file' },
  'header-row': { type: 'string', takes: 'N', does: 'the line or row of a sheet that has the headings' },
  'dry-run': { type: 'boolean', takes: '', does: 'only say what it would do' },
  item: { type: 'string', takes: 'ID', does: 'redact: whose events' },
  'take-over': {
    type: 'boolean',
    takes: '',
    does: "sweep: the place of the files is this base's from now on, whosever it was",
  },
  'unused-for': {
    type: 'string',
    takes: 'DAYS',
    does: 'sweep: only what no item has had for so long, e.g. 90d',
  },
  filter: { type: 'string', takes: 'JSON', does: 'only items that match, as in docs/reference/filters.md' },
  view: { type: 'string', takes: 'ID', does: 'only items of this view, whoever has it' },
  fields: { type: 'string', takes: 'LIST', does: 'parted by commas, or a list in JSON: name,Task.due' },
  sort: { type: 'string', takes: 'LIST', does: 'in which order, - before what goes down: Task.due,-name' },
  'as-of': { type: 'string', takes: 'TIME', does: 'the base as it was then' },
} as const
export type OptionName = keyof typeof OPTIONS

/** What every command takes. */
const ANYWHERE = new Set(['help', 'version'])

/** What was typed behind the words. */
export type Options = {
  -readonly [Name in OptionName]?:
    | ((typeof OPTIONS)[Name] extends { multiple: true }
        ? string[]
        : (typeof OPTIONS)[Name]['type'] extends 'boolean'
          ? boolean
          : string)
    | undefined
}

export interface Command {
  /** How it is used, without its name: `verify [--head HASH]`. One line for each way. */
  uses: readonly string[]
  does: string
  /** More of it, under its help. */
  more?: string
  options: readonly OptionName[]
  /** Without the program. */
  examples: readonly string[]
  /** Answers what is printed; nothing where it has printed by itself, or goes on. Loads only now what it needs. */
  run(words: readonly string[], options: Options): Promise<string | undefined>
}

/** @throws BadRequest with the first option that the command does not take */
export function refuseOptions(name: string, taken: readonly OptionName[], given: object): void {
  const other = Object.keys(given).find((each) => !ANYWHERE.has(each) && !taken.some((one) => one === each))
  if (other === undefined) return
  throw badRequest(`${name} does not take --${other}`, {
    suggestion: taken.length
      ? `It takes ${taken.map((each) => `--${each}`).join(', ')}`
      : 'It takes no options',
  })
}

/** @throws BadRequest: the command takes none of these words */
export function refuseSurplus(command: string, [surplus]: readonly string[]): void {
  if (surplus !== undefined) throw badRequest(`${command} does not take '${surplus}'`)
}

/** What Node says of a folder that is read as a file does not name it. @throws Conflict; ENOENT where nothing is there */
export function refuseFolder(path: string): void {
  if (statSync(path).isDirectory()) throw conflict(`${path} is a folder`, { suggestion: 'Name a file' })
}

/** Before a file is read more than once, or from its middle, as no pipe can be. @throws as `refuseFolder`, and Conflict */
export function refuseNoFile(path: string): void {
  refuseFolder(path)
  if (!statSync(path).isFile())
    throw conflict(`${path} is no file`, {
      suggestion: 'It is read more than once: write it to a file, and name that',
    })
}

/** What may be meant otherwise, beside what is printed. */
export function printWarnings({ warnings = [] }: ReplyMeta = {}): void {
  for (const each of warnings) process.stderr.write(`warning: ${each}\n`)
}

/** Does something with the service's database, which is closed afterwards. */
export async function withStore<T>(
  config: Config,
  operations: readonly (SqlOperation | Step)[],
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const { openStore } = await import('#src/cli/open-store.ts')
  const store = await openStore(config, operations)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

import { parseArgs } from 'node:util'
import { readUserCommand, USER_COMMANDS, USER_OPERATIONS } from '#src/cli/user-commands.ts'
import { APP_STEPS, readAppCommand } from '#src/cli/app-commands.ts'
import { KEY_STEPS, readKeyCommand } from '#src/cli/key-commands.ts'
import { readTypesCommand, TYPES_OPERATIONS } from '#src/cli/types-command.ts'
import { openStore } from '#src/cli/open-store.ts'
import { ConfigError, loadConfig } from '#src/config/read-config.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { VERSION } from '#src/domain/version.ts'

/** Loaded only when they are run: a command should start fast. */
const MOVING = new Set(['export', 'import'])
const COPYING = new Set(['backup', 'restore'])

/** A mistake in what was typed; everything else that goes wrong is 1. */
const WRONG_USE = 2

const HELP = `Usage: npm run facet -- user COMMAND [WHO] [--json]
       npm run facet -- key create --user WHO --scope read|write --name NAME
       npm run facet -- app create --name NAME --redirect-uri URI
       npm run facet -- export [--accounts] [--out FILE]
       npm run facet -- import FILE
       npm run facet -- backup [FILE]
       npm run facet -- restore COPY [--check]
       npm run facet -- audit verify [--head HASH]
       npm run facet -- audit redact --item ID
       npm run facet -- types [--check FILE]

${Object.entries(USER_COMMANDS)
  .map(([name, { takes, does }]) => `  ${`${name}${takes ? ` ${takes}` : ''}`.padEnd(26)} ${does}`)
  .join('\n')}

WHO is an e-mail address or a user id.

  --json              answer in JSON
  --password-stdin    reset-password: read the new password from standard input instead of making one
  --role ROLE         create: owner, editor or reader
  --before TIME       end-sessions: only those begun before TIME (ISO 8601)

  key create          print a new key, for a program that nobody signs in to

  --user WHO          whose key
  --scope SCOPE       read or write
  --name NAME         what it is for
  --expires-in-days N without it the key does not expire

  app create          print the client id of an app that cannot register itself

  --redirect-uri URI  where it waits for the answer; may come several times

  export              the whole base as JSON lines, to standard output or a file
  import FILE         an export into a new database; the service is stopped meanwhile
  backup [FILE]       a copy of the base, in BACKUP_TO or a file
  restore COPY        a copy into an empty base; --check: only whether it is sound
  audit verify        whether the audit log is as it was written, and with --head whether it continues that one
  types               TypeScript types of the base's tags
  audit redact        erase what the log says of an item, so that the chain still holds

  --help, --version   this text; the version
  --accounts          export: with accounts, their secrets and chats
  --out FILE          export: write here
  --check FILE        types: only say whether the file is what would be printed; 1 where it is stale
  --head HASH         what audit verify, or GET /api/audit-log/head, said before
  --item ID           whose events

The commands work on the database that DATABASE_URL (or .env) names; all but import while the service runs or is stopped.
For programs, \`npm run -s\` keeps npm's own lines out of what is printed.
`

const OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  'password-stdin': { type: 'boolean' },
  before: { type: 'string' },
  accounts: { type: 'boolean' },
  check: { type: 'boolean' },
  out: { type: 'string' },
  head: { type: 'string' },
  item: { type: 'string' },
  user: { type: 'string' },
  scope: { type: 'string' },
  name: { type: 'string' },
  'redirect-uri': { type: 'string', multiple: true },
  role: { type: 'string' },
  'expires-in-days': { type: 'string' },
} as const

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: OPTIONS,
  })
  if (values.version) {
    process.stdout.write(`${VERSION}\n`)
    return
  }
  if (values.help || !positionals.length || positionals[0] === 'help') {
    process.stdout.write(HELP)
    return
  }
  const [topic, ...words] = positionals
  if (MOVING.has(topic!)) {
    const { runTransferCommand } = await import('#src/cli/transfer-commands.ts')
    return runTransferCommand(positionals, loadConfig(), values)
  }
  if (COPYING.has(topic!)) {
    const { runBackupCommand } = await import('#src/cli/backup-commands.ts')
    process.stdout.write(`${await runBackupCommand(positionals, loadConfig(), values)}\n`)
    return
  }
  if (topic === 'audit') {
    const { runAuditCommand } = await import('#src/cli/audit-commands.ts')
    process.stdout.write(`${await runAuditCommand(words, loadConfig(), values)}\n`)
    return
  }
  const read = { user: readUserCommand, key: readKeyCommand, app: readAppCommand, types: readTypesCommand }
  if (!Object.hasOwn(read, topic!)) return wrongUse(`Unknown command '${topic}'`)
  const command = read[topic as keyof typeof read](words, values)
  const store = await openStore(loadConfig(), [
    ...USER_OPERATIONS,
    ...KEY_STEPS,
    ...APP_STEPS,
    ...TYPES_OPERATIONS,
  ])
  try {
    process.stdout.write(`${await command(store)}\n`)
  } finally {
    await store.close()
  }
}

function wrongUse(message: string): void {
  process.stderr.write(`${message}\n\nnpm run facet -- --help says what there is\n`)
  process.exitCode = WRONG_USE
}

process.umask(0o077) // exports and copies hold secrets
// Anyone who reads what is printed has read enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
try {
  await main()
} catch (error) {
  const { message, code } = error as Error & { code?: unknown }
  if (error instanceof ServiceError) {
    process.stderr.write(`${message}\n${error.suggestion ? `${error.suggestion}\n` : ''}`)
    process.exitCode = error.code === 'BadRequest' ? WRONG_USE : 1
  } else if (String(code).startsWith('ERR_PARSE_ARGS')) wrongUse(typed(message))
  else if (error instanceof ConfigError) {
    process.stderr.write(`${message}\n`)
    process.exitCode = 1
  } else if (fileFaultInWords(error) !== null) {
    process.stderr.write(`${fileFaultInWords(error)}\n`)
    process.exitCode = 1
  } else throw error
}

/** Node's own sentence about an option, without its advice on how to quote one. */
function typed(message: string): string {
  const [, option] = /^Unknown option '([^']*)'/.exec(message) ?? []
  return option ? `Unknown option '${option}'` : message.replace(/\. To specify .*$/s, '')
}

/** null: it is none. */
function fileFaultInWords(error: unknown): string | null {
  const { code, path } = error as Partial<NodeJS.ErrnoException>
  if (path === undefined) return null
  if (code === 'ENOENT') return `There is no ${path}`
  if (code === 'EACCES' || code === 'EPERM') return `${path} may not be read or written`
  if (code === 'EISDIR') return `${path} is a folder`
  if (code === 'ENOTDIR') return `${path} cannot be reached: a part of its path is no folder`
  return code === 'ENOSPC' ? `${path} cannot be written: the disk is full` : null
}

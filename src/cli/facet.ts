import { parseArgs } from 'node:util'
import { readUserCommand, USER_COMMANDS, USER_OPERATIONS } from '#src/cli/user-commands.ts'
import { KEY_STEPS, readKeyCommand } from '#src/cli/key-commands.ts'
import { openStore } from '#src/cli/open-store.ts'
import { ConfigError, loadConfig } from '#src/config/read-config.ts'
import { ServiceError } from '#src/domain/errors.ts'

/** Loaded only when they are run: a command should start fast. */
const MOVING = new Set(['export', 'import', 'backup'])

/** A mistake in what was typed; everything else that goes wrong is 1. */
const WRONG_USE = 2

const HELP = `npm run facet -- user COMMAND [WHO] [--json]
       npm run facet -- key create --user WHO --scope read|write --name NAME
       npm run facet -- export [--accounts] [--out FILE]
       npm run facet -- import FILE
       npm run facet -- backup [FILE]

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

  export              the whole base as JSON lines, to standard output or a file
  import FILE         an export into a new database; the service stands meanwhile
  backup [FILE]       a copy of the SQLite file

  --accounts          export: with accounts, their secrets and chats
  --out FILE          export: write here

The commands work on the database that DATABASE_URL (or .env) names; all but import while the service runs or stands.
`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      'password-stdin': { type: 'boolean' },
      before: { type: 'string' },
      accounts: { type: 'boolean' },
      out: { type: 'string' },
      user: { type: 'string' },
      scope: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string' },
      'expires-in-days': { type: 'string' },
    },
  })
  if (values.help || !positionals.length) {
    process.stdout.write(HELP)
    return
  }
  const [topic, ...words] = positionals
  if (MOVING.has(topic!)) {
    const { runMovingCommand } = await import('#src/cli/moving/moving-commands.ts')
    return runMovingCommand(positionals, loadConfig(), values)
  }
  if (topic !== 'user' && topic !== 'key') return wrongUse(`Unknown command '${topic}'`)
  const command = topic === 'user' ? readUserCommand(words, values) : readKeyCommand(words, values)
  const store = await openStore(loadConfig(), [...USER_OPERATIONS, ...KEY_STEPS])
  try {
    process.stdout.write(`${await command(store)}\n`)
  } finally {
    await store.close()
  }
}

function wrongUse(message: string): void {
  process.stderr.write(`${message}\n\n${HELP}`)
  process.exitCode = WRONG_USE
}

try {
  await main()
} catch (error) {
  const { message, code } = error as Error & { code?: unknown }
  if (error instanceof ServiceError) {
    process.stderr.write(`${message}\n${error.suggestion ? `${error.suggestion}\n` : ''}`)
    process.exitCode = error.code === 'BadRequest' ? WRONG_USE : 1
  } else if (String(code).startsWith('ERR_PARSE_ARGS')) wrongUse(message)
  else if (error instanceof ConfigError || code === 'ENOENT') {
    process.stderr.write(`${message}\n`)
    process.exitCode = 1
  } else throw error
}

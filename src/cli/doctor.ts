import { checkSecrets, checkSignIn } from '#src/cli/doctor/check-access.ts'
import {
  checkAddress,
  checkCookies,
  checkMetrics,
  checkProxy,
  checkTls,
} from '#src/cli/doctor/check-address.ts'
import {
  checkBackups,
  checkClock,
  checkDatabase,
  checkDisk,
  notOpened,
  notThereYet,
} from '#src/cli/doctor/check-base.ts'
import { checkContents, checkFiles, checkOwner } from '#src/cli/doctor/check-files.ts'
import { checkModel, checkProviders } from '#src/cli/doctor/check-outside.ts'
import { type Finding, fail, ok, warn, worded } from '#src/cli/doctor/finding.ts'
import type { Config } from '#src/config/config.ts'
import { ConfigError, loadConfig } from '#src/config/read-config.ts'
import { VERSION } from '#src/domain/version.ts'
import { type CommandConnection, openCommandConnection } from '#src/engine/command-connection.ts'
import { databaseIsThere } from '#src/sql/database-file.ts'

/** Where there is no base to look at. */
const NO_BASE = 'Not looked at: the base could not be opened'

/** Looks at the whole setup and changes nothing; ends with 1 where something fails. */
export async function runDoctor({ json = false }: { json?: boolean | undefined }): Promise<string> {
  const findings = await allFindings()
  if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
  return json ? JSON.stringify(findings, null, 2) : inWords(findings)
}

async function allFindings(): Promise<Finding[]> {
  let config: Config
  try {
    config = loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fail('settings', error.message, 'See docs/reference/configuration.md'), checkVersion()]
  }
  const [address, metrics, files, providers, model] = await Promise.all([
    checkAddress(config),
    checkMetrics(config),
    guarded('files', () => checkFiles(config)),
    checkProviders(config),
    checkModel(config),
  ])
  const { database, secrets, sign_in, clock, backups, contents } = await ofBase(config)
  return [
    ...config.misspelled.map((each) => warn('settings', each, 'Write its name right, or take it away')),
    address,
    metrics,
    checkCookies(config),
    checkTls(config),
    checkProxy(config),
    database,
    await guarded('disk', () => checkDisk(config)),
    worse(files, contents),
    secrets,
    clock,
    sign_in,
    providers,
    model,
    backups,
    checkVersion(),
  ]
}

const SEVERITY = ['ok', 'warn', 'fail']

/** Of two findings of one check. */
const worse = (first: Finding, second: Finding | null): Finding =>
  second && SEVERITY.indexOf(second.state) > SEVERITY.indexOf(first.state) ? second : first

interface OfBase extends Record<'database' | 'secrets' | 'sign_in' | 'clock' | 'backups', Finding> {
  /** Where the files are not those of the base, or another base's too. */
  contents: Finding | null
}

/** What is looked at where there is a base alone. */
const UNKNOWN: Omit<OfBase, 'database'> = {
  secrets: ok('secrets', NO_BASE),
  sign_in: ok('sign-in', NO_BASE),
  clock: ok('clock', NO_BASE),
  backups: ok('backups', NO_BASE),
  contents: null,
}

async function ofBase(config: Config): Promise<OfBase> {
  const { database } = config
  try {
    if (database.engine === 'sqlite' && !databaseIsThere(database.file))
      return { ...UNKNOWN, database: notThereYet(database.file), sign_in: await checkSignIn(config) }
    const connection = await openCommandConnection(database, { readonly: true })
    try {
      return await withBase(connection, config)
    } finally {
      await connection.close()
    }
  } catch (error) {
    return { ...UNKNOWN, database: notOpened(error) }
  }
}

async function withBase(connection: CommandConnection, config: Config): Promise<OfBase> {
  const database = await checkDatabase(connection, config.database)
  if (database.state === 'fail') return { ...UNKNOWN, database }
  return {
    database,
    secrets: await checkSecrets(connection, config),
    sign_in: await checkSignIn(config, connection),
    clock: await checkClock(connection, config.database),
    backups: await checkBackups(connection, config),
    contents: (await checkContents(connection, config)) ?? (await checkOwner(connection, config)),
  }
}

async function guarded(check: string, look: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    return warn(check, `It could not be looked at: ${worded(error)}`, 'Run it as the user of the service')
  }
}

const checkVersion = () =>
  ok('version', `Facet ${VERSION} on Node ${process.versions.node}, ${process.platform} ${process.arch}`)

const SIGNS = { ok: 'ok', warn: 'warn', fail: 'FAIL' }

function inWords(findings: readonly Finding[]): string {
  const lines = findings.map(({ check, state, says, do: what }) => {
    const line = `${SIGNS[state].padEnd(5)} ${check.padEnd(10)} ${says}`
    return what === null ? line : `${line}\n${' '.repeat(17)}→ ${what}`
  })
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length
  const [failed, doubtful] = [count('fail'), count('warn')]
  const end =
    failed + doubtful === 0 ? 'Nothing is wrong' : `${failed} to be mended, ${doubtful} to be looked at`
  return [...lines, '', end].join('\n')
}

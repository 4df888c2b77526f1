import { existsSync } from 'node:fs'
import { checkAddress, checkCookies, checkProxy, checkTls } from '#src/cli/doctor/check-address.ts'
import {
  checkBackups,
  checkClock,
  checkDatabase,
  checkDisk,
  notOpened,
  notThereYet,
} from '#src/cli/doctor/check-base.ts'
import { checkFiles, checkOwner } from '#src/cli/doctor/check-files.ts'
import { checkModel, checkProviders } from '#src/cli/doctor/check-outside.ts'
import { type Finding, fail, ok, warn, worded } from '#src/cli/doctor/finding.ts'
import type { Config } from '#src/config/config.ts'
import { ConfigError, loadConfig } from '#src/config/read-config.ts'
import { VERSION } from '#src/domain/version.ts'
import { openCommandConnection } from '#src/engine/command-connection.ts'

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
  const [address, files, providers, model] = await Promise.all([
    checkAddress(config),
    guarded('files', () => checkFiles(config)),
    checkProviders(config),
    checkModel(config),
  ])
  const { database, clock, backups, owner } = await ofBase(config)
  return [
    ...config.misspelled.map((each) => warn('settings', each, 'Write its name right, or take it away')),
    address,
    checkCookies(config),
    checkTls(config),
    checkProxy(config),
    database,
    await guarded('disk', () => checkDisk(config)),
    files.state === 'ok' && owner ? owner : files,
    clock,
    providers,
    model,
    backups,
    checkVersion(),
  ]
}

interface OfBase extends Record<'database' | 'clock' | 'backups', Finding> {
  /** Where the files are another base's. */
  owner: Finding | null
}

async function ofBase(config: Config): Promise<OfBase> {
  const { database } = config
  const unknown = { clock: ok('clock', NO_BASE), backups: ok('backups', NO_BASE), owner: null }
  if (database.engine === 'sqlite' && !existsSync(database.file))
    return { ...unknown, database: notThereYet(database.file) }
  try {
    const connection = await openCommandConnection(database, { readonly: true })
    try {
      const found = await checkDatabase(connection, database)
      if (found.state === 'fail') return { ...unknown, database: found }
      const clock = await checkClock(connection, database)
      const owner = await checkOwner(connection, config)
      return { database: found, clock, backups: await checkBackups(connection, config), owner }
    } finally {
      await connection.close()
    }
  } catch (error) {
    return { ...unknown, database: notOpened(error) }
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

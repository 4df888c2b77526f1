import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { KEY_BYTES, SecretBox } from '#src/auth/secret-box.ts'
import type { Config, DatabaseConfig } from '#src/config/config.ts'
import { secretKey } from '#src/config/setting.ts'
import { unavailable } from '#src/domain/errors.ts'
import { makeFoldersSync } from '#src/process/make-folders.ts'
import { databaseFile, fileFault, keyBeside } from '#src/sql/database-file.ts'

/** PostgreSQL has no place of its own next to which the key could lie: it is where SQLite would be by default. */
const WITHOUT_FILE = './data/facet.key'

type KeyConfig = Pick<Config, 'secret_keys' | 'database'>

/**
 * What seals and opens secrets: with the keys of SECRET_KEY, else with the one next to the database, which is made the
 * first time. That one goes on opening what it has sealed when SECRET_KEY comes later.
 * @throws ServiceUnavailable where the file cannot be read or made, or holds no key
 */
export const secretBox = (config: KeyConfig): SecretBox =>
  secretBoxThere(config) ?? new SecretBox([makeKey(keyFile(config.database))])

/** The same of keys that are there; null: there is none, and none is made. */
export function secretBoxThere({ secret_keys, database }: KeyConfig): SecretBox | null {
  const [first, ...others] = [...secret_keys, ...(readKey(keyFile(database)) ?? [])]
  return first === undefined ? null : new SecretBox([first, ...others])
}

/** The key next to the database, as it is written there; null: there is none. */
export const fileKey = (database: DatabaseConfig): string | null => readKey(keyFile(database))?.[0] ?? null

/** Where it is. */
export function keyFile(database: DatabaseConfig): string {
  if (database.engine === 'postgres') return WITHOUT_FILE
  try {
    return keyBeside(databaseFile(database.file))
  } catch (error) {
    throw fileFault(database.file, error)
  }
}

function readKey(file: string): [string] | null {
  try {
    return [secretKey(readFileSync(file, 'utf8').trim())]
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw unavailable(`The key file ${file} cannot be used: ${code ?? message}`, {
      // Another key would open nothing of what is encrypted with the one that is there.
      suggestion: code
        ? 'Make it a file that the user that runs Facet can read'
        : 'Put back the key that was there, or set SECRET_KEY',
    })
  }
}

/** Of two processes that begin at once one makes it, and both take that one. */
function makeKey(file: string): string {
  const unfinished = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    makeFoldersSync(dirname(file), 0o700)
    writeKey(unfinished)
    linkSync(unfinished, file) // whole, or not at all
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST')
      throw unavailable(`The key file ${file} cannot be made: ${code ?? message}`, {
        suggestion: 'Make its folder writable for the user that runs Facet, or set SECRET_KEY',
      })
  } finally {
    rmSync(unfinished, { force: true })
  }
  return readKey(file)![0]
}

const writeKey = (file: string): void =>
  writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })

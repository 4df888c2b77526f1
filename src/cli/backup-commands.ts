import { fileKey, keyFile } from '#src/auth/secret-keys.ts'
import { backUpTo } from '#src/backup/back-up-to.ts'
import { type CheckedWithFiles, checkCopyAt, restoreCopyFrom } from '#src/backup/fetched-copy.ts'
import { writeCopy, type WrittenCopy } from '#src/backup/write-copy.ts'
import { refuseNoFile } from '#src/cli/command.ts'
import { openStore } from '#src/cli/open-store.ts'
import { endedKeysInWords } from '#src/cli/transfer-commands.ts'
import type { Config } from '#src/config/config.ts'
import { namesS3 } from '#src/config/s3-place.ts'
import { badRequest, unavailable } from '#src/domain/errors.ts'
import { openStore as openFileStore } from '#src/files/open-store.ts'
import { fileFault } from '#src/sql/database-file.ts'
import { findBaseId, madeBackup, recordBackup } from '#src/operations/service/backup-steps.ts'
import { blobsInWords, faultsInWords } from '#src/files/blob-fault.ts'
import { openWhole } from '#src/transfer/open-whole.ts'

export interface BackupOptions {
  json?: boolean | undefined
  check?: boolean | undefined
}

/** Carries out `backup` and `restore`; answers what is printed. */
export async function runBackupCommand(
  [command, file, ...rest]: readonly string[],
  config: Config,
  { json = false, check = false }: BackupOptions,
): Promise<string> {
  if (rest.length) throw badRequest(`${command} does not take '${rest[0]}'`)
  if (command === 'backup') return told(await backUp(config, file), json, config)
  if (file === undefined) throw badRequest('restore needs the copy', { suggestion: 'restore COPY [--check]' })
  if (!namesS3(file)) refuseNoFile(file)
  return check ? checked(await checkCopyAt(config, file), json) : restore(config, file, json)
}

async function backUp(config: Config, file: string | undefined): Promise<WrittenCopy> {
  try {
    return file === undefined && config.backup.to !== null
      ? await backUpByPlan(config)
      : await backUpInto(config, localFile(file) ?? besideDatabase(config))
  } catch (error) {
    const { database } = config
    // What the file system refuses is the place of the copy.
    const isOfBase = String((error as { code?: unknown }).code).startsWith('SQLITE_')
    throw database.engine === 'sqlite' && isOfBase ? fileFault(database.file, error) : error
  }
}

function localFile(file: string | undefined): string | undefined {
  if (file === undefined || !namesS3(file)) return file
  throw badRequest('backup NAME makes a file of this machine', {
    suggestion: 'Set BACKUP_TO=s3://bucket/prefix and leave the name out',
  })
}

async function backUpInto(config: Config, file: string): Promise<WrittenCopy> {
  const connection = await openWhole(config.database)
  try {
    return await connection.snapshot(() => writeCopy(connection, config, file))
  } finally {
    await connection.close()
  }
}

/** As the service does when it is time. */
async function backUpByPlan(config: Config): Promise<WrittenCopy> {
  const store = await openStore(config, [findBaseId, recordBackup])
  try {
    const { base_id } = await store.call(findBaseId, {})
    const at = Date.now()
    const { place } = openFileStore(config.files)
    const copy = await backUpTo({ ...config, base_id, at }, (written) =>
      store.call(recordBackup, madeBackup(written, at, place)),
    )
    if (!copy)
      throw unavailable('A process of the service is making a copy now', { suggestion: 'Wait for it' })
    return copy
  } finally {
    await store.close()
  }
}

function besideDatabase({ database }: Config): string {
  const time = new Date().toISOString().replaceAll(':', '-')
  return database.engine === 'sqlite' ? `${database.file}.copy-${time}` : `facet-${time}.jsonl`
}

/** Files that it lacks make the exit code 1. */
function told(copy: WrittenCopy, json: boolean, config: Config): string {
  const { file, facts, bytes, holds_key, missing_files, damaged_files } = copy
  const { place } = openFileStore(config.files)
  const faults = faultsInWords(place, { missing: missing_files, damaged: damaged_files })
  if (faults.length) process.exitCode = 1
  if (json) return JSON.stringify({ file, bytes, ...facts, holds_key, missing_files, damaged_files }, null, 2)
  const sound = faults.length ? 'sound but for its files' : 'sound'
  return [`Backed up to ${file}, which is ${sound}`, ...faults, keyInWords(holds_key, config)].join('\n')
}

function keyInWords(holds_key: boolean, { database, secret_keys }: Config): string {
  if (database.engine === 'postgres') return 'The secrets of accounts are in it as they are: keep it safe'
  if (holds_key) return 'The key of its secrets is in it: keep it safe'
  if (secret_keys.length) return 'SECRET_KEY is not in it: keep that apart'
  const why =
    fileKey(database) === null
      ? `there is no ${keyFile(database)}`
      : `what is encrypted does not open with ${keyFile(database)}`
  return `The key of its secrets is not in it: ${why}`
}

/** Files that are not what they were make the exit code 1. */
function checked(copy: CheckedWithFiles, json: boolean): string {
  if (filesInWords(copy).length) process.exitCode = 1
  return json ? JSON.stringify(copy, null, 2) : checkedWords(copy)
}

function checkedWords(copy: CheckedWithFiles): string {
  const { file, made_at, version, counts, head, has_key, missing_files, damaged_files } = copy
  return [
    `${file} is ${missing_files.length + damaged_files.length ? 'sound but for its files' : 'sound'}`,
    ...(made_at ? [`Made at ${made_at} by version ${version}`] : []),
    countsInWords(counts),
    `Head of the log: ${head ?? 'none'}`,
    ...filesInWords(copy),
    ...(has_key
      ? []
      : [
          'The key of its secrets is not in it: restore it with the key file (facet.key) or the SECRET_KEY of then',
        ]),
  ].join('\n')
}

const filesInWords = ({ missing_files, damaged_files }: CheckedWithFiles): string[] => [
  ...blobsInWords('are not where they belong', missing_files),
  ...blobsInWords('are damaged', damaged_files),
]

const SHOWN = [
  ['item', 'items'],
  ['tag', 'tags'],
  ['view', 'views'],
  ['account', 'accounts'],
  ['audit_event', 'events of the log'],
] as const

const countsInWords = (counts: Record<string, number>) =>
  SHOWN.map(([name, words]) => `  ${words.padEnd(18)} ${counts[name] ?? 0}`).join('\n')

/** Files that the base lacks make the exit code 1. */
async function restore(config: Config, file: string, json: boolean): Promise<string> {
  const { copy, access, ended_keys, key_file, files } = await restoreCopyFrom(config, file)
  const { from, missing: missing_files, damaged: damaged_files } = files
  const faults = faultsInWords(from, files)
  if (faults.length) process.exitCode = 1
  if (json)
    return JSON.stringify({ ...copy, missing_files, damaged_files, ...access, ended_keys, key_file }, null, 2)
  const lines = [
    `Restored ${file}`,
    countsInWords(copy.counts),
    'All sessions, open links and half-done sign-ins of the copy have ended',
    'It brings back, also what was ended after it was made:',
    ...access.accounts.map(
      ({ email, role, disabled }) => `  account  ${email}  ${role}${disabled ? ', disabled' : ''}`,
    ),
    ...access.keys.map(
      ({ email, name, prefix, scope }) => `  key      ${prefix}…  ${name}, ${scope}, of ${email}`,
    ),
    ...access.apps.map(({ email, name, scope }) => `  app      ${name}, ${scope}, of ${email}`),
    ...access.webhooks.map(({ url }) => `  webhook  ${url}, disabled`),
  ]
  if (access.webhooks.length)
    lines.push('Webhooks send nothing from here until owners enable them, in the settings or over the API')
  if (ended_keys) lines.push(endedKeysInWords(ended_keys))
  lines.push(...faults)
  if (key_file && copy.has_key) lines.push(`The key of its secrets lies at ${key_file}`)
  else if (!copy.has_key && !config.secret_keys.length)
    lines.push(
      `The key of its secrets was not in it: the key file of then (facet.key) belongs at ${keyFile(config.database)}; where SECRET_KEY was set, start the service with the same one`,
    )
  return lines.join('\n')
}

import { existsSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { keyFile } from '#src/auth/secret-keys.ts'
import { type Finding, fail, ok, warn } from '#src/cli/doctor/finding.ts'
import type { Config, FilesConfig, S3Config } from '#src/config/config.ts'
import { filesApart } from '#src/config/doubtful-settings.ts'
import { readS3Place, s3ConfigOf } from '#src/config/s3-place.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import type { CommandConnection } from '#src/engine/command-connection.ts'
import { type FileStore, MissingBlob } from '#src/files/file-store.ts'
import { type FolderFault, folderFault } from '#src/files/folder-fault.ts'
import { type S3Fault, s3FaultOf } from '#src/files/s3-fault.ts'
import { openStore } from '#src/files/open-store.ts'
import { S3Store } from '#src/files/s3-store.ts'
import { ownerInWords, ownerNow, TAKE_OVER } from '#src/operations/files/store-owner.ts'
import type { SqlContext, Step } from '#src/runtime/operation.ts'
import { newestBlobs } from '#src/storage/files/files.ts'

/** Of the newest files, so many are to be where FILES leads. */
const LOOKED_FOR = 5
/** Bits of a file's mode that let others than its owner in. */
const OTHERS = 0o077

/** The base and the key of its secrets are their owner's alone; where FILES leads can be read and written. */
export async function checkFiles(config: Config): Promise<Finding> {
  const { found, open } = ownFiles(config)
  if (open.length)
    return fail(
      'files',
      `Others on this machine may read ${open.join(' and ')}`,
      `chmod 600 ${open.join(' ')}`,
    )
  const fault = config.files.kind === 's3' ? await s3FaultAt(config.files) : folderFault(config.files.folder)
  if (fault) return fail('files', `The files: ${fault.message}`, fault.remedy)
  const [doubt, mend] = filesApart(config)?.split('. ') ?? []
  if (doubt !== undefined) return warn('files', doubt, mend ?? 'Set FILES')
  const said = found.length ? `${found.join(', ')}: for their owner alone; files` : 'Files'
  return ok('files', `${said} are in ${placeOf(config.files)}`)
}

function ownFiles({ database, secret_keys }: Config): { found: string[]; open: string[] } {
  const files = database.engine === 'sqlite' ? [database.file] : []
  // Asking for the key's place makes the folder of a base that is not there yet.
  if (!secret_keys.length && files.every((file) => existsSync(file))) files.push(keyFile(database))
  const found = files.filter((file) => existsSync(file))
  const open = process.platform === 'win32' ? [] : found.filter((file) => statSync(file).mode & OTHERS)
  return { found, open }
}

/** Null: the store has the newest files of the base, or a look at the store has found another fault. */
export async function checkContents({ db }: CommandConnection, { files }: Config): Promise<Finding | null> {
  const store = openStore(files)
  const newest = await newestBlobs(db, LOOKED_FOR)
  const there = await Promise.all(newest.map((blob) => isIn(store, blob))).catch(() => [])
  const missing = there.filter((isThere) => !isThere).length
  if (!missing) return null
  return fail(
    'files',
    newest.length === 1
      ? `The newest file of the base is not in ${store.place}`
      : `${missing} of the newest ${newest.length} files of the base are not in ${store.place}`,
    'Set FILES to where they are, or put them back: facet files verify says which are missing',
  )
}

async function isIn(store: FileStore, blob: string): Promise<boolean> {
  try {
    ;(await store.open(blob)).destroy()
    return true
  } catch (error) {
    if (error instanceof MissingBlob) return false
    throw error
  }
}

/** Null: the files are this base's, or a start will find that out. */
export async function checkOwner({ db }: CommandConnection, { files }: Config): Promise<Finding | null> {
  const store = openStore(files)
  const call = async <I extends object, O>(step: Step<I, O>, input: I): Promise<O> =>
    (await step.run({ db } as SqlContext, input)) as O
  try {
    const doubt = ownerInWords(await ownerNow(call, store, Date.now()), store.place)
    return doubt === null ? null : warn('files', doubt, TAKE_OVER)
  } catch {
    // What keeps it from being read is a finding of its own.
    return null
  }
}

const placeOf = (files: FilesConfig): string =>
  files.kind === 's3' ? new S3Store(files).place : files.folder

/** Why no copy can be made where BACKUP_TO leads: the bucket does not answer, or the folder cannot be written. */
export async function faultOfBackups({ backup, s3 }: Config): Promise<S3Fault | FolderFault | null> {
  if (backup.to === null) return null
  const place = readS3Place(backup.to)
  return place ? s3FaultAt(s3ConfigOf(s3, place)) : folderFault(backup.to, 'BACKUP_TO')
}

/** Lists, writes, reads and deletes there, by a file of its own: a key may be let do some of that alone. */
async function s3FaultAt(config: S3Config): Promise<S3Fault | null> {
  const store = new S3Store(config)
  const blob = ulidSource()(Date.now())
  try {
    await store.list()[Symbol.asyncIterator]().next()
    await store.put(blob, Readable.from([Buffer.from(blob)]))
    try {
      await buffer(await store.open(blob))
    } finally {
      await store.remove(blob)
    }
    return null
  } catch (error) {
    const fault = s3FaultOf(error)
    if (!fault) throw error
    return fault
  }
}

import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { checkCopy, type CheckedCopy } from '#src/backup/check-copy.ts'
import { baseOfCopy, kindByName } from '#src/backup/copy-name.ts'
import { refuseTaken, type Restored, restoreCopy } from '#src/backup/restore-copy.ts'
import { S3Bucket, withS3Fault } from '#src/backup/s3-bucket.ts'
import { inStagingFolder } from '#src/backup/staging-folder.ts'
import type { CopiedConfig } from '#src/backup/write-copy.ts'
import { missingForS3, namesS3, readS3Place, s3Address, s3ConfigOf } from '#src/config/s3-place.ts'
import type { S3Place } from '#src/config/config.ts'
import { badRequest, ServiceError, unavailable } from '#src/domain/errors.ts'
import type { KnownBlob } from '#src/files/blob-fault.ts'
import { MissingBlob } from '#src/files/file-store.ts'
import { S3Store } from '#src/files/s3-store.ts'
import { faultsIn, sizesIn, storeBeside } from '#src/transfer/moved-files.ts'

/** A copy whose files were looked for, too. */
export interface CheckedWithFiles extends CheckedCopy {
  /** Blobs that belong to it and are not where its files are. */
  missing_files: string[]
  /** Those whose bytes are others than they were; files in S3 are not read. */
  damaged_files: string[]
}

/** As `checkCopy`, wherever it is, with its files. */
export async function checkCopyAt(config: CopiedConfig, at: string): Promise<CheckedWithFiles> {
  const place = placeOf(at)
  return place
    ? fetched(config, place, (file, copy) => checkFetched(config, file, copy))
    : checkBeside(config, at)
}

async function checkBeside({ database }: CopiedConfig, file: string): Promise<CheckedWithFiles> {
  const contents: KnownBlob[] = []
  const copy = await checkCopy(file, { database, onContent: (content) => void contents.push(content) })
  const { missing, damaged } = await faultsIn(storeBeside(file), contents)
  return { ...copy, missing_files: missing, damaged_files: damaged }
}

/** As `restoreCopy`, wherever it is. */
export async function restoreCopyFrom(config: CopiedConfig, at: string): Promise<Restored> {
  const place = placeOf(at)
  if (!place) return restoreCopy(config, at)
  // The folder of a machine that has none yet: what is fetched lies there.
  refuseTaken(config.database, kindByName(place.prefix))
  return fetched(config, place, async (file, { bucket, name }) => {
    const restored = await restoreCopy(config, file, bucket.contents)
    return { ...restored, copy: { ...restored.copy, file: bucket.addressOf(name) } }
  })
}

/** Null: it is a file of this machine. @throws BadRequest where it is meant to be in S3, and is no place there */
function placeOf(at: string): S3Place | null {
  const place = readS3Place(at)
  if (!place && namesS3(at))
    throw badRequest(`'${at}' is no place in S3`, { suggestion: 'Name a copy as s3://bucket/prefix/NAME' })
  return place
}

interface CopyInS3 {
  bucket: S3Bucket
  name: string
}

/** `work` gets the copy as a file that goes away afterwards; what it says of that file is reported of the copy. */
async function fetched<T>(
  config: CopiedConfig,
  place: S3Place,
  work: (file: string, copy: CopyInS3) => Promise<T>,
): Promise<T> {
  const missing = missingForS3(config.s3)
  if (missing.length)
    throw badRequest(`${missing.join(' and ')} missing: ${s3Address(place)} leads to S3`, {
      suggestion: 'Set them, and S3_ENDPOINT and S3_REGION, as for the service that made the copy',
    })
  return withS3Fault(async () => {
    const copy = await findCopy(config, place)
    return inStagingFolder(config.database, async (folder) => {
      const file = join(folder, copy.name)
      await pipeline(await copy.bucket.copies.open(copy.name), createWriteStream(file, { mode: 0o600 }))
      return work(file, copy).catch((error: unknown) => {
        throw toldOf(copy, file, error)
      })
    })
  })
}

async function findCopy({ s3 }: CopiedConfig, { bucket, prefix }: S3Place): Promise<CopyInS3> {
  const parts = prefix.split('/')
  const name = parts.pop()!
  const base_id = baseOfCopy(name)
  if (base_id === null) throw await namesNone(new S3Store(s3ConfigOf(s3, { bucket, prefix }), isCopy))
  const found = { bucket: new S3Bucket(s3, { bucket, prefix: parts.join('/') }, base_id), name }
  for await (const { blob } of found.bucket.copies.list()) if (blob === name) return found
  throw await namesNone(new S3Store(s3ConfigOf(s3, { bucket, prefix: parts.join('/') }), isCopy))
}

const isCopy = (name: string) => baseOfCopy(name) !== null

async function namesNone(copies: S3Store): Promise<ServiceError> {
  const names = [...(await sizesIn(copies)).keys()].toSorted(byTime)
  const newest = names.at(-1)
  return newest === undefined
    ? unavailable(`There is no copy in ${copies.place}`, {
        suggestion: 'Name one as s3://bucket/prefix/NAME',
      })
    : badRequest(`Which of the ${names.length} copies in ${copies.place}?`, {
        suggestion: `The newest is ${copies.place}/${newest}`,
      })
}

/** By what stands behind the id of the base. */
const byTime = (a: string, b: string) => (timeOf(a) < timeOf(b) ? -1 : 1)
const timeOf = (name: string) => name.slice(name.lastIndexOf('-'))

async function checkFetched(
  { database }: CopiedConfig,
  file: string,
  { bucket, name }: CopyInS3,
): Promise<CheckedWithFiles> {
  const copy = await checkCopy(file, { database })
  const missing_files = await missingIn(bucket, name)
  return { ...copy, file: bucket.addressOf(name), missing_files, damaged_files: [] }
}

async function missingIn(bucket: S3Bucket, name: string): Promise<string[]> {
  const there = await sizesIn(bucket.contents)
  const missing: string[] = []
  try {
    for await (const { blob, size } of bucket.readList(name)) if (there.get(blob) !== size) missing.push(blob)
  } catch (error) {
    if (error instanceof MissingBlob) throw unavailable(`The list of its files is gone: ${error.message}`)
    throw error
  }
  return missing
}

function toldOf({ bucket, name }: CopyInS3, file: string, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error
  const { code, suggestion } = error
  const at = bucket.addressOf(name)
  const message = error.message.replaceAll(file, at)
  const told = new ServiceError(code, message.includes(at) ? message : `${at}: ${message}`, {
    ...(suggestion !== undefined && { suggestion }),
  })
  told.cause = error.cause
  return told
}

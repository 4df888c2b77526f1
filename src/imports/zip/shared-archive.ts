import { Readable } from 'node:stream'
import { type ImportFile, ImportFault } from '#src/imports/source.ts'
import { Archive, type ArchiveOptions } from '#src/imports/zip/archive.ts'

/** Milliseconds that an archive stays open for who may want the next file of it. */
const LINGER = 3000

interface Held {
  path: string
  archive: Promise<Archive>
  users: number
  timer: NodeJS.Timeout | undefined
}

/** The archive that was read last: an import opens one embedded file of it after the other. */
let held: Held | undefined

/** @throws ImportFault where the archive has no such file */
export async function openArchived(
  file: ImportFile,
  path: string,
  options: ArchiveOptions = {},
): Promise<Readable> {
  const own = hold(file, options)
  try {
    const found = (await own.archive).files.get(path)
    if (!found) throw new ImportFault('the archive has no such file', { file: path })
    const bytes = await found.open()
    bytes.once('close', () => release(own))
    return bytes
  } catch (error) {
    release(own)
    throw error
  }
}

function hold(file: ImportFile, options: ArchiveOptions): Held {
  if (held?.path !== file.path)
    held = { path: file.path, archive: Archive.open(file, options), users: 0, timer: undefined }
  clearTimeout(held.timer)
  held.users++
  return held
}

function release(own: Held): void {
  own.users--
  if (own.users) return
  own.timer = setTimeout(() => {
    if (held === own) held = undefined
    own.archive.then(
      (archive) => archive.close(),
      () => {},
    )
  }, LINGER)
  own.timer.unref()
}

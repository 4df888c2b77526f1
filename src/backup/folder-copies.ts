import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isUnfinishedCopy, readCopyName } from '#src/backup/copy-name.ts'
import type { CopyPlace } from '#src/backup/copy-place.ts'
import { type CopiedConfig, writeCopy, type WrittenCopy } from '#src/backup/write-copy.ts'
import { unavailable } from '#src/domain/errors.ts'
import type { CommandConnection } from '#src/engine/command-connection.ts'
import { makeFoldersSync } from '#src/process/make-folders.ts'
import { filesBeside, newestFilesIn } from '#src/transfer/moved-files.ts'

const FILES = filesBeside('')

/** Copies in a folder of this machine, or one that is mounted. */
export class FolderCopies implements CopyPlace {
  private readonly folder: string
  private readonly config: CopiedConfig
  private readonly base_id: string

  constructor(folder: string, config: CopiedConfig, base_id: string) {
    this.folder = folder
    this.config = config
    this.base_id = base_id
  }

  async prepare(before: number): Promise<void> {
    makeFolder(this.folder)
    for (const name of readdirSync(this.folder)) {
      if (!isUnfinishedCopy(name, this.base_id)) continue
      const path = join(this.folder, name)
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found?.isFile() && found.mtimeMs < before) rmSync(path, { force: true })
    }
  }

  async write(connection: CommandConnection, name: string): Promise<WrittenCopy> {
    const before = await newestFilesIn(this.folder, (each) => readCopyName(each, this.base_id) !== null)
    const copy = await writeCopy(connection, this.config, join(this.folder, name), before)
    syncFolder(this.folder)
    return copy
  }

  async names(): Promise<string[]> {
    const entries = readdirSync(this.folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }

  async remove(gone: readonly string[], kept: ReadonlySet<string>, before: number): Promise<void> {
    for (const name of gone) rmSync(join(this.folder, name), { force: true })
    // Also of copies that were cut off, or taken away by hand.
    for (const each of readdirSync(this.folder)) {
      const name = each.endsWith(FILES) ? each.slice(0, -FILES.length) : ''
      const copy = readCopyName(name, this.base_id)
      if (copy && !kept.has(name) && (gone.includes(name) || copy.at < before))
        rmSync(join(this.folder, each), { recursive: true, force: true })
    }
  }
}

function makeFolder(folder: string): void {
  try {
    makeFoldersSync(folder, 0o700)
  } catch (error) {
    throw unavailable(`The folder ${folder} for copies cannot be made: ${(error as Error).message}`, {
      suggestion: 'Set BACKUP_TO to a folder that the user of the service may write to',
    })
  }
}

/** So that the new name outlasts a power cut before an older copy is taken away. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

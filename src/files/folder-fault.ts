import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Why no file can be kept in a folder. */
export interface FolderFault {
  message: string
  remedy: string
  /** As somebody has set it up, who may want to read alone. */
  isReadOnly: boolean
}

/** Looks at the folder that a setting names, or at where it would be made; null: it can be used. */
export function folderFault(
  folder: string,
  setting: 'FILES' | 'BACKUP_TO' | 'DATABASE_URL' = 'FILES',
): FolderFault | null {
  const at = nearestThere(resolve(folder))
  try {
    if (!statSync(at).isDirectory())
      return { message: `${at} is no folder`, remedy: `Set ${setting} to a folder`, isReadOnly: false }
    accessSync(at, constants.R_OK | constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'EROFS'
    const why = isReadOnly ? 'is on a file system that is only read' : 'may not be written by this user'
    return { message: `${at} ${why}`, remedy: `Make it writable, or set ${setting}`, isReadOnly }
  }
}

/** The folder, or the first above it that is there. */
export function nearestThere(folder: string): string {
  const above = dirname(folder)
  // Of a disk that is not there nothing is.
  return existsSync(folder) || above === folder ? folder : nearestThere(above)
}

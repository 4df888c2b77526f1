import type { FilesConfig } from '#src/config/config.ts'
import type { FileStore } from '#src/files/file-store.ts'
import { FolderStore } from '#src/files/folder-store.ts'
import { S3Store } from '#src/files/s3-store.ts'

/** The store that FILES names. */
export const openStore = (config: FilesConfig): FileStore =>
  config.kind === 'folder'
    ? new FolderStore(config.folder, 'the place of files (FILES)')
    : new S3Store(config)

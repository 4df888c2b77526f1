import { isDiskFull } from '#src/process/disk-full.ts'

/** What the system says of a path. */
const OF_PATH: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no ${path}`,
  EACCES: (path) => `${path} may not be read or written`,
  EPERM: (path) => `${path} may not be read or written`,
  EROFS: (path) => `${path} cannot be written: its file system is only read`,
  EEXIST: (path) => `${path} is there already`,
  EISDIR: (path) => `${path} is a folder`,
  ENOTDIR: (path) => `${path} cannot be reached: a part of its path is no folder`,
  ELOOP: (path) => `${path} cannot be reached: its links lead in a circle`,
  ENAMETOOLONG: (path) => `${path} is too long a name`,
  EIO: (path) => `${path} cannot be read or written: its disk fails`,
}

/** What a file or a folder is refused for, in words; null: it is another fault. */
export function fileFaultInWords(error: unknown): string | null {
  const { code, path } = error as Partial<NodeJS.ErrnoException>
  // Where writing fails, and not opening, the system names no file.
  if (path === undefined) return isDiskFull(error) ? 'The disk is full: it was not written' : null
  if (isDiskFull(error)) return `${path} cannot be written: the disk is full`
  return OF_PATH[code ?? '']?.(path) ?? null
}

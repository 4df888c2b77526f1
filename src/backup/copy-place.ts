import type { CommandConnection } from '#src/engine/command-connection.ts'
import type { WrittenCopy } from '#src/backup/write-copy.ts'

/** Where the copies of one base are kept. What lies there next to them is never touched. */
export interface CopyPlace {
  /** Makes it ready, and takes away what killed processes have left before that time, in milliseconds. */
  prepare(before: number): Promise<void>
  /** Writes a copy under that name, with the files, and reads it again. Inside the connection's snapshot. */
  write(connection: CommandConnection, name: string): Promise<WrittenCopy>
  /** Names of what is there; copies of ours are among them. */
  names(): Promise<string[]>
  /**
   * Removes these copies, and files that none of the `kept` ones has. What has been without its copy since `before` was
   * cut off; what is newer may belong to one that another process writes.
   */
  remove(gone: readonly string[], kept: ReadonlySet<string>, before: number): Promise<void>
}

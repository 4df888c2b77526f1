import { DISK_FAILS, DISK_FULL } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'

const OF_DISKS = new Set<string>([...Object.values(DISK_FULL), ...Object.values(DISK_FAILS)])

/**
 * What the disk refused to take. On a disk that is full the next small write often finds room where a larger one does
 * not: so it stays until somebody has seen that there is room again.
 */
export class DiskFault {
  now: Error | null = null

  async watched(write: Promise<Reply>): Promise<Reply> {
    try {
      return await write
    } catch (error) {
      if (error instanceof Error && OF_DISKS.has(error.message)) this.now = error
      throw error
    }
  }

  forget(): void {
    this.now = null
  }
}

import { readdirSync, readlinkSync } from 'node:fs'

/** Descriptors of this process that lead into a folder; on Linux. */
export const openFilesIn = (folder: string): string[] =>
  readdirSync('/proc/self/fd').filter((each) => {
    try {
      return readlinkSync(`/proc/self/fd/${each}`).startsWith(folder)
    } catch {
      return false // that of the listing
    }
  })

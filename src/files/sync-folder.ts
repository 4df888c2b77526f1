import { open } from 'node:fs/promises'

/** A name is there after a power cut only where its folder was written too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

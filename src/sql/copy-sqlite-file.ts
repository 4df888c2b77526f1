import Database from 'better-sqlite3'

/** All pages in one step, so that the copy is of one moment and no writer can make it start again. */
const ALL_PAGES = 0x7fffffff

/**
 * Copies a database that may be in use: what is committed when the copy begins is in it.
 * @throws where the copy is not sound
 */
export async function copySqliteFile(file: string, target: string): Promise<void> {
  const source = new Database(file, { readonly: true })
  try {
    await source.backup(target, { progress: () => ALL_PAGES })
  } finally {
    source.close()
  }
  const copy = new Database(target)
  try {
    const [first] = copy.pragma('integrity_check(1)') as { integrity_check: string }[]
    if (first?.integrity_check !== 'ok') throw new Error(`${file} is damaged: ${first?.integrity_check}`)
  } finally {
    copy.close()
  }
}

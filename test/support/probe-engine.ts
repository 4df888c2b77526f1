import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '#src/engine/engine.ts'
import { startSqliteEngine } from '#src/engine/sqlite-engine.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'
import { runProbe } from '#test/support/engine-probe.ts'

/** An engine with the operations of the probe, on a file of its own that goes with it. */
export async function startProbeEngine(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'facet-probe-'))
  const file = join(folder, 'facet.db')
  const lock = await prepareSqliteFile(file)
  const worker = new URL('./engine-probe.ts', import.meta.url)
  const engine = await startSqliteEngine({ file, worker, run: runProbe, log() {} })
  return {
    ...engine,
    async close() {
      await engine.close()
      lock.release()
      rmSync(folder, { recursive: true })
    },
  }
}

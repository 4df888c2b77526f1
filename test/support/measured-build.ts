// Builds the web application as the first start of a checkout does, and says what that took: one line of JSON.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from '#src/api/web/build-web.ts'
import { writeBuild } from '#src/api/web/web-cache.ts'

export interface MeasuredBuild {
  files: number
  seconds: number
  /** Seconds of processor time, of all processes. */
  computed: number
}

/** Ticks of the processor's time in a second, as Linux counts them. */
const TICKS = 100

/** Of this process and those of it that have ended: fields 14 to 17, behind the name, which may hold anything. */
function computed(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ').slice(11, 15)
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
}

const folder = mkdtempSync(join(tmpdir(), 'facet-build-'))
const before = computed()
const begun = performance.now()
const build = await buildWeb()
await writeBuild(folder, build)
const measured: MeasuredBuild = {
  files: build.files.length,
  seconds: (performance.now() - begun) / 1000,
  computed: computed() - before,
}
rmSync(folder, { recursive: true })
process.stdout.write(JSON.stringify(measured))

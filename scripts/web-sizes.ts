// Builds the web application and fails where a part is larger than what it may be (gzip); part of `npm run check`.
import { gzipSync } from 'node:zlib'
import { buildWeb } from '#src/api/web/build-web.ts'

const KB = 1024
/** Bytes, of what each part alone brings; the start comes before anything is shown. */
const BUDGETS: Readonly<Record<string, number>> = { start: 150 * KB, 'start, styles': 15 * KB }
const LAZY = 120 * KB

const { manifest, files } = await buildWeb()
const sizes = new Map(files.map(({ name, contents }) => [name, gzipSync(contents, { level: 9 }).length]))
const parts = manifest.sizes.map(({ part, files: names }) => ({
  part,
  size: names.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0),
  budget: BUDGETS[part] ?? LAZY,
}))
for (const { part, size, budget } of parts) {
  const line = `${part.padEnd(44)} ${(size / KB).toFixed(1).padStart(7)} of ${budget / KB} KB`
  if (size > budget) process.exitCode = 1
  if (size > budget || process.argv.includes('--all')) process.stdout.write(`${line}\n`)
}
const [first] = parts
process.stdout.write(
  `web: ${parts.length} parts, ${(first!.size / KB).toFixed(0)} KB at the start${process.exitCode ? ', too large' : ''}\n`,
)
const { stop } = await import('esbuild')
await stop()

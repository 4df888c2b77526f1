// Builds the web application and fails where a part is larger than what it may be (gzip); part of `npm run check`.
import { gzipSync } from 'node:zlib'
import { buildWeb } from '#src/api/web/build-web.ts'

const KB = 1024
/** Bytes, of what each part alone brings; the start comes before anything is shown. */
const BUDGETS: Readonly<Record<string, number>> = { start: 150 * KB, 'start, styles': 24 * KB }
const LAZY = 120 * KB

const { manifest, files } = await buildWeb()
const sizes = new Map(files.map(({ name, contents }) => [name, gzipSync(contents, { level: 9 }).length]))
// What half of the parts and more bring is there before most of them: a part of its own.
const users = new Map<string, number>()
for (const name of manifest.sizes.flatMap((each) => each.files)) users.set(name, (users.get(name) ?? 0) + 1)
const shared = [...users].filter(([, count]) => count * 2 >= manifest.sizes.length).map(([name]) => name)
const parts = [...manifest.sizes, { part: 'shared by most parts', files: shared }].map(
  ({ part, files: names }) => ({
    part,
    size: names
      .filter((name) => names === shared || !shared.includes(name))
      .reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0),
    budget: BUDGETS[part] ?? LAZY,
  }),
)
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

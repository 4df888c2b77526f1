// Fails on an import that goes up the layers of ARCHITECTURE.md, or round in a circle; type imports count too.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SOURCE = join(ROOT, 'src')

/** Lowest first. Folders on one line do not import each other. */
const LAYERS: readonly (readonly string[])[] = [
  ['domain'],
  ['config', 'json'],
  ['sql'],
  ['filter', 'auth'],
  ['engine', 'storage'],
  ['operations'],
  ['api'],
  ['app.ts'],
  ['main.ts', 'worker.ts', 'cli'],
]

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g

const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))

/** Each file with the files of `src/` that it imports. */
const imports = new Map(files.map((file) => [file, importsOf(file)]))

function importsOf(file: string): string[] {
  const targets = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map((match) => match[1]!)
  return targets.flatMap((target) => {
    if (target.startsWith('#src/')) return [join(SOURCE, target.slice('#src/'.length))]
    return target.startsWith('.') ? [resolve(dirname(file), target)] : []
  })
}

function layerOf(file: string): number {
  const top = relative(SOURCE, file).split('/')[0]!
  return LAYERS.findIndex((layer) => layer.includes(top))
}

const name = (file: string) => relative(ROOT, file)
const folder = (file: string) => relative(SOURCE, file).split('/')[0]!

const faults: string[] = []
for (const [file, targets] of imports) {
  // Tests lie beside their file and may use what they like.
  if (file.endsWith('.test.ts')) continue
  const layer = layerOf(file)
  if (layer < 0)
    faults.push(`${name(file)} stands in no layer: add its folder to LAYERS in scripts/check-layers.ts`)
  for (const target of targets) {
    const up = layerOf(target) > layer
    const across = layerOf(target) === layer && folder(target) !== folder(file)
    if (up || across) faults.push(`${name(file)} imports ${name(target)}: ${up ? 'upward' : 'across'}`)
  }
}

for (const circle of circles()) faults.push(`circle: ${circle.map(name).join(' → ')}`)

/** One circle for each file that closes one, by depth-first search. */
function circles(): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) found.push([...path.slice(at), file])
    if (at >= 0 || done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  return found
}

if (faults.length) {
  process.stderr.write(`${faults.join('\n')}\n${faults.length} faults in the layers\n`)
  process.exitCode = 1
} else process.stdout.write(`layers: ${files.length} files in order\n`)

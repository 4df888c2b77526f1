// Fails on an import that goes up the layers of ARCHITECTURE.md, or round in a circle, type imports too, and where too
// many files are very small.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
interface Tree {
  folder: string
  /** How its files name each other. */
  prefix: string
  /** Lowest first. Folders on one line do not import each other. */
  layers: readonly (readonly string[])[]
}

const SRC: Tree = {
  folder: 'src',
  prefix: '#src/',
  layers: [
    ['domain', 'process'],
    ['config', 'json', 'markdown', 'metrics'],
    ['sql'],
    ['filter', 'auth', 'files'],
    ['engine', 'storage'],
    ['runtime', 'transfer', 'imports'],
    ['backup'],
    ['operations'],
    ['work'],
    ['api'],
    ['start-engine.ts', 'run-worker.ts'],
    ['app.ts'],
    ['main.ts', 'worker.ts'],
    ['cli'],
  ],
}

const WEB: Tree = {
  folder: 'web',
  prefix: '#web/',
  layers: [
    ['styles', 'theme.ts', 'frame', 'store.ts'],
    ['rules'],
    ['api'],
    ['parts'],
    ['data'],
    [
      'table',
      'filter',
      'view',
      'bulk',
      'chart',
      'item',
      'tag',
      'history',
      'proposal',
      'notification',
      'chat',
      'account',
      'agents',
      'webhooks',
      'import',
      'settings',
      'home',
      'trash',
    ],
    ['layout'],
    ['pages'],
    ['routes.ts', 'consent.ts'],
    ['shell'],
    ['app.tsx'],
    ['main.tsx'],
  ],
}

/** Depends on nothing of ours, so that it can leave the house. */
const CLIENT: Tree = {
  folder: 'packages/client/src',
  prefix: '#client/',
  layers: [
    ['route.ts', 'errors.ts', 'wait.ts', 'end.ts'],
    ['operations.ts', 'retry.ts', 'request.ts'],
    ['connection.ts', 'tag-values.ts'],
    ['call.ts', 'read-events.ts'],
    ['files.ts', 'follow.ts', 'pages.ts', 'propose.ts'],
    ['follow-changes.ts', 'follow-live.ts'],
    ['methods.ts'],
    ['facet.ts'],
    ['index.ts'],
  ],
}

/** What of the service runs in the browser: the pure rules, and as types alone the operations. */
const FOR_BROWSERS = /^src\/(?:domain|filter\/(?:language|meaning|words))\//
const TYPES_FOR_CLIENT = /^src\/(?:operations|runtime)\//

const IMPORT = /(?<type>import type[^']*?)?(?:\bfrom|\bimport)\s*\(?\s*'(?<target>[^']+)'/g

interface Import {
  target: string
  types: boolean
}

/** Percent of the files of `src/` that may have this many lines or fewer: anyone who follows a call opens each of them. */
const SMALL_LINES = 30
const MOST_SMALL = 15

const faults: string[] = []
const name = (file: string) => relative(ROOT, file).replaceAll('\\', '/')
let count = 0
for (const tree of [SRC, WEB, CLIENT]) check(tree)

function check(tree: Tree): void {
  const root = join(ROOT, tree.folder)
  const files = filesIn(root)
  count += files.length
  const imports = new Map(files.map((file) => [file, importsOf(file)]))
  const top = (file: string) => relative(root, file).split(/[/\\]/)[0]!
  const layerOf = (file: string) => tree.layers.findIndex((layer) => layer.includes(top(file)))
  for (const [file, targets] of imports) {
    // Tests lie beside their file and may use what they like.
    if (/\.test\.tsx?$/.test(file)) continue
    const layer = layerOf(file)
    if (layer < 0)
      faults.push(`${name(file)} is in no layer: add its folder to the layers in scripts/check-layers.ts`)
    for (const { target, types } of targets) {
      const words = `${name(file)} imports ${name(target)}`
      if (!target.startsWith(root + sep)) {
        if (!mayCross(file, target, types)) faults.push(`${words}: from another tree`)
        continue
      }
      const up = layerOf(target) > layer
      const across = layerOf(target) === layer && top(target) !== top(file)
      if (up || across) faults.push(`${words}: ${up ? 'upward' : 'across'}`)
    }
  }
  const own = new Map([...imports].map(([file, all]) => [file, all.map(({ target }) => target)]))
  for (const circle of circles(own)) faults.push(`circle: ${circle.map(name).join(' → ')}`)
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The web application takes the rules as they are and, in its client, types of operations; nothing else crosses. */
function mayCross(file: string, target: string, types: boolean): boolean {
  const [from, to] = [name(file), name(target)]
  if (from.startsWith('web/api/')) return types && TYPES_FOR_CLIENT.test(to)
  return /^web\/(?:rules|data)\//.test(from) && FOR_BROWSERS.test(to)
}

function importsOf(file: string): Import[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap(({ groups }) => {
    const { target = '', type } = groups!
    const alias = [SRC, WEB, CLIENT].find(({ prefix }) => target.startsWith(prefix))
    const types = type !== undefined
    // Dynamic imports of pages go through the routes; styles and data are no modules.
    if (/\.(?:css|json)$/.test(target)) return []
    if (alias) return [{ target: join(ROOT, alias.folder, target.slice(alias.prefix.length)), types }]
    return target.startsWith('.') ? [{ target: resolve(dirname(file), target), types }] : []
  })
}

/** One circle for each file that closes one, by depth-first search. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) found.push([...path.slice(at), file])
    if (at >= 0 || done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return found
}

function shareOfSmall(): number {
  const files = filesIn(join(ROOT, SRC.folder)).filter((file) => !file.endsWith('.test.ts'))
  const small = files.filter((file) => readFileSync(file, 'utf8').trimEnd().split('\n').length <= SMALL_LINES)
  return (100 * small.length) / files.length
}

const share = shareOfSmall()
if (share >= MOST_SMALL)
  faults.push(
    `${share.toFixed(1)} % of the files of src have ${SMALL_LINES} lines or fewer: put what has one reason to change into one file`,
  )

if (faults.length) {
  process.stderr.write(`${faults.join('\n')}\n${faults.length} faults in the layers\n`)
  process.exitCode = 1
} else
  process.stdout.write(
    `layers: ${count} files in order, ${share.toFixed(1)} % of those of src with ${SMALL_LINES} lines or fewer\n`,
  )

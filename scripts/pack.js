import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SOURCE = join(ROOT, 'src')
const CACHE = join(ROOT, 'node_modules/.cache/facet')
/** Of many small files each, which every thread would load one by one. All other packages stay where they are. */
const PACKED_PACKAGES = new Set([
  'typebox',
  'kysely',
  'ajv',
  'fast-deep-equal',
  'fast-uri',
  'json-schema-traverse',
])
/** How a module names the module of a thread that it starts. */
const THREAD = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g
/** Older packs are left for a while, for processes that still run them. */
const KEPT = 10
/** Milliseconds. */
const HOUR = 3_600_000

/**
 * A module of the server, or the command line, out of the pack: a few files of plain JavaScript, made again when a source has changed. A
 * process with four threads starts twice as fast from it and needs half the memory. Where it cannot be made, the
 * sources run as they are (decision 2).
 * @param {'main' | 'worker' | 'cli/facet'} name
 * @returns {Promise<string>} its address
 */
export async function packedModule(name) {
  try {
    const folder = join(CACHE, keyOfSources())
    if (!existsSync(join(folder, 'main.js'))) await packedOnce(folder)
    return pathToFileURL(join(folder, `${basename(name)}.js`)).href
  } catch (error) {
    const reason = String(error instanceof Error ? error.message : error).split('\n', 1)[0]
    process.stderr.write(
      `Facet runs from its sources, which starts slower: no pack could be made (${reason})\n`,
    )
    return pathToFileURL(join(SOURCE, `${name}.ts`)).href
  }
}

const sources = () =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(SOURCE, name))

function keyOfSources() {
  const hash = createHash('sha256')
  for (const file of [...sources(), join(ROOT, 'package-lock.json'), fileURLToPath(import.meta.url)]) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Two at once would end each other's esbuild. */
const underway = new Map()
/**
 * @param {string} folder
 * @returns {Promise<void>}
 */
function packedOnce(folder) {
  if (!underway.has(folder)) underway.set(folder, pack(folder))
  return underway.get(folder)
}

/** @param {string} folder */
async function pack(folder) {
  const { build, stop } = await import('esbuild')
  const threads = sources().flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(THREAD)].map(([, name]) => join(dirname(file), `${name}.ts`)),
  )
  const making = `${folder}.${process.pid}`
  const processes = [join(SOURCE, 'main.ts'), join(SOURCE, 'cli/facet.ts')]
  await Promise.all([
    build({ ...bundled(processes, making), splitting: true }),
    build(bundledThreads(threads, making)),
  ])
  await stop()
  // Else Node parses each file to find out what it is.
  writeFileSync(join(making, 'package.json'), '{"type":"module"}')
  try {
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true })
    if (!existsSync(folder)) throw error // else another process was faster
  }
  dropOldPacks()
}

/**
 * @param {string[]} entryPoints
 * @param {string} outdir
 * @satisfies {(...given: any[]) => import('esbuild').BuildOptions}
 */
const bundled = (entryPoints, outdir) => ({
  entryPoints,
  outdir,
  entryNames: '[name]',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: `node${process.versions.node.split('.')[0]}`,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'silent',
  plugins: [{ name: 'facet', setup: resolveAsNodeDoes }],
})

/**
 * What esbuild is told about modules that threads start with. A thread reads all of its module, so it is one short
 * file; the names stay, for anyone who reads a trace.
 * @param {string[]} modules
 * @param {string} outdir
 */
export const bundledThreads = (modules, outdir) => ({
  ...bundled(modules, outdir),
  minifyWhitespace: true,
  minifySyntax: true,
})

/** @param {import('esbuild').PluginBuild} build */
function resolveAsNodeDoes(build) {
  build.onResolve({ filter: /^[^./#]/ }, ({ path }) => {
    const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
    return PACKED_PACKAGES.has(name) ? undefined : { path, external: true }
  })
  // Modules find what lies beside them by their own address, which is the source's; threads start from the pack.
  build.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8')
    const address = JSON.stringify(pathToFileURL(path).href)
    const contents = text
      .replaceAll(THREAD, "new URL('./$1.js', import.meta['url'])")
      .replaceAll('import.meta.url', address)
    return { contents, loader: 'ts' }
  })
}

function dropOldPacks() {
  const packs = readdirSync(CACHE)
    .map((name) => join(CACHE, name))
    .map((path) => ({ path, made: statSync(path).mtimeMs }))
    .sort((a, b) => b.made - a.made)
  for (const { path, made } of packs.slice(KEPT))
    if (made < Date.now() - HOUR) rmSync(path, { recursive: true, force: true })
}

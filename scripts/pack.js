import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { isBuiltin } from 'node:module'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SOURCE = join(ROOT, 'src')
const CACHE = join(ROOT, 'node_modules/.cache/facet')
const WRITER = join(ROOT, 'scripts/write-pack.js')
/** Of many small files each, which every thread would load one by one. All other packages stay where they are. */
const PACKED_PACKAGES = new Set([
  'typebox',
  'kysely',
  'ajv',
  'fast-deep-equal',
  'fast-uri',
  'json-schema-traverse',
])
/** What threads load besides, each of them anew: a thread that reads one file started in 0.09 s, and starts in half of that. */
const PACKED_IN_THREADS = new Set([
  ...PACKED_PACKAGES,
  'csv-parse',
  'entities',
  'linkify-it',
  'markdown-it',
  'mdurl',
  'parse5',
  'punycode.js',
  'saxes',
  'uc.micro',
  'xmlchars',
  'yaml',
  'yauzl',
  'pend',
  'buffer-crc32',
])
/** What packages of the older kind ask for, where they are packed. */
const REQUIRE = "const require = process.getBuiltinModule('node:module').createRequire('file:///');"
/** How a module names the module of a thread that it starts. */
export const THREAD = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g
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

/**
 * In a process of its own, which gives back what it has taken, and whose esbuild collects garbage before it takes more.
 * @param {...string} words
 */
function run(...words) {
  const env = { ...process.env, GOMEMLIMIT: '100MiB' }
  return new Promise((done, failed) => {
    execFile(process.execPath, ['--max-semi-space-size=1', ...words], { env }, (error, _, said) =>
      error ? failed(new Error(said || error.message)) : done(undefined),
    )
  })
}

/** One is enough for all who ask meanwhile. */
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
  const making = `${folder}.${process.pid}`
  await run(WRITER, making)
  try {
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true })
    if (!existsSync(folder)) throw error // else another process was faster
  }
  dropOldPacks()
}

/**
 * The whole server as plain JavaScript, one build after the other: both at once need twice the memory. `change` alters
 * the text of a source first: the package that is published finds what lies beside it from where it was put.
 * @param {string} outdir
 * @param {(text: string, path: string) => string} [change]
 * @returns {Promise<string[]>} the packages that it needs beside it, where `change` is given
 */
export async function writePack(outdir, change = withAddress) {
  const { build } = await import('esbuild')
  const threads = sources().flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(THREAD)].map(([, name]) => join(dirname(file), `${name}.ts`)),
  )
  const processes = [join(SOURCE, 'main.ts'), join(SOURCE, 'cli/facet.ts')]
  const metafile = change !== withAddress
  const made = [
    await build({ ...bundled(processes, outdir, change), splitting: true, metafile }),
    await build({ ...bundledThreads(threads, outdir, change), metafile }),
  ]
  // Else Node parses each file to find out what it is.
  writeFileSync(join(outdir, 'package.json'), '{"type":"module"}')
  const imports = made.flatMap(({ metafile }) =>
    Object.values(metafile?.outputs ?? {}).flatMap((each) => each.imports),
  )
  const outside = imports.filter(({ path, external }) => external && !isBuiltin(path))
  return [...new Set(outside.map(({ path }) => packageOf(path)))].sort()
}

/** @param {string} path */
export const packageOf = (path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')

/**
 * @param {string[]} entryPoints
 * @param {string} outdir
 * @param {(text: string, path: string) => string} change
 * @param {ReadonlySet<string>} [packed]
 * @satisfies {(...given: any[]) => import('esbuild').BuildOptions}
 */
const bundled = (entryPoints, outdir, change, packed = PACKED_PACKAGES) => ({
  entryPoints,
  outdir,
  entryNames: '[name]',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: `node${process.versions.node.split('.')[0]}`,
  logLevel: 'silent',
  plugins: [{ name: 'facet', setup: resolveAsNodeDoes(change, packed) }],
})

/**
 * What esbuild is told about modules that threads start with. A thread reads all of its module, so it is one short
 * file; the names stay, for anyone who reads a trace.
 * @param {string[]} modules
 * @param {string} outdir
 * @param {(text: string, path: string) => string} [change]
 */
export const bundledThreads = (modules, outdir, change = withAddress) => ({
  ...bundled(modules, outdir, change, PACKED_IN_THREADS),
  banner: { js: REQUIRE },
  minifyWhitespace: true,
  minifySyntax: true,
})

/**
 * @param {(text: string, path: string) => string} change
 * @param {ReadonlySet<string>} packed
 */
const resolveAsNodeDoes = (change, packed) => (/** @type {import('esbuild').PluginBuild} */ build) => {
  build.onResolve({ filter: /^[^./#]/ }, ({ path }) =>
    packed.has(packageOf(path)) ? undefined : { path, external: true },
  )
  build.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8')
    const changed = change(text.replaceAll(THREAD, "new URL('./$1.js', import.meta['url'])"), path)
    // What stays as it is, esbuild reads by itself.
    return changed === text ? undefined : { contents: changed, loader: 'ts' }
  })
}

/**
 * Modules find what lies beside them by their own address, which is the source's; threads start from the pack.
 * @param {string} text
 * @param {string} path
 */
function withAddress(text, path) {
  return text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
}

function dropOldPacks() {
  const packs = readdirSync(CACHE)
    .map((name) => join(CACHE, name))
    .map((path) => ({ path, made: statSync(path).mtimeMs }))
    .sort((a, b) => b.made - a.made)
  for (const { path, made } of packs.slice(KEPT))
    if (made < Date.now() - HOUR) rmSync(path, { recursive: true, force: true })
}

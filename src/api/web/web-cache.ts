import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isPacked, type WebBuild, type WebManifest } from '#src/api/web/web-files.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/facet-web')
/** What the application is made of. */
const SOURCES = ['web', 'templates', 'src/domain', 'src/filter', 'src/api/web', 'package-lock.json']
/** Older builds are left for a while, for processes that still serve them. */
const RETAINED_BUILDS = 5
/** Milliseconds. */
const HOUR = 3_600_000
const BROTLI_QUALITY = 9

export type Encoding = 'br' | 'gzip' | 'identity'
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' }

/** A build that can be served. */
export interface Served {
  manifest: WebManifest
  /** Undefined where there is no such file. */
  read(name: string, encoding: Encoding): Promise<Buffer | undefined>
}

/** Changes when any source does. */
export async function keyOfSources(): Promise<string> {
  const paths = (await Promise.all(SOURCES.map(filesOf))).flat().sort()
  const stats = await Promise.all(paths.map((path) => stat(path)))
  const hash = createHash('sha256').update(`${process.versions.node}\n`)
  for (const [i, { mtimeMs, size }] of stats.entries()) hash.update(`${paths[i]} ${mtimeMs} ${size}\n`)
  return hash.digest('hex').slice(0, 16)
}

async function filesOf(source: string): Promise<string[]> {
  const path = join(ROOT, source)
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** What comes with the package, which has no sources of the application. */
export const BUILT = join(ROOT, 'built-web')

/** The build that came along; undefined: this is a checkout. */
export const builtWeb = (): Promise<Served | undefined> => fromKept(BUILT)

/** A build of the same sources that was made before. */
export const cachedBuild = (key: string): Promise<Served | undefined> => fromKept(join(CACHE, key))

async function fromKept(folder: string): Promise<Served | undefined> {
  try {
    return fromFolder(
      folder,
      JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as WebManifest,
    )
  } catch {
    return undefined
  }
}

/** Keeps a build for the next start; where that cannot be, it is served from memory. */
export async function keepBuild(key: string, build: WebBuild): Promise<Served> {
  const compressed = await compress(build)
  const folder = join(CACHE, key)
  const making = `${folder}.${process.pid}`
  try {
    await write(making, build, compressed)
    await rename(making, folder).catch(async () => {
      if (!(await cachedBuild(key))) throw new Error('another build is in the way')
      await rm(making, { recursive: true, force: true })
    })
    await dropOldBuilds()
    return fromFolder(folder, build.manifest)
  } catch {
    await rm(making, { recursive: true, force: true }).catch(() => undefined)
    return {
      manifest: build.manifest,
      read: async (name, encoding) => compressed.get(name + ENDINGS[encoding]) ?? compressed.get(name),
    }
  }
}

/** Writes a build where `builtWeb` looks for it, or elsewhere. */
export const writeBuild = async (folder: string, build: WebBuild): Promise<void> =>
  write(folder, build, await compress(build))

async function write(folder: string, { manifest }: WebBuild, compressed: ReadonlyMap<string, Buffer>) {
  for (const [name, contents] of compressed) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), contents)
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
}

const fromFolder = (folder: string, manifest: WebManifest): Served => {
  const names = new Set(manifest.names)
  return {
    manifest,
    read: async (name, encoding) =>
      names.has(name) ? readFile(join(folder, name + (isPacked(name) ? '' : ENDINGS[encoding]))) : undefined,
  }
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Every file as it is, and small in both ways that browsers ask for; one file after the other, for its memory. */
async function compress({ files }: WebBuild): Promise<Map<string, Buffer>> {
  const all = new Map<string, Buffer>()
  for (const { name, contents } of files) {
    all.set(name, contents)
    if (isPacked(name)) continue
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
    }
    const [small, zipped] = await Promise.all([brotli(contents, { params }), zip(contents, { level: 9 })])
    all.set(`${name}.br`, small)
    all.set(`${name}.gz`, zipped)
  }
  return all
}

async function dropOldBuilds(): Promise<void> {
  const names = await readdir(CACHE)
  const builds = await Promise.all(
    names.map(async (name) => ({ name, made: (await stat(join(CACHE, name))).mtimeMs })),
  )
  builds.sort((a, b) => b.made - a.made)
  for (const { name, made } of builds.slice(RETAINED_BUILDS))
    if (made < Date.now() - HOUR) await rm(join(CACHE, name), { recursive: true, force: true })
}

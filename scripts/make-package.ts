// `npm run pack [FOLDER]`: the package that is published, as a tarball in FOLDER (dist without one). It holds plain
// JavaScript, the web application built, the documents, and pins of all that it needs (decision 139).
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { stop } from 'esbuild'
import { buildWeb } from '#src/api/web/build-web.ts'
import { writeBuild } from '#src/api/web/web-cache.ts'
import { fileURLToPath } from 'node:url'
import { packageOf, writePack } from './pack.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const NAME = 'facet-base'
/** What a checkout calls the program. */
const IN_CHECKOUT = /npm run (?:-s )?facet --/g
/** `require('re2js')`, `createRequire(…).resolve('esbuild')`. */
const FOUND_LATER = /(?:require|\.resolve)\('([@\w][\w@/.-]*)'\)/g
/** `![What it shows](pictures/tutorial-tag-light.png)` */
const PICTURE = /!\[[^\]]*\]\(((?:docs\/)?pictures\/[\w-]+\.png)\)/g
/** `[What it is](web/README.md)`, which leads into the repository */
const LINK = /\[([^\]]*)\]\(([\w./-]+)(?:#[\w-]*)?\)/g
/** How a checkout is started, and how what is installed is. */
const START_OF_CHECKOUT = /^## Start\n.*?(?=^## )/ms
const START_OF_PACKAGE = `## Start

\`\`\`
npx facet-base start
\`\`\`

in the folder where the package is installed serves on <http://127.0.0.1:3000>, with its data in \`./data/facet.db\`. Open <http://localhost:3000> for the web application. The documents are at [/docs](http://127.0.0.1:3000/docs), the explorer of the API is at [/api/swagger-ui/](http://127.0.0.1:3000/api/swagger-ui/).

\`npx facet-base help\` says which commands there are, and \`npx facet-base doctor\` what is wrong with a setup. Any Node.js from 20 on will do.

`
const LICENCE = /^(?:licen[cs]e|copying)/i

interface Manifest {
  version: string
  description: string
  license: string
  engines: object
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

interface LockedPackage {
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  dev?: boolean
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> }

const out = resolve(process.argv[2] ?? join(ROOT, 'dist'))
const folder = join(out, 'package')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

/** Packages that are found at run time, without an import that says so. */
const found = new Set<string>()
const needed = await writePack(join(folder, 'dist'), (text, path) => {
  for (const [, name = ''] of text.matchAll(FOUND_LATER)) found.add(packageOf(name))
  return text
    .replaceAll(
      'import.meta.url',
      `new URL('../${relative(ROOT, path).replaceAll('\\', '/')}', import.meta['url']).href`,
    )
    .replaceAll(IN_CHECKOUT, 'facet')
})
dropMaps(join(folder, 'dist'))
await writeBuild(join(folder, 'built-web'), await buildWeb())
await stop()
copyTexts()
const own = ownManifest()
const pins = pinned(own)
write('package.json', own)
write('npm-shrinkwrap.json', {
  name: NAME,
  version: manifest.version,
  lockfileVersion: 3,
  requires: true,
  packages: { '': own, ...pins },
})
writeFileSync(
  join(folder, 'LICENSES-OF-OTHERS.txt'),
  licencesOf(Object.keys(packages).filter((at) => isBuiltIn(at))),
)
const npm = spawnSync('npm', ['pack', folder, '--silent', '--ignore-scripts', '--pack-destination', out], {
  stdio: ['ignore', 'inherit', 'inherit'],
  shell: process.platform === 'win32',
})
process.exitCode = npm.status ?? 1

/** Traces name the functions all the same. */
function dropMaps(dist: string): void {
  for (const name of readdirSync(dist)) {
    const path = join(dist, name)
    if (name.endsWith('.map')) rmSync(path)
    else writeFileSync(path, readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n$/, '\n'))
  }
}

/** The program, the documents and what a base may begin with. */
function copyTexts(): void {
  const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
  documents.push('README.md', 'CHANGELOG.md')
  copy('LICENSE', 'LICENSE')
  documents.forEach(copyDocument)
  if (existsSync(join(ROOT, 'templates')))
    cpSync(join(ROOT, 'templates'), join(folder, 'templates'), { recursive: true })
  copy('deploy/facet.service', 'deploy/facet.service')
  copy('scripts/own-node.js', 'bin/own-node.js')
  copy('scripts/package-bin.js', 'bin/facet.js')
  chmodSync(join(folder, 'bin/facet.js'), 0o755)
  documents.forEach(finishDocument)
}

/** With the pictures that it shows. */
function copyDocument(path: string): void {
  copy(path, path)
  for (const [, picture = ''] of read(path).matchAll(PICTURE)) {
    const shown = join(dirname(path), picture)
    cpSync(join(ROOT, shown), join(folder, shown))
  }
}

/** What is installed starts in its own way, and links to what stays in the repository are their text. */
function finishDocument(path: string): void {
  const copied = join(folder, path)
  const text = readFileSync(copied, 'utf8').replaceAll(LINK, (link, words: string, target: string) =>
    existsSync(join(dirname(copied), target)) ? link : words,
  )
  writeFileSync(copied, path === 'README.md' ? text.replace(START_OF_CHECKOUT, START_OF_PACKAGE) : text)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(join(folder, to)), { recursive: true })
  writeFileSync(join(folder, to), read(from).replaceAll(IN_CHECKOUT, 'facet'))
}

function write(name: string, value: object): void {
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`)
}

function namesOf({ dependencies, optionalDependencies, peerDependencies }: LockedPackage): string[] {
  return [dependencies, optionalDependencies, peerDependencies].flatMap((each) => Object.keys(each ?? {}))
}

function ownManifest() {
  const { version, description, license, engines, dependencies, optionalDependencies } = manifest
  const names = [...new Set([...needed, ...found])].sort()
  return {
    name: NAME,
    version,
    description,
    license,
    type: 'module',
    bin: { facet: 'bin/facet.js', [NAME]: 'bin/facet.js' },
    engines,
    dependencies: Object.fromEntries(names.map((name) => [name, dependencies[name] ?? missing(name)])),
    optionalDependencies,
  }
}

function missing(name: string): never {
  throw new Error(`${name} is imported, and package.json does not have it`)
}

/** What the package needs, and what that needs, as the lock of the repository has it. */
function pinned({ dependencies, optionalDependencies }: LockedPackage): Record<string, LockedPackage> {
  const found = new Map<string, LockedPackage>()
  const add = (from: string, names: Iterable<string>) => {
    for (const name of names) {
      const at = placeOf(from, name)
      if (at === undefined || found.has(at)) continue
      const { dev: _, ...entry } = packages[at]!
      found.set(at, entry)
      add(at, namesOf(entry))
    }
  }
  add('', namesOf({ dependencies: dependencies!, optionalDependencies: optionalDependencies! }))
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Where Node, in that package, finds another one. */
function placeOf(from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = at ? `${at}/node_modules/${name}` : `node_modules/${name}`
    if (packages[place]) return place
    if (!at) return undefined
  }
}

/** It is no package beside the program, but within its files or those of the web application. */
function isBuiltIn(at: string): boolean {
  return at !== '' && !pins[at] && !packages[at]!.dev && existsSync(join(ROOT, at))
}

function licencesOf(places: readonly string[]): string {
  return places
    .flatMap((at) => {
      const name = readdirSync(join(ROOT, at)).find((each) => LICENCE.test(each))
      const text = name === undefined ? 'See its page at npm.' : read(join(at, name)).trim()
      return [`${at.replace(/^.*node_modules\//, '')} ${packages[at]!.version}`, '', text, '', '']
    })
    .join('\n')
}

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  parseMaintainer,
  type Catalogue,
  type CataloguePackage,
  type Maintainer,
  type Priority,
} from './catalogue.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Manifest {
  name?: string
  version?: string
  description?: string
  keywords?: string[] | string
  homepage?: string
  author?: string | { name?: string; email?: string }
  repository?: string | { url?: string }
  bin?: unknown
  types?: unknown
}

interface Locked {
  dev?: boolean
  optional?: boolean
}

/** The npm packages that are installed with Facet itself: some hundreds, on every machine. */
export function npmCatalogue(): Catalogue {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string> | undefined
  >
  const packages = new Map<string, CataloguePackage>()
  for (const [path, locked] of Object.entries(lock.packages)) {
    const file = join(ROOT, path, 'package.json')
    if (!path.startsWith('node_modules/') || !existsSync(file)) continue
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    const name = manifest.name ?? path.slice('node_modules/'.length)
    const direct = own['dependencies']?.[name]
      ? 'required'
      : own['devDependencies']?.[name]
        ? 'important'
        : null
    packages.set(name, toPackage(name, manifest, direct ?? priorityOf(locked), join(ROOT, path)))
  }
  return {
    origin: 'the npm packages installed with Facet',
    packages: [...packages.values()],
    questions: QUESTIONS,
  }
}

const priorityOf = ({ dev, optional }: Locked): Priority =>
  optional ? 'extra' : dev ? 'optional' : 'standard'

function toPackage(name: string, manifest: Manifest, priority: Priority, folder: string): CataloguePackage {
  const repository = typeof manifest.repository === 'string' ? manifest.repository : manifest.repository?.url
  return {
    name,
    description: manifest.description ?? '',
    version: manifest.version ?? '',
    section: manifest.bin ? 'commands' : name.startsWith('@types/') ? 'types' : 'libraries',
    priority,
    installed_size: Math.ceil(sizeOf(folder) / 1024),
    homepage: manifest.homepage ?? null,
    facets: keywords(manifest.keywords),
    source: repository?.replace(/^(git\+)?(https?|ssh|git):\/\/(git@)?/, '').replace(/\.git$/, '') ?? name,
    maintainer: maintainerOf(manifest.author),
  }
}

function keywords(given: Manifest['keywords']): string[] {
  const list = typeof given === 'string' ? given.split(',') : (given ?? [])
  return [...new Set(list.map((each) => each.trim().toLowerCase()).filter(Boolean))]
}

function maintainerOf(author: Manifest['author']): Maintainer {
  if (typeof author === 'string' && author.trim()) return parseMaintainer(author)
  if (typeof author === 'object' && author.name) return { name: author.name, email: author.email ?? null }
  return { name: 'unknown', email: null }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? sizeOf(path) : entry.isFile() ? statSync(path).size : 0)
  }, 0)
}

const QUESTIONS = [
  {
    words: 'Which packages that Facet asks for itself take more than 5 MiB?',
    filter: {
      and: [{ 'Package.priority': { gte: 'important' } }, { 'Package.installed_size': { gt: 5120 } }],
    },
  },
  {
    words: 'What is there that has to do with JSON?',
    filter: { and: [{ search: 'json' }, { has_tag: 'Package' }] },
  },
  {
    words: 'Which commands have to do with lint?',
    filter: {
      and: [
        { 'Package.section': 'commands' },
        { or: [{ 'Package.facets': { match: 'lint' } }, { search: 'lint' }] },
      ],
    },
  },
  {
    words: 'What of Sindre Sorhus does the running service use?',
    filter: {
      and: [
        { 'Package.maintainer->name': { starts_with: 'Sindre' } },
        { 'Package.priority': { gte: 'standard' } },
      ],
    },
  },
  {
    words: 'Which libraries come from a repository whose maintainer has an address at gmail.com? (two hops)',
    filter: {
      and: [
        { 'Package.section': 'libraries' },
        { 'Package.source->Source.maintainer->Maintainer.email': { contains: '@gmail.com' } },
      ],
    },
  },
]

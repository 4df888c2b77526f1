import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import {
  parseMaintainer,
  PRIORITIES,
  type Catalogue,
  type CataloguePackage,
  type Priority,
} from './catalogue.ts'

/** Debian's package list as `apt-cache dumpavail` prints it, newest version of each package; null where apt is missing or has no lists. */
export async function debianCatalogue(): Promise<Catalogue | null> {
  const packages = new Map<string, CataloguePackage>()
  for await (const stanza of stanzas()) {
    const each = toPackage(stanza)
    if (each) packages.set(each.name, each)
  }
  if (packages.size === 0) return null
  return { origin: "Debian's package lists", packages: [...packages.values()], questions: QUESTIONS }
}

/** Control-file paragraphs (Debian policy, 5.1): `Name: value`, continued on lines that begin with a space. */
async function* stanzas(): AsyncGenerator<Map<string, string>> {
  const apt = spawn('apt-cache', ['dumpavail'], { stdio: ['ignore', 'pipe', 'ignore'] })
  apt.once('error', () => {}) // no apt: the output ends at once
  let stanza = new Map<string, string>()
  let last = ''
  for await (const line of createInterface({ input: apt.stdout })) {
    if (line === '') {
      if (stanza.size) yield stanza
      stanza = new Map()
    } else if (line.startsWith(' ')) stanza.set(last, `${stanza.get(last) ?? ''}\n${line.slice(1)}`)
    else {
      const colon = line.indexOf(':')
      last = line.slice(0, colon)
      stanza.set(last, line.slice(colon + 1).trim())
    }
  }
  if (stanza.size) yield stanza
}

function toPackage(stanza: Map<string, string>): CataloguePackage | null {
  const name = stanza.get('Package')
  const maintainer = stanza.get('Maintainer')
  if (!name || !maintainer) return null
  const priority = stanza.get('Priority') as Priority
  return {
    name,
    description: stanza.get('Description') ?? '',
    version: stanza.get('Version') ?? '',
    section: stanza.get('Section') ?? 'unknown',
    priority: PRIORITIES.includes(priority) ? priority : 'optional',
    installed_size: Number(stanza.get('Installed-Size') ?? 0),
    homepage: stanza.get('Homepage') ?? null,
    facets: facets(stanza.get('Tag') ?? ''),
    source: (stanza.get('Source') ?? name).split(' ')[0]!,
    maintainer: parseMaintainer(maintainer),
  }
}

/** `role::program, implemented-in::{c,c++}` → one facet each. */
function facets(text: string): string[] {
  const list = text.replaceAll(/([\w-]+)::\{([^}]*)\}/g, (_, facet: string, values: string) =>
    values
      .split(',')
      .map((value) => `${facet}::${value.trim()}`)
      .join(', '),
  )
  return [
    ...new Set(
      list
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    ),
  ]
}

const QUESTIONS = [
  {
    words: 'Which important or required packages take more than 5 MiB?',
    filter: {
      and: [{ 'Package.priority': { gte: 'important' } }, { 'Package.installed_size': { gt: 5120 } }],
    },
  },
  {
    words: 'What is there that has to do with chess?',
    filter: { and: [{ search: 'chess' }, { has_tag: 'Package' }] },
  },
  {
    words: 'Which games are written in Python?',
    filter: {
      and: [{ 'Package.section': 'games' }, { 'Package.facets': { match: 'implemented-in::python' } }],
    },
  },
  {
    words: "What does Debian's Science Team maintain that is a program with a graphical interface?",
    filter: {
      and: [
        { 'Package.maintainer->name': { starts_with: 'Debian Science' } },
        { 'Package.facets': { match: 'interface::graphical' } },
        { 'Package.facets': { match: 'role::program' } },
      ],
    },
  },
  {
    words:
      'Which databases are built from a source whose maintainer can be reached at tracker.debian.org? (two hops)',
    filter: {
      and: [
        { 'Package.section': 'database' },
        { 'Package.source->Source.maintainer->Maintainer.email': { contains: '@tracker.debian.org' } },
      ],
    },
  },
]

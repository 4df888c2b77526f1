import type { Vault } from '#src/imports/markdown/vault.ts'
import type { Cell, EmbeddedFile, Link } from '#src/imports/source.ts'

const ONLY_LINK = /^!?\[\[([^[\]|]+)(?:\|[^[\]]*)?\]\]$/

/** Where a value of front matter leads that is a link and nothing else. */
export const linkTarget = (value: unknown): string | undefined =>
  typeof value === 'string' ? ONLY_LINK.exec(value.trim())?.[1] : undefined

interface FrontOptions {
  from: string
  vault: Vault
  onFile(path: string): void
  /** A file in a list of notes, which it is left out of. */
  onMixed(path: string): void
}

/** A value of front matter: links to notes are links to rows, to other files they are files. */
export function frontCell(value: unknown, options: FrontOptions): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const list = Array.isArray(value) ? (value as unknown[]) : [value]
  // `[[Note]]` without quotes is a list of a list for YAML.
  const flat = list.map((each) => (isBareLink(each) ? `[[${each[0]}]]` : each))
  const bare = Array.isArray(value) && value.length === 1 && typeof value[0] === 'object' ? flat : undefined
  const links = flat.map(linkTarget)
  if (links.length && links.every((each) => each !== undefined)) return linked(links, options)
  if (!Array.isArray(value) || bare === undefined) {
    if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  }
  const texts = flat.flatMap((each) => (each === null || each === '' ? [] : [textOf(each)]))
  return texts.length ? texts : null
}

const isBareLink = (value: unknown): value is [string] =>
  Array.isArray(value) && value.length === 1 && typeof value[0] === 'string'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function linked(targets: readonly string[], { from, vault, onFile, onMixed }: FrontOptions): Cell {
  const links: Link[] = []
  const files: EmbeddedFile[] = []
  for (const target of targets) {
    const [name = ''] = target.split('#')
    const path = vault.find(name, from)
    if (path === undefined) links.push({ name: name.slice(name.lastIndexOf('/') + 1).trim() })
    else if (vault.isNote(path)) links.push({ id: path, name: vault.nameOf(path) })
    else files.push({ path, name: path.slice(path.lastIndexOf('/') + 1) })
  }
  const areFiles = files.length > 0 && !links.length
  for (const { path } of files) (areFiles ? onFile : onMixed)(path)
  return areFiles ? { files } : { links }
}

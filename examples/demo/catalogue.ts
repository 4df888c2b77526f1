/** Real packages in one form, whichever list they come from. */
export interface Catalogue {
  /** Where the data comes from, in words. */
  origin: string
  packages: CataloguePackage[]
  questions: Question[]
}

export interface CataloguePackage {
  name: string
  description: string
  version: string
  section: string
  priority: Priority
  /** KiB on disk. */
  installed_size: number
  homepage: string | null
  facets: string[]
  /** What the package is built from; several packages may share one. */
  source: string
  maintainer: Maintainer
}

export interface Maintainer {
  name: string
  email: string | null
}

/** Lowest first: the order is what `gt` compares by. */
export const PRIORITIES = ['extra', 'optional', 'standard', 'important', 'required'] as const
export type Priority = (typeof PRIORITIES)[number]

/** A question in words and as a filter. */
export interface Question {
  words: string
  filter: unknown
}

/** `Jane Doe <jane@example.org>` */
export function parseMaintainer(text: string): Maintainer {
  const match = /^\s*"?(.*?)"?\s*<([^>]*)>/.exec(text)
  return match ? { name: match[1] || match[2]!, email: match[2] || null } : { name: text.trim(), email: null }
}

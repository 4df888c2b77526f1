import { PRIORITIES, type Catalogue, type CataloguePackage } from './catalogue.ts'
import type { Service } from './service.ts'

const BATCH = 1000

/** How far the filling is; called after each batch. */
export type Progress = (label: string, done: number, of: number) => void

interface Tag {
  tag_id: string
  fields: unknown
}
interface Listed {
  item_id: string
  name: string
}

/** Tags, maintainers, sources and packages, each only where it is missing. Answers how many items were created. */
export async function fill(service: Service, { packages }: Catalogue, progress: Progress): Promise<number> {
  await ensureTag(service, 'Maintainer', { email: 'String' })
  await ensureTag(service, 'Source', { maintainer: 'Reference' })
  await ensureTag(service, 'Package', packageFields(packages))

  const before = { maintainers: await idsByName(service, 'Maintainer') }
  const maintainers = distinct(
    packages,
    ({ maintainer }) => maintainer.name,
    ({ maintainer }) => ({ email: maintainer.email }),
  )
  const created = [await createMissing(service, 'Maintainer', maintainers, before.maintainers, progress)]

  const maintainerIds = before.maintainers
  const sourceIds = await idsByName(service, 'Source')
  const sources = distinct(
    packages,
    ({ source }) => source,
    ({ maintainer }) => ({ maintainer: maintainerIds.get(maintainer.name) }),
  )
  created.push(await createMissing(service, 'Source', sources, sourceIds, progress))

  const packageIds = await idsByName(service, 'Package')
  const items = packages.map((each) => ({
    name: each.name,
    description: `<p>${escapeHtml(each.description)}</p>`,
    field_values: {
      version: each.version,
      section: { variant: each.section },
      priority: { variant: each.priority },
      installed_size: each.installed_size,
      ...(each.homepage && { homepage: each.homepage }),
      facets: each.facets,
      maintainer: maintainerIds.get(each.maintainer.name),
      source: sourceIds.get(each.source),
    },
  }))
  created.push(await createMissing(service, 'Package', items, packageIds, progress))
  return created.reduce((sum, each) => sum + each, 0)
}

function packageFields(packages: CataloguePackage[]) {
  const variants = (values: Iterable<string>) => [...new Set(values)].sort()
  return {
    version: 'String',
    section: { type: 'Select', variants: variants(packages.map((each) => each.section)) },
    priority: { type: 'Select', variants: PRIORITIES },
    installed_size: 'Number',
    homepage: 'String',
    facets: { type: 'MultiSelect', variants: variants(packages.flatMap((each) => each.facets)) },
    maintainer: 'Reference',
    source: 'Reference',
  }
}

async function ensureTag(service: Service, name: string, fields: unknown): Promise<void> {
  const [found] = await service.request<Tag[]>('POST', '/api/tags/search', { filter: { name: { eq: name } } })
  if (!found) await service.request('POST', '/api/tags', { name, fields })
  else await service.request('PUT', `/api/tags/${found.tag_id}`, { fields })
}

async function idsByName(service: Service, tag: string): Promise<Map<string, string>> {
  const items = await service.request<Listed[]>('POST', '/api/items/search', { filter: { has_tag: tag } })
  return new Map(items.map(({ name, item_id }) => [name, item_id]))
}

interface NewItem {
  name: string
  description?: string
  field_values: Record<string, unknown>
}

function distinct(
  packages: CataloguePackage[],
  name: (each: CataloguePackage) => string,
  values: (each: CataloguePackage) => NewItem['field_values'],
): NewItem[] {
  return [
    ...new Map(
      packages.map((each) => [name(each), { name: name(each), field_values: values(each) }]),
    ).values(),
  ]
}

/** Creates what `known` lacks, and adds it there. */
async function createMissing(
  service: Service,
  tag: string,
  items: NewItem[],
  known: Map<string, string>,
  progress: Progress,
): Promise<number> {
  const missing = items.filter(({ name }) => !known.has(name))
  for (let at = 0; at < missing.length; at += BATCH) {
    progress(tag, at, missing.length)
    const batch = missing.slice(at, at + BATCH)
    const body = batch.map(({ field_values, ...item }) => ({
      ...item,
      tags: [{ tag_ref: { Existing: tag }, field_values }],
    }))
    const ids = await service.request<{ item_id: string }[]>('POST', '/api/items/bulk', { items: body })
    ids.forEach(({ item_id }, i) => known.set(batch[i]!.name, item_id))
  }
  progress(tag, missing.length, missing.length)
  return missing.length
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

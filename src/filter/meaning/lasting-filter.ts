import { isRelativeTime } from '#src/filter/language/relative-time.ts'
import type { FilterTree } from '#src/filter/language/filter-tree.ts'
import { bindFilter } from '#src/filter/meaning/bind-filter.ts'
import { parseByNames } from '#src/filter/meaning/parse-by-names.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { planFilter } from '#src/filter/meaning/plan-filter.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'

const NOTHING: FilterTree = { kind: 'or', children: [] }

/**
 * The plan of a filter that was right once and is kept: what names a tag that is deleted now, or follows what is no
 * reference any more, is true of nothing.
 */
export async function planOfLasting(filter: unknown, catalog: TagCatalog): Promise<FilterPlan> {
  const { tree } = await parseByNames(filter, catalog)
  if (!tree) return { kind: 'never' }
  const whole = await bindFilter(tree, catalog)
  const bound = whole.faults.length ? await bindFilter(await withoutBroken(tree, catalog), catalog) : whole
  return planFilter(bound.filter!, bound.rowIds).plan
}

async function withoutBroken(tree: FilterTree, catalog: TagCatalog): Promise<FilterTree> {
  switch (tree.kind) {
    case 'and':
    case 'or': {
      const children: FilterTree[] = []
      for (const each of tree.children) children.push(await withoutBroken(each, catalog))
      return { kind: tree.kind, children }
    }
    case 'not':
      return { kind: 'not', child: await withoutBroken(tree.child, catalog) }
    case 'reverse': {
      const filter = tree.filter && (await withoutBroken(tree.filter, catalog))
      return ifWhole({ ...tree, filter }, catalog)
    }
    case 'search':
    case 'has_tag':
    case 'column':
    case 'field':
    case 'hop':
    case 'changed':
      return ifWhole(tree, catalog)
  }
}

const ifWhole = async (leaf: FilterTree, catalog: TagCatalog): Promise<FilterTree> =>
  (await bindFilter(leaf, catalog)).faults.length ? NOTHING : leaf

/** Whether what is true of an item may change with the time alone. */
export function goesByTime(filter: unknown): boolean {
  if (typeof filter !== 'object' || filter === null) return false
  return isRelativeTime(filter) || Object.values(filter).some(goesByTime)
}

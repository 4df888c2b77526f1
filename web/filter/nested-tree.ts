import { type ComponentType, createContext, type ReactNode } from 'react'
import type { Filter, Path } from '#web/rules/filter-edits.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

export interface FilterTreeProps {
  filter: Filter | null
  onFilter: (filter: Filter | null) => void
  tags: readonly FilterTag[]
  /** Tags whose fields come first. */
  first: readonly string[]
  /** Beneath a condition: how many match, and the like. */
  renderAbout?: (condition: Filter, path: Path) => ReactNode
}

/** Draws the filter within a condition: a tree has conditions, which may have a tree. */
export const NestedTree = createContext<ComponentType<FilterTreeProps>>(() => null)

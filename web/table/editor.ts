import type { Column } from '#web/rules/column.ts'

/** Where one goes after an edit. */
export type Then = 'stay' | 'down' | 'up' | 'right' | 'left'

export interface EditorProps {
  column: Column
  /** Of the item, for anyone who hears the editor's label. */
  name: string
  value: unknown
  /** What was typed to begin; null: the value stays and is edited. */
  typed: string | null
  /** Enter or Tab was pressed before the editor was there: it is left so at once. */
  asked?: Then | undefined
  /** Where the cell is on the page. */
  box: DOMRect
  /** `ahead` was typed before the value was found, for where one goes. */
  onSave: (value: unknown, then: Then, ahead?: string) => void
  /** Left with a value that cannot be: it stays in the cell with its reason. */
  onRefuse: (value: unknown, message: string) => void
  /** Left before it is known what the value is: the editor goes, and what this gives writes the value once it is there. */
  onLater: () => (value: unknown) => void
  /** Nothing is changed; where one goes all the same. */
  onCancel: (then?: Then, ahead?: string) => void
}

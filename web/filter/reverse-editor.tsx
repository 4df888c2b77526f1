import { useContext, useEffect } from 'react'
import { Listbox } from '#web/parts/listbox.tsx'
import { COMPARISONS, type CountTest, reverseOf, reverseValue } from '#web/rules/condition.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterField } from '#web/rules/filter-fields.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import { WholeNumber } from '#web/filter/whole-number.tsx'
import { NestedTree } from '#web/filter/nested-tree.ts'
import css from '#web/filter/condition-editor.module.css'

const WORDS: Readonly<Record<CountTest['comparison'], string>> = {
  gte: 'at least',
  gt: 'more than',
  eq: 'exactly',
  neq: 'not exactly',
  lt: 'fewer than',
  lte: 'at most',
}
const SOME: CountTest = { comparison: 'gte', count: 1 }

interface ReverseEditorProps {
  value: unknown
  onValue: (value: unknown) => void
  tags: readonly FilterTag[]
  /** The reference by which they refer. */
  field: FilterField | undefined
}

/** How many items refer to it, and which of them count. */
export function ReverseEditor({ value, onValue, tags, field }: ReverseEditorProps) {
  const form = value === undefined ? undefined : reverseOf(value)
  const count = form?.count ?? SOME
  const Tree = useContext(NestedTree)
  const isNew = value === undefined
  useEffect(() => {
    // Some item that refers is already a condition.
    if (isNew) onValue(reverseValue(undefined, SOME))
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it begins
  }, [isNew])
  return (
    <>
      <div className={css.row}>
        <Listbox
          label="How many"
          value={count.comparison}
          options={COMPARISONS.map((each) => [each, WORDS[each]] as const)}
          onValue={(comparison) => onValue(reverseValue(form?.filter, { ...count, comparison }))}
        />
        <WholeNumber
          label="Number of items"
          min={0}
          value={count.count}
          onValue={(next) => onValue(reverseValue(form?.filter, { ...count, count: next }))}
        />
        <span className={css.note}>
          {field ? `${field.tag.name} by ${field.name}` : 'refer to it'}, of which
        </span>
      </div>
      <div className={css.nested}>
        <Tree
          filter={(form?.filter as Filter | undefined) ?? null}
          onFilter={(filter) => onValue(reverseValue(filter ?? undefined, count))}
          tags={tags}
          first={field ? [field.tag.tag_id] : []}
        />
      </div>
    </>
  )
}

import type { Tag } from '#web/data/tags-query.ts'
import { changeDraft } from '#web/import/import-draft.ts'
import type { TableText } from '#web/import/read-table.ts'
import { Note } from '#web/parts/note.tsx'
import { Select } from '#web/parts/select.tsx'
import { fieldColumns, type Target } from '#web/rules/import-plan.ts'
import css from '#web/import/import-view.module.css'

/** Types of which two are equal or not, without a doubt. */
const MATCHED = new Set(['String', 'Number', 'Date', 'DateTime'])

interface MatchSelectProps {
  table: TableText
  tag: Tag
  targets: readonly Target[]
  /** Names of the table are those of items of the tag; undefined: not looked up yet. */
  isKnown: boolean | undefined
  /** `name`, `field <key>`, or '' where every row becomes an item of its own. */
  value: string
  isChosen: boolean
}

/** By what rows meet items that are there already. */
export function MatchSelect({ table, tag, targets, isKnown, value, isChosen }: MatchSelectProps) {
  const types = new Map(fieldColumns(tag).map(({ field }) => [field.name, field.type]))
  const fields = targets.flatMap((target, i) =>
    typeof target === 'object' && MATCHED.has(types.get(target.field) ?? '')
      ? [{ field: target.field, heading: table.headings[i] }]
      : [],
  )
  return (
    <>
      <label className={css.choice}>
        <span>Where an item is there already</span>
        <Select value={value} onChange={(event) => changeDraft({ match: event.target.value })}>
          <option value="">Make every row a new item</option>
          <option value="name">Update it where the name is equal</option>
          {fields.map(({ field, heading }) => (
            <option key={field} value={`field ${field}`}>
              Update it where {heading} is equal
            </option>
          ))}
        </Select>
      </label>
      {isKnown && !isChosen && (
        <Note>
          Names of this table are in {tag.name} already, so those items are updated, not made once more.
        </Note>
      )}
      {isKnown && value === '' && (
        <Note kind="warn">Names of this table are in {tag.name} already: they will be there twice.</Note>
      )}
    </>
  )
}

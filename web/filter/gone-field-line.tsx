import { useQuery } from '@tanstack/react-query'
import { tagRenamesQuery } from '#web/data/tag-renames.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Name } from '#web/parts/name.tsx'
import type { Filter } from '#web/rules/filter-edits.ts'
import { fieldsOf } from '#web/rules/filter-fields.ts'
import { type GoneField, withFieldNow, withoutField } from '#web/rules/gone-fields.ts'
import { nameNow } from '#web/rules/renamed.ts'
import css from '#web/filter/filter-bar.module.css'

interface GoneFieldLineProps {
  gone: GoneField
  filter: Filter
  onFilter: (filter: Filter | null) => void
}

/** A field that is asked for and not there any more: by which name it is, or the way to be rid of the condition. */
export function GoneFieldLine({ gone, filter, onFilter }: GoneFieldLineProps) {
  const { tag, name } = gone
  const { data } = useQuery(tagRenamesQuery(tag.tag_id))
  const now =
    data &&
    nameNow(
      name,
      data.map(({ fields }) => fields),
    )
  const isThere = now !== undefined && fieldsOf(tag).some((field) => field.name === now)
  return (
    <p className={css.warning}>
      <Icon name="alert" size={14} />
      <span>
        <Name of={tag.name} /> has no field <Name of={name} /> any more
        {isThere && (
          <>
            : it is called <Name of={now} />
          </>
        )}
        .{' '}
        {isThere && (
          <button
            type="button"
            className={css.include}
            onClick={() => onFilter(withFieldNow(filter, gone, now))}
          >
            Ask for <Name of={now} />
          </button>
        )}
        {isThere && ' · '}
        <button type="button" className={css.include} onClick={() => onFilter(withoutField(filter, gone))}>
          Take the condition away
        </button>
      </span>
    </p>
  )
}

import { useQuery } from '@tanstack/react-query'
import { tagRenamesQuery } from '#web/data/tag-renames.ts'
import { GoneLine } from '#web/filter/gone-line.tsx'
import { Name } from '#web/parts/name.tsx'
import type { Filter } from '#web/rules/filter-edits.ts'
import { fieldsOf } from '#web/rules/filter-fields.ts'
import { type GoneField, withFieldNow, withoutField } from '#web/rules/gone-fields.ts'
import { nameNow } from '#web/rules/renamed.ts'

interface GoneFieldLineProps {
  gone: GoneField
  filter: Filter
  onFilter: (filter: Filter | null) => void
}

/** A field that is asked for and not there any more. */
export function GoneFieldLine({ gone, filter, onFilter }: GoneFieldLineProps) {
  const { tag, name } = gone
  const { data = [] } = useQuery(tagRenamesQuery(tag.tag_id))
  const now = nameNow(
    name,
    data.map(({ fields }) => fields),
  )
  return (
    <GoneLine
      now={fieldsOf(tag).some((field) => field.name === now) ? now : undefined}
      onNow={(next) => onFilter(withFieldNow(filter, gone, next))}
      onAway={() => onFilter(withoutField(filter, gone))}
    >
      <Name of={tag.name} /> has no field <Name of={name} />
    </GoneLine>
  )
}

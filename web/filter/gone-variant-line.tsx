import { useQuery } from '@tanstack/react-query'
import { tagRenamesQuery } from '#web/data/tag-renames.ts'
import { GoneLine } from '#web/filter/gone-line.tsx'
import { Name } from '#web/parts/name.tsx'
import type { Filter } from '#web/rules/filter-edits.ts'
import { type GoneVariant, withoutVariant, withVariantNow } from '#web/rules/gone-variants.ts'
import { nameNow, variantRenames } from '#web/rules/renamed.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

interface GoneVariantLineProps {
  gone: GoneVariant
  filter: Filter
  onFilter: (filter: Filter | null) => void
  tags: readonly FilterTag[]
}

/** A variant that is asked for and not there any more. */
export function GoneVariantLine({ gone, filter, onFilter, tags }: GoneVariantLineProps) {
  const { field, name } = gone
  const { data = [] } = useQuery(tagRenamesQuery(field.tag.tag_id))
  const now = nameNow(name, variantRenames(field.name, data))
  return (
    <GoneLine
      now={field.variants.includes(now) ? now : undefined}
      onNow={(next) => onFilter(withVariantNow(filter, gone, next, tags))}
      onAway={() => onFilter(withoutVariant(filter, gone, tags))}
    >
      <Name of={field.name} /> of <Name of={field.tag.name} /> has no variant “<Name of={name} />”
    </GoneLine>
  )
}

import { useState } from 'react'
import { useConfirmed } from '#web/account/use-confirmed.tsx'
import { AgentsSettings } from '#web/agents/agents-settings.tsx'
import type { RenderFilterBar } from '#web/agents/limit-fields.tsx'
import { SettingsTabs } from '#web/account/settings-tabs.tsx'
import { useTags } from '#web/data/tags-query.ts'
import { ConditionWords } from '#web/filter/condition-words.tsx'
import { loaded } from '#web/parts/loaded.tsx'
import type { FilterTag } from '#web/rules/tag-catalog.ts'

const FilterBar = loaded(() => import('#web/filter/filter-bar.tsx').then(({ FilterBar }) => FilterBar))

const NONE: readonly FilterTag[] = []
const NO_WARNINGS: readonly string[] = []

/** Agents, their keys and apps. */
export function AgentsSettingsPage() {
  const [confirmed, dialog] = useConfirmed()
  const tags = useTags() ?? NONE
  const [isAdding, setAdding] = useState(false)
  const renderFilterBar: RenderFilterBar = ({ filter, onFilter, first }) => (
    <FilterBar
      filter={filter}
      onFilter={onFilter}
      base={null}
      tags={tags}
      first={tags.filter(({ tag_id }) => first.includes(tag_id))}
      warnings={NO_WARNINGS}
      adding={isAdding}
      onAdding={setAdding}
    />
  )
  return (
    <SettingsTabs title="Agents and keys">
      <AgentsSettings
        confirmed={confirmed}
        renderFilterBar={renderFilterBar}
        renderFilter={(filter) => <ConditionWords condition={filter} tags={tags} />}
      />
      {dialog}
    </SettingsTabs>
  )
}

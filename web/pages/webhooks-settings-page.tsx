import { SettingsTabs } from '#web/account/settings-tabs.tsx'
import { useConfirmed } from '#web/account/use-confirmed.tsx'
import { useTags } from '#web/data/tags-query.ts'
import { ConditionWords } from '#web/filter/condition-words.tsx'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import { WebhooksSettings } from '#web/webhooks/webhooks-settings.tsx'

const NONE: readonly FilterTag[] = []

/** Where events are sent; for owners. */
export function WebhooksSettingsPage() {
  const [confirmed, dialog] = useConfirmed()
  const tags = useTags() ?? NONE
  return (
    <SettingsTabs title="Webhooks">
      <WebhooksSettings
        confirmed={confirmed}
        renderFilter={(filter) => <ConditionWords condition={filter} tags={tags} />}
      />
      {dialog}
    </SettingsTabs>
  )
}

import { ActivityList } from '#web/account/activity-list.tsx'
import { SettingsTabs } from '#web/account/settings-tabs.tsx'

/** What happened around all accounts; for owners. */
export function LogSettingsPage() {
  return (
    <SettingsTabs
      title="Security log"
      lead="What happened around all accounts. It cannot be changed, only grow old."
    >
      <ActivityList everybody />
    </SettingsTabs>
  )
}

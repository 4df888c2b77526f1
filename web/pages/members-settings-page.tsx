import { MembersSettings } from '#web/account/members-settings.tsx'
import { SettingsTabs } from '#web/account/settings-tabs.tsx'

/** People and invitations; for owners. */
export function MembersSettingsPage() {
  return (
    <SettingsTabs title="Members">
      <MembersSettings />
    </SettingsTabs>
  )
}

import { SecuritySettings } from '#web/account/security-settings.tsx'
import { SettingsTabs } from '#web/account/settings-tabs.tsx'

/** The ways in, and who is in. */
export function SecuritySettingsPage() {
  return (
    <SettingsTabs title="Security">
      <SecuritySettings />
    </SettingsTabs>
  )
}

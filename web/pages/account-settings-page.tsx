import { AccountSettings } from '#web/account/account-settings.tsx'
import { SettingsTabs } from '#web/account/settings-tabs.tsx'

/** One’s own name, address and password. */
export function AccountSettingsPage() {
  return (
    <SettingsTabs title="Account">
      <AccountSettings />
    </SettingsTabs>
  )
}

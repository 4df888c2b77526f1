import { AppearanceSettings } from '#web/account/appearance-settings.tsx'
import { SettingsTabs } from '#web/account/settings-tabs.tsx'

/** How it looks. */
export function AppearanceSettingsPage() {
  return (
    <SettingsTabs title="Appearance" lead="It follows your account from browser to browser.">
      <AppearanceSettings />
    </SettingsTabs>
  )
}

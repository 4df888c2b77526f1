import { AppearanceSettings } from '#web/account/appearance-settings.tsx'
import { SettingsTabs } from '#web/account/settings-tabs.tsx'

/** How it looks. */
export function AppearanceSettingsPage() {
  return (
    <SettingsTabs title="Appearance" lead="For this browser.">
      <AppearanceSettings />
    </SettingsTabs>
  )
}

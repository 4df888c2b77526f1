import { BackupSettings } from '#web/account/backup-settings.tsx'
import { SettingsTabs } from '#web/account/settings-tabs.tsx'

/** Copies of the base; for owners. */
export function BackupsSettingsPage() {
  return (
    <SettingsTabs title="Backups">
      <BackupSettings />
    </SettingsTabs>
  )
}

import { useConfirmed } from '#web/account/use-confirmed.tsx'
import { AgentsSettings } from '#web/agents/agents-settings.tsx'
import { SettingsTabs } from '#web/account/settings-tabs.tsx'

/** Agents, their keys and apps. */
export function AgentsSettingsPage() {
  const [confirmed, dialog] = useConfirmed()
  return (
    <SettingsTabs title="Agents and keys">
      <AgentsSettings confirmed={confirmed} />
      {dialog}
    </SettingsTabs>
  )
}

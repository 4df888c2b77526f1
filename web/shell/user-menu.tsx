import { useLocation } from 'wouter'
import { writesDone } from '#web/api/call.ts'
import { dropUnsent } from '#web/data/unsent-edits.ts'
import { endSession, sessionHasEnded } from '#web/data/sign-out.ts'
import { setPreference, usePreference } from '#web/data/preferences.ts'
import { useActions } from '#web/parts/action.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import { toast } from '#web/parts/toast.tsx'
import { saveEverything } from '#web/parts/unsaved.ts'
import { ROUTES } from '#web/routes.ts'

const SETTINGS = '/settings/account'

/** Who one is, and what is one's own. */
export function UserMenu({ name, className }: { name: string; className: string | undefined }) {
  const [, go] = useLocation()
  const theme = usePreference('theme')
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const signOut = async () => {
    if (!(await saveEverything()))
      return toast({
        text: 'Still signed in: not everything here is saved, and signing out drops it.',
        kind: 'danger',
        action: { label: 'Sign out all the same', run: () => void leave() },
      })
    await writesDone()
    await leave()
  }
  const leave = async () => {
    const fault = await endSession()
    if (fault) return toast({ text: fault.message, kind: 'danger' })
    dropUnsent()
    // First, so that nothing asks any more whether it may be left.
    sessionHasEnded()
    go('/sign-in')
  }
  useActions([{ id: 'sign-out', title: 'Sign out', group: 'Account', run: () => void signOut() }])
  return (
    <Menu
      buttonClassName={className}
      label={`Account of ${name}`}
      button={
        <>
          <Icon name="user" />
          {name}
        </>
      }
      entries={[
        ...(ROUTES.some(({ path }) => path === SETTINGS)
          ? [{ label: 'Settings', icon: 'settings' as const, run: () => go(SETTINGS) }]
          : []),
        {
          label: dark ? 'Light theme' : 'Dark theme',
          icon: 'eye',
          run: () => setPreference('theme', dark ? 'light' : 'dark'),
        },
        { label: 'Sign out', icon: 'log_out', parted: true, run: () => void signOut() },
      ]}
    />
  )
}

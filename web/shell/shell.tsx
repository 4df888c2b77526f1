import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useSessionState } from '#web/api/session-state.ts'
import { useTagFaces } from '#web/data/tag-faces.ts'
import { useAccountPreferences } from '#web/data/account-preferences.ts'
import { useChangesByOthers } from '#web/data/changes-by-others.ts'
import { useRenewedItems } from '#web/data/renew-queries.ts'
import { keepOfflineStart } from '#web/data/offline-start.ts'
import { useRoleNow } from '#web/data/role-now.ts'
import { useSignOutElsewhere } from '#web/data/sign-out-elsewhere.ts'
import { useMayWrite } from '#web/data/may-write.ts'
import { setPreference, usePreference } from '#web/data/preferences.ts'
import { redoLast, undoLast, useStoppedUndo } from '#web/data/undo-stack.ts'
import { isMac, useActions } from '#web/parts/action.ts'
import { loadedOver } from '#web/parts/loaded.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { TagFaces } from '#web/parts/tag-faces.ts'
import { keepTyped } from '#web/parts/typed-ahead.ts'
import { ROUTES } from '#web/routes.ts'
import { LIST_KEYS } from '#web/shell/list-keys.ts'
import { PhoneBar } from '#web/shell/phone-bar.tsx'
import { SideBar } from '#web/shell/side-bar.tsx'
import { Slot } from '#web/store.ts'
import css from '#web/shell/shell.module.css'

const loadPalette = () => import('#web/shell/palette.tsx')
const Palette = loadedOver(() => loadPalette().then(({ Palette }) => Palette))
const KeyMap = loadedDialog(() => import('#web/shell/key-map.tsx').then(({ KeyMap }) => KeyMap))
const UndoConflicts = loadedOver(() =>
  import('#web/shell/undo-conflicts.tsx').then(({ UndoConflicts }) => UndoConflicts),
)
const ChatPanel = loadedOver(() => import('#web/shell/chat-panel.tsx').then(({ ChatPanel }) => ChatPanel))
const UnsentEdits = loadedOver(() =>
  import('#web/shell/unsent-edits.tsx').then(({ UnsentEdits }) => UnsentEdits),
)
const loadSession = () => import('#web/shell/session-dialog.tsx')
const SessionDialog = loadedOver(() => loadSession().then(({ SessionDialog }) => SessionDialog))

/** Milliseconds after which the page itself has what it needs. */
const PAUSE = 2000

/** What is around every page: side bar, palette, map of keys, and the sign-in when a session ends. */
export function Shell({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const [chatting, setChatting] = useState(false)
  const sideBar = usePreference('side_bar')
  const stopped = useStoppedUndo()
  useRenewedItems()
  useChangesByOthers()
  useAccountPreferences()
  useSignOutElsewhere()
  useRoleNow()
  const faces = useTagFaces()
  const session = useSessionState()
  const [path, go] = useLocation()
  const mayWrite = useMayWrite()
  const isChatBeside = chatting && !path.startsWith('/chat')
  const close = () => setOpen(null)
  const find = () => {
    keepTyped()
    setOpen('palette')
  }
  useEffect(() => {
    keepOfflineStart()
    // The sign-in too: when it is asked for, the service may have been renewed.
    const ahead = () => void Promise.all([loadPalette(), loadSession()]).catch(() => undefined)
    const timer = setTimeout(ahead, PAUSE)
    return () => clearTimeout(timer)
  }, [])
  useActions([
    { id: 'palette', title: 'Find or do', keys: 'mod+k', hidden: true, run: find },
    { id: 'keys', title: 'Keyboard shortcuts', keys: '?', group: 'Help', run: () => setOpen('keys') },
    {
      id: 'side-bar',
      title: sideBar === 'open' ? 'Hide the side bar' : 'Show the side bar',
      keys: '[',
      group: 'Appearance',
      run: () => setPreference('side_bar', sideBar === 'open' ? 'closed' : 'open'),
    },
    { id: 'undo', title: 'Undo', keys: 'mod+z', run: () => void undoLast() },
    { id: 'redo', title: 'Redo', keys: 'mod+shift+z', run: () => void redoLast() },
    // As on Windows; with Cmd it is the browser's own.
    ...(isMac()
      ? []
      : [{ id: 'redo-y', title: 'Redo', keys: 'mod+y', hidden: true, run: () => void redoLast() }]),
    {
      id: 'assistant',
      title: chatting ? 'Close the assistant' : 'Ask the assistant',
      keys: 'mod+j',
      // There it is the page.
      run: () => {
        const opens = !chatting && !path.startsWith('/chat')
        if (opens) keepTyped()
        setChatting(opens)
      },
    },
    ...(mayWrite
      ? [
          {
            id: 'new-item',
            title: 'New item',
            keys: 'c',
            group: 'Go',
            fallback: true,
            run: () => {
              keepTyped()
              go('/items?new=1')
            },
          },
        ]
      : []),
    { id: 'import', title: 'Import a file', group: 'Go', run: () => go('/import') },
    {
      id: 'notifications',
      title: 'Go to Notifications',
      keys: 'g n',
      group: 'Go',
      run: () => go('/notifications'),
    },
    { id: 'settings', title: 'Settings', group: 'Go', run: () => go('/settings/account') },
    { id: 'connect', title: 'Connect an agent', group: 'Go', run: () => go('/settings/agents') },
    ...LIST_KEYS,
    { id: 'region', title: 'Next region', keys: 'f6', hidden: true, run: nextRegion },
    ...THEMES.map(({ theme, title }) => ({
      id: `theme-${theme}`,
      title,
      group: 'Appearance',
      run: () => setPreference('theme', theme),
    })),
    ...ROUTES.flatMap(({ path, title, nav }) =>
      nav
        ? [
            {
              id: `go-${path}`,
              title: `Go to ${title}`,
              ...(nav.keys && { keys: nav.keys }),
              group: 'Go',
              run: () => go(path),
            },
          ]
        : [],
    ),
  ])
  return (
    <TagFaces value={faces}>
      <div className={css.shell} data-side-bar={sideBar} data-chat={isChatBeside || undefined}>
        <a href="#main" className={css.skip}>
          Skip to content
        </a>
        <SideBar onFind={find} />
        <main id="main" className={css.main} tabIndex={-1}>
          {children}
        </main>
        <PhoneBar onFind={find} />
        {isChatBeside && <ChatPanel onClose={() => setChatting(false)} />}
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'keys' && <KeyMap onClose={close} />}
        {stopped && <UndoConflicts {...stopped} />}
        {session === 'ended' && <SessionDialog />}
        <UnsentEdits />
      </div>
    </TagFaces>
  )
}

const THEMES = [
  { theme: 'light', title: 'Use the light theme' },
  { theme: 'dark', title: 'Use the dark theme' },
  { theme: 'system', title: 'Use the theme of the system' },
] as const

/** Where somebody has gone on to the browser's own regions; from there it begins with the first one. */
const leftAt = new Slot<Element | null>('left_regions_at', 'page', () => null)

/** From one landmark to the next; false after the last one, when the browser's own turn comes. */
function nextRegion(): boolean {
  const targets = [...document.querySelectorAll<HTMLElement>('nav, main, aside, [data-region]')].flatMap(
    (region) => {
      const target = region.offsetParent !== null && region.querySelector<HTMLElement>(STOPS)
      return target ? [{ region, target }] : []
    },
  )
  // One may lie in another, as references do in the page of an item.
  const { activeElement } = document
  const at =
    leftAt.get() === activeElement
      ? -1
      : targets.findLastIndex(({ region }) => region.contains(activeElement))
  const next = targets.slice(at + 1).find(({ target }) => target !== activeElement)
  next?.target.focus()
  leftAt.set(next ? null : activeElement)
  return next !== undefined
}

const STOPS = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]'

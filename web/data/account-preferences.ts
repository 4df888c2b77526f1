import { useEffect } from 'react'
import { call } from '#web/api/call.ts'
import { getPreferences, putPreferences } from '#web/api/operations.ts'
import { OF_ACCOUNT, onChosen, preference, takePreferences } from '#web/data/preferences.ts'
import { beforeSignOut } from '#web/parts/unsaved.ts'
import { mergedList } from '#web/rules/merged-list.ts'
import { pinsFrom, pinsText } from '#web/rules/pins.ts'

/** Under which the application stores its own; other clients have theirs alongside it. */
const OURS = 'web'
/** Milliseconds after the last choice. */
const PAUSE = 300
/** Names of what was chosen here and the account does not know yet: they outlast the page. */
const UNSENT = 'facet.preferences_unsent'
/** The pins as the account had them last: what was added to them and taken from them here is what it gets. */
const KNOWN_PINS = 'facet.pins_known'

const ours = (all: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const own = all[OURS]
  return typeof own === 'object' && own !== null ? (own as Record<string, unknown>) : {}
}

const unsentNames = (): readonly string[] => (localStorage.getItem(UNSENT) ?? '').split(' ')

const keepUnsent = (name: string) =>
  localStorage.setItem(UNSENT, [...new Set([...unsentNames(), name])].join(' ').trim())

/** What was chosen here alone: another browser may have chosen the rest. */
function chosenHere(stored: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  const names = new Set(unsentNames())
  const own: Record<string, string | undefined> = Object.fromEntries(
    OF_ACCOUNT.filter((name) => names.has(name)).map((name) => [name, preference(name)]),
  )
  if (own['pins'] === undefined) return own
  const [opened, mine, theirs] = [localStorage.getItem(KNOWN_PINS) ?? '', own['pins'], stored['pins']].map(
    (text) => pinsFrom(typeof text === 'string' ? text : ''),
  )
  const pins = mergedList({ opened, mine, stored: theirs }) as readonly string[] | null
  // Undefined: the account stores none.
  return { ...own, pins: pinsText(pins ?? []) || undefined }
}

/** Theme, density and keys follow the account from browser to browser; what is chosen here goes to all of them. */
export function useAccountPreferences(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const abort = new AbortController()
    const { signal } = abort
    const read = async () => (await call(getPreferences, {}, { signal })).data as Record<string, unknown>
    // What this browser has shows meanwhile, and stays where the account cannot be asked.
    const show = (stored: Readonly<Record<string, unknown>>) => {
      takePreferences(stored)
      localStorage.setItem(KNOWN_PINS, preference('pins'))
    }
    const take = async () => {
      const all = await read()
      if (timer === undefined) show(ours(all))
    }
    const give = async () => {
      const all = await read()
      const next = { ...ours(all), ...chosenHere(ours(all)) }
      await call(putPreferences, { ...all, [OURS]: next })
      if (timer !== undefined) return
      localStorage.removeItem(UNSENT)
      show(next)
    }
    const begin = localStorage.getItem(UNSENT) ? give() : take()
    begin.catch(() => undefined)
    const giveNow = async () => {
      clearTimeout(timer)
      timer = undefined
      await give().catch(() => undefined)
      return true
    }
    const forget = onChosen((name) => {
      if (!OF_ACCOUNT.some((each) => each === name)) return
      keepUnsent(name)
      clearTimeout(timer)
      timer = setTimeout(() => void giveNow(), PAUSE)
    })
    const letGo = beforeSignOut(async () => {
      if (timer !== undefined) await giveNow()
      // What could not be given is not for the next account.
      localStorage.removeItem(UNSENT)
      return true
    })
    return () => {
      forget()
      letGo()
      clearTimeout(timer)
      abort.abort()
    }
  }, [])
}

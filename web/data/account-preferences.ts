import { useEffect } from 'react'
import { call } from '#web/api/call.ts'
import { getPreferences, putPreferences } from '#web/api/operations.ts'
import { OF_ACCOUNT, onChosen, preference, takePreferences } from '#web/data/preferences.ts'
import { beforeSignOut } from '#web/parts/unsaved.ts'

/** Under which the application stores its own; other clients have theirs alongside it. */
const OURS = 'web'
/** Milliseconds after the last choice. */
const PAUSE = 300
/** Something was chosen here that the account does not know yet: it outlasts the page. */
const UNSENT = 'facet.preferences_unsent'

const ours = (all: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const own = all[OURS]
  return typeof own === 'object' && own !== null ? (own as Record<string, unknown>) : {}
}

/** Theme, density and keys follow the account from browser to browser; what is chosen here goes to all of them. */
export function useAccountPreferences(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const abort = new AbortController()
    const { signal } = abort
    const read = async () => (await call(getPreferences, {}, { signal })).data as Record<string, unknown>
    // What this browser has shows meanwhile, and stays where the account cannot be asked.
    const take = async () => {
      const all = await read()
      if (timer === undefined) takePreferences(ours(all))
    }
    const give = async () => {
      const all = await read()
      // Undefined: the account stores none.
      const own = Object.fromEntries(OF_ACCOUNT.map((name) => [name, preference(name) || undefined]))
      await call(putPreferences, { ...all, [OURS]: { ...ours(all), ...own } })
      if (timer === undefined) localStorage.removeItem(UNSENT)
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
      localStorage.setItem(UNSENT, 'yes')
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

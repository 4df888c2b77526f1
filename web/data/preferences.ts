import { useEffect } from 'react'
import { pinsFrom, pinsText } from '#web/rules/pins.ts'
import { Slot, useSlot } from '#web/store.ts'

/** What a person has chosen, stored in this browser; some of it also with the account. `web/theme.ts` reads the first two before anything is drawn. */
const DEFAULTS = {
  theme: 'system',
  density: 'normal',
  /** Whether letters alone act, where nothing is typed (WCAG 2.1.4). */
  single_keys: 'on',
  side_bar: 'open',
  /** On a wide screen: the item of the row one is on. */
  beside: 'open',
  /** Ids of views and tags, in one's own order. */
  pins: '',
} as const

export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'normal' | 'roomy'
  single_keys: 'on' | 'off'
  side_bar: 'open' | 'closed'
  beside: 'open' | 'closed'
  pins: string
}

type Name = keyof Preferences

/** Those that go where the account goes. */
export const OF_ACCOUNT = ['theme', 'density', 'single_keys', 'pins'] as const

const ALLOWED: Readonly<Record<Exclude<(typeof OF_ACCOUNT)[number], 'pins'>, readonly string[]>> = {
  theme: ['system', 'light', 'dark'],
  density: ['compact', 'normal', 'roomy'],
  single_keys: ['on', 'off'],
}

const keyOf = (name: Name) => `facet.${name}`
/** Counts what was changed: the values themselves are in the browser. */
const turn = new Slot('preferences', 'page', () => 0)
const chosen = new Slot<{ name: Name } | null>('chosen_preference', 'account', () => null)

export function preference<N extends Name>(name: N): Preferences[N] {
  return (localStorage.getItem(keyOf(name)) ?? DEFAULTS[name]) as Preferences[N]
}

export function setPreference<N extends Name>(name: N, value: Preferences[N]): void {
  keep(name, value)
  chosen.set({ name })
}

/** Hears what a person chooses here, not what comes from elsewhere. */
export const onChosen = (listener: (name: Name) => void): (() => void) =>
  chosen.subscribe(() => {
    const last = chosen.get()
    if (last) listener(last.name)
  })

/** What the account stores, as far as this version knows it. */
export function takePreferences(kept: Readonly<Record<string, unknown>>): void {
  for (const name of OF_ACCOUNT) {
    const value = allowed(name, kept[name])
    if (value !== undefined && value !== preference(name)) keep(name, value as never)
  }
}

/** undefined: what this browser has stays. Pins are one's own: who has none has not those of who was here before. */
function allowed(name: (typeof OF_ACCOUNT)[number], value: unknown): string | undefined {
  if (name === 'pins') return typeof value === 'string' ? pinsText(pinsFrom(value)) : ''
  return ALLOWED[name].find((each) => each === value)
}

function keep<N extends Name>(name: N, value: Preferences[N]): void {
  if (value === DEFAULTS[name]) localStorage.removeItem(keyOf(name))
  else localStorage.setItem(keyOf(name), value)
  renew()
}

/** The value, and a new one when it changes here or in another tab. */
export function usePreference<N extends Name>(name: N): Preferences[N] {
  useEffect(() => {
    const elsewhere = () => renew()
    addEventListener('storage', elsewhere)
    return () => removeEventListener('storage', elsewhere)
  }, [])
  return useSlot(turn, () => preference(name))
}

function renew(): void {
  show()
  turn.update((before) => before + 1)
}

function show(): void {
  const { dataset } = document.documentElement
  for (const name of ['theme', 'density'] as const) {
    const value = localStorage.getItem(keyOf(name))
    if (value) dataset[name] = value
    else delete dataset[name]
  }
}

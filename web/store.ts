// What the parts of the application share that no component owns, and no query of the service: named slots, each in the
// file that knows its meaning, all of them emptied here when the account goes. A module holds no state of its own besides
// it: `scripts/check-web.ts` says so.
import { useSyncExternalStore } from 'react'

/** Whose it is: what is an account's is gone for the next one, what is the page's stays as long as the page. */
export type Owner = 'account' | 'page'

interface Emptied {
  readonly name: string
  readonly of: Owner
  readonly isEmpty: boolean
  empty(): void
}

const slots: Emptied[] = []
const alsoEmptied = new Set<() => void>()

/** Nothing of one account is left for the next. */
export function emptyStore(): void {
  for (const slot of slots) if (slot.of === 'account') slot.empty()
  for (const empty of alsoEmptied) empty()
}

/** What is cached elsewhere and emptied together with the slots: the answers of queries. */
export function alsoEmpty(empty: () => void): void {
  alsoEmptied.add(empty)
}

/** The slots that hold anything now. */
export const filledSlots = (of: Owner): readonly string[] =>
  slots.filter((slot) => slot.of === of && !slot.isEmpty).map(({ name }) => name)

/** One value, which is never changed but put in place of the one before. */
export class Slot<T> implements Emptied {
  readonly name: string
  readonly of: Owner
  private readonly initial: () => T
  private readonly listeners = new Set<() => void>()
  private value: T
  isEmpty = true

  constructor(name: string, of: Owner, initial: () => T) {
    this.name = name
    this.of = of
    this.initial = initial
    this.value = initial()
    slots.push(this)
  }

  get = (): T => this.value

  set = (next: T): void => {
    this.put(next, false)
  }

  update = (change: (before: T) => T): void => {
    this.set(change(this.value))
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  empty(): void {
    if (!this.isEmpty) this.put(this.initial(), true)
  }

  private put(next: T, isEmpty: boolean): void {
    this.isEmpty = isEmpty
    if (Object.is(next, this.value)) return
    this.value = next
    for (const listener of this.listeners) listener()
  }
}

/** Values by their keys; who watches one key hears of that one alone. Beyond `most` the oldest are dropped. */
export class KeyedSlot<K, V> implements Emptied {
  readonly name: string
  readonly of: Owner
  private readonly most: number
  private readonly values = new Map<K, V>()
  private readonly watchers = new Map<K, Set<() => void>>()

  constructor(name: string, of: Owner, most = Infinity) {
    this.name = name
    this.of = of
    this.most = most
    slots.push(this)
  }

  get isEmpty(): boolean {
    return this.values.size === 0
  }

  get = (key: K): V | undefined => this.values.get(key)

  has = (key: K): boolean => this.values.has(key)

  set(key: K, value: V): void {
    const isSame = this.values.has(key) && Object.is(this.values.get(key), value)
    // What was set last is dropped last.
    this.values.delete(key)
    this.values.set(key, value)
    if (this.values.size > this.most) this.values.delete(this.values.keys().next().value!)
    if (!isSame) this.notify(key)
  }

  delete(key: K): void {
    if (this.values.delete(key)) this.notify(key)
  }

  keys(): readonly K[] {
    return [...this.values.keys()]
  }

  watch(key: K, listener: () => void): () => void {
    const all = this.watchers.get(key) ?? new Set()
    this.watchers.set(key, all.add(listener))
    return () => {
      all.delete(listener)
      if (!all.size && this.watchers.get(key) === all) this.watchers.delete(key)
    }
  }

  isWatched = (key: K): boolean => this.watchers.has(key)

  watched(): readonly K[] {
    return [...this.watchers.keys()]
  }

  empty(): void {
    const gone = this.keys()
    this.values.clear()
    for (const key of gone) this.notify(key)
  }

  private notify(key: K): void {
    for (const listener of this.watchers.get(key) ?? []) listener()
  }
}

/** A slot in a component, which is drawn again where what it selects has become another value. */
export const useSlot = <T, S>(slot: Slot<T>, select: (value: T) => S): S =>
  useSyncExternalStore(slot.subscribe, () => select(slot.get()))

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setSessionState } from '#web/api/session-state.ts'
import { alsoEmpty, emptyStore, filledSlots, KeyedSlot, Slot } from '#web/store.ts'

describe('a slot', () => {
  const slot = new Slot<readonly string[]>('words', 'account', () => [])
  beforeEach(() => slot.empty())

  it('says to all who subscribe that there is another value, and to nobody that it is the same', () => {
    const heard: (readonly string[])[] = []
    const end = slot.subscribe(() => heard.push(slot.get()))
    const same = ['one']
    slot.set(same)
    slot.set(same)
    slot.update((before) => [...before, 'two'])
    end()
    slot.set([])
    expect(heard).toEqual([['one'], ['one', 'two']])
  })

  it('is as it was at first when it is emptied, and says so once', () => {
    const heard: number[] = []
    slot.set(['one'])
    const end = slot.subscribe(() => heard.push(slot.get().length))
    slot.empty()
    slot.empty()
    end()
    expect([slot.get(), heard]).toEqual([[], [0]])
  })
})

describe('a slot with keys', () => {
  const slot = new KeyedSlot<string, number>('numbers', 'account', 3)
  beforeEach(() => slot.empty())

  it('says what became of one key to those who watch it alone', () => {
    const heard: (number | undefined)[] = []
    const end = slot.watch('a', () => heard.push(slot.get('a')))
    slot.set('a', 1)
    slot.set('b', 1)
    slot.set('a', 1)
    slot.set('a', 2)
    slot.delete('a')
    slot.set('a', 3)
    expect([slot.watched(), slot.isWatched('b')]).toEqual([['a'], false])
    slot.empty()
    end()
    expect([heard, slot.watched()]).toEqual([[1, 2, undefined, 3, undefined], []])
  })

  it('drops what was set first where there is more than it holds', () => {
    for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) slot.set(key, value)
    slot.set('a', 1)
    slot.set('d', 4)
    expect(slot.keys()).toEqual(['c', 'a', 'd'])
  })
})

describe('the account', () => {
  const OF_PAGE = { location: { href: 'http://127.0.0.1/', pathname: '/' } }
  const window = new EventTarget()
  beforeAll(() => {
    const addEventListener = window.addEventListener.bind(window)
    const removeEventListener = window.removeEventListener.bind(window)
    Object.assign(globalThis, { ...OF_PAGE, addEventListener, removeEventListener })
  })
  afterAll(() => {
    setSessionState('unknown')
    for (const name of ['location', 'addEventListener', 'removeEventListener'])
      Reflect.deleteProperty(globalThis, name)
  })

  it('leaves nothing for the next one when it goes, nor what comes late', async () => {
    const { keepUndoable } = await import('#web/data/undo-stack.ts')
    const { keepItemName, knownItemName } = await import('#web/data/item-names.ts')
    const { keepUnsent } = await import('#web/data/unsent-edits.ts')
    const { itemsChanged } = await import('#web/data/items-changed.ts')
    const { draftOf, keepDraft, keepFault, keepParts } = await import('#web/chat/answer-parts.ts')
    const descriptions = await import('#web/item/description-drafts.ts')
    const { keepDrafts, keepPasted } = await import('#web/import/import-drafts.ts')
    const { saveEverything } = await import('#web/parts/unsaved.ts')
    setSessionState('signed_in')
    keepUndoable({ words: 'Renamed', change_ids: ['1'] })
    keepItemName('a', 'Roof')
    keepUnsent([{ item_id: 'a', tag_id: null, field: 'name', value: 'x', name: 'Roof', updated_at: '' }])
    itemsChanged(['a'])
    keepDraft('c', 'half a sentence')
    keepFault('c', 'cut off')
    keepParts('m', [])
    descriptions.keepDraft('a', { text: 'x', over: null })
    keepDrafts('i', {})
    keepPasted('a;b')
    expect(filledSlots('account')).toEqual(
      expect.arrayContaining(
        [
          [
            'undo_stacks',
            'item_names',
            'unsent',
            'items_changed',
            'chat_drafts',
            'chat_fault',
            'chat_answers',
          ],
          ['description_drafts', 'import_drafts', 'pasted_rows'],
        ].flat(),
      ),
    )
    expect(await saveEverything()).toBe(false)
    const emptied: string[] = []
    alsoEmpty(() => emptied.push('queries'))
    setSessionState('signed_out')
    expect(filledSlots('account')).toEqual([])
    // Nothing holds the page any more that is not there.
    expect(await saveEverything()).toBe(true)
    // Answers that were under way.
    keepItemName('b', 'Cellar')
    keepDraft('d', 'late')
    setSessionState('signed_in')
    expect([knownItemName('b'), draftOf('d'), filledSlots('account')]).toEqual([undefined, '', []])
    expect(emptied).toEqual(['queries', 'queries'])
  })

  it('that comes back over the page finds what it has typed', async () => {
    const { draftOf, keepDraft } = await import('#web/chat/answer-parts.ts')
    keepDraft('c', 'half a sentence')
    setSessionState('ended')
    setSessionState('signed_in')
    expect(draftOf('c')).toBe('half a sentence')
    emptyStore()
    expect(draftOf('c')).toBe('')
  })
})

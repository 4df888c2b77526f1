import {
  Combobox,
  ComboboxItem,
  ComboboxList,
  ComboboxProvider,
  Dialog,
  useComboboxStore,
  useStoreState,
} from '@ariakit/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import { useTags } from '#web/data/tags-query.ts'
import { lookedAtQuery } from '#web/data/views-query.ts'
import { type Action, useCurrentActions, useDialogKeys } from '#web/parts/action.ts'
import { Icon } from '#web/parts/icon.tsx'
import { Keys } from '#web/parts/keys.tsx'
import { TagSign } from '#web/parts/tag-sign.tsx'
import { takeLine } from '#web/parts/typed-ahead.ts'
import { ROUTES } from '#web/routes.ts'
import { Marked, type Snippet } from '#web/parts/marked.tsx'
import { hasWord, searchFor, type SearchMatch } from '#web/rules/search-text.ts'
import css from '#web/shell/palette.module.css'

/** Milliseconds without a key before items are looked for. */
const PAUSE = 120
const MOST_ITEMS = 8
const MOST_OTHERS = 6

interface Found {
  key: string
  sign: ReactNode
  text: string
  /** What it is, at the end of the line. */
  what: ReactNode
  isItem?: boolean
  /** Where else than in its name it was met. */
  snippet?: Snippet | null | undefined
  run: () => void
}

/** Finds items, tags, views and everything that can be done here; `>` for the last alone. */
export function Palette({ onClose }: { onClose: () => void }) {
  useDialogKeys()
  const [text, setText] = useState('')
  const asked = useDeferredValue(text.trim())
  const { found, isOld } = useFound(asked)
  /** The text with which Enter was pressed, before the list answered it. */
  const [wanted, setWanted] = useState<string | null>(null)
  const store = useComboboxStore({
    focusLoop: true,
    value: text,
    setValue: setText,
    includesBaseElement: false,
  })
  const typedBefore = useRef(false)
  const shown = useStoreState(store, 'renderedItems')
  // The first one is chosen as it is where the text is typed here.
  useEffect(() => {
    const isChosen = shown.some(({ id }) => id === store.getState().activeId)
    if (typedBefore.current && shown[0] && !isChosen) store.setActiveId(shown[0].id)
  }, [store, shown])
  const take = ({ run }: Found) => {
    onClose()
    run()
  }
  /** Tags, views and what can be done are found at once; items of an earlier text are not meant. */
  const isAnswer = (typed: string) => asked === typed && !(isOld && (found[0]?.isItem ?? true))
  const takeFirst = useEffectEvent(() => {
    setWanted(null)
    if (found[0]) take(found[0])
  })
  const isDue = wanted !== null && isAnswer(wanted)
  useEffect(() => {
    if (isDue) takeFirst()
  }, [isDue])
  return (
    <Dialog
      open
      onClose={onClose}
      aria-label="Find or do"
      className={css.palette}
      backdrop={<div className={css.backdrop} />}
    >
      <ComboboxProvider store={store}>
        <div className={css.top}>
          <Icon name="search" size={18} />
          <Combobox
            autoSelect
            // Before the line that is highlighted hears it: that may still be one for less text.
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              // What is drawn may be a few letters behind it.
              const typed = event.currentTarget.value.trim()
              // The list chooses its first line a moment after it is shown: who is faster means that one.
              const chosen = found.find(({ key }) => idOf(key) === store.getState().activeId) ?? found[0]
              const isGoneTo = asked === typed && chosen !== found[0]
              if (chosen && (isGoneTo || isAnswer(typed))) take(chosen)
              else setWanted(typed)
            }}
            onChange={() => setWanted(null)}
            onFocus={() => {
              const before = takeLine()
              if (!before.text) return
              typedBefore.current = true
              setText(before.text)
              if (before.isEntered) setWanted(before.text.trim())
            }}
            placeholder="Find an item, open a tag, do something"
            aria-label="Find or do"
            className={css.input}
          />
        </div>
        <ComboboxList alwaysVisible className={css.list} aria-label="Found">
          {found.map((each) => (
            <ComboboxItem
              key={each.key}
              id={idOf(each.key)}
              className={css.option}
              onClick={() => take(each)}
            >
              {each.sign}
              <span className={css.text}>
                {each.text}
                {each.snippet && <Marked snippet={each.snippet} />}
              </span>
              <small>{each.what}</small>
            </ComboboxItem>
          ))}
        </ComboboxList>
        {!found.length && <p className={css.nothing}>Nothing is called “{asked}”.</p>}
      </ComboboxProvider>
    </Dialog>
  )
}

/** Of the line of what was found, in the page. */
const idOf = (key: string): string => `found-${key.replaceAll(' ', '-')}`

/** `isOld`: its items are not those of this text yet. */
function useFound(asked: string): { found: Found[]; isOld: boolean } {
  const actions = useCurrentActions()
  const shown = actions.filter(({ hidden, heard }) => !hidden && !heard)
  const places = usePlaces()
  const { items, isOld } = useItems(asked.startsWith('>') ? '' : asked)
  const doing = shown.map(actionFound)
  if (asked.startsWith('>')) return { found: named(doing, asked.slice(1).trim()), isOld }
  if (!asked) return { found: [...places.slice(0, MOST_OTHERS), ...doing], isOld }
  const found = [
    ...named(places, asked).slice(0, MOST_OTHERS),
    ...items,
    ...named(doing, asked).slice(0, MOST_OTHERS),
  ]
  return { found, isOld }
}

const actionFound = ({ id, title, keys, run }: Action): Found => ({
  key: `action ${id}`,
  sign: <Icon name="chevron_right" />,
  text: title,
  what: keys && <Keys keys={keys} />,
  run,
})

/** Those that hold the text, and first those that begin with it. */
function named(all: readonly Found[], asked: string): Found[] {
  const wanted = asked.toLowerCase()
  return all
    .map((each) => ({ each, at: each.text.toLowerCase().indexOf(wanted) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => Math.sign(a.at) - Math.sign(b.at))
    .map(({ each }) => each)
}

const hasPage = (path: string) => ROUTES.some((route) => route.path === path)

function usePlaces(): Found[] {
  const [, go] = useLocation()
  const tags = useTags() ?? []
  const views = useQuery({ ...lookedAtQuery, enabled: hasPage('/views/:id') }).data ?? []
  return [
    ...views.map(({ view_id, name }) => ({
      key: view_id,
      sign: <Icon name="view" />,
      text: name,
      what: 'View',
      run: () => go(`/views/${view_id}`),
    })),
    ...(hasPage('/tags/:id') ? tags : []).map(({ tag_id, name }) => ({
      key: tag_id,
      sign: <TagSign tag={tag_id} />,
      text: name,
      what: 'Tag',
      run: () => go(`/tags/${tag_id}`),
    })),
  ]
}

function useItems(asked: string): { items: Found[]; isOld: boolean } {
  const [, go] = useLocation()
  const paused = usePaused(asked)
  const { data = [], isFetching } = useQuery({
    queryKey: ['find', paused],
    enabled: paused.length > 0 && hasPage('/items/:id'),
    queryFn: ({ signal }) => itemsFor(paused, signal),
    placeholderData: (old) => old,
    gcTime: 0,
  })
  if (!asked) return { items: [], isOld: false }
  const items = data.map(({ item_id, name, tags, snippet }) => ({
    key: item_id,
    isItem: true,
    sign: <ItemSign tags={Object.keys(tags)} />,
    text: name,
    snippet: snippet?.place === 'name' ? null : snippet,
    what: Object.values(tags)
      .map(({ tag_name }) => tag_name)
      .join(', '),
    run: () => go(`/items/${item_id}`),
  }))
  return { items, isOld: isFetching || paused !== asked }
}

/** An item wears the sign of its first tag. */
const ItemSign = ({ tags: [first] }: { tags: readonly string[] }) =>
  first === undefined ? <Icon name="items" /> : <TagSign tag={first} />

/** Those that have all of the words, and where these are few those that have any of them; best first. */
async function itemsFor(text: string, signal: AbortSignal) {
  const ask = async (match: SearchMatch) => {
    const filter = searchFor(text, match)
    const wanted = {
      ...(filter && { filter }),
      sort: [{ by: 'relevance' }],
      limit: MOST_ITEMS,
      snippets: true,
    }
    return (await call(searchItems, wanted, { signal })).data
  }
  const all = await ask('words')
  if (all.length >= MOST_ITEMS || !hasWord(text)) return all
  const known = new Set(all.map(({ item_id }) => item_id))
  return [...all, ...(await ask('any')).filter(({ item_id }) => !known.has(item_id))].slice(0, MOST_ITEMS)
}

function usePaused(value: string): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}

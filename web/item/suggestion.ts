import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { descriptionSchema } from '#web/item/description-schema.ts'

/** What is typed to be offered something: `/table`, `[[Water`, `@Ada`. */
export interface Suggestion {
  kind: 'block' | 'item'
  from: number
  to: number
  query: string
}

interface Shown {
  shown: Suggestion | null
  /** Where it was closed by Escape: it does not come again there. */
  closedAt: number | null
}

const BLOCK = /(?:^|\s)(\/((?:[^\s/][^/]{0,30})?))$/
const ITEM = /(?:(\[\[([^[\]\n]{0,80}))|(?:^|[\s(])(@((?:[^\s@][^@\n]{0,60})?)))$/
/** A longer text is no name. */
const MOST_WORDS = 8
/** In the place of what is no text. */
const OTHER = '\uFFFC'

const key = new PluginKey<Shown>('suggestion')

function suggestionAt({ selection: { $from, empty } }: EditorState): Suggestion | null {
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null
  if (descriptionSchema.marks.code.isInSet($from.marks())) return null
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, OTHER)
  const block = BLOCK.exec(before)
  const item = block ? null : ITEM.exec(before)
  const typed = block?.[1] ?? item?.[1] ?? item?.[3]
  const query = block?.[2] ?? item?.[2] ?? item?.[4] ?? ''
  if (typed === undefined || query.split(/\s+/).length > MOST_WORDS) return null
  return { kind: block ? 'block' : 'item', from: $from.pos - typed.length, to: $from.pos, query }
}

export const suggestionOf = (state: EditorState): Suggestion | null => key.getState(state)?.shown ?? null

export const closeSuggestion = (view: EditorView): void => view.dispatch(view.state.tr.setMeta(key, 'close'))

/** Knows what is being asked for while it is typed; `hear` hears the keys as long as something is offered. */
export const suggesting = (hear: (event: KeyboardEvent) => boolean): Plugin<Shown> =>
  new Plugin<Shown>({
    key,
    state: {
      init: () => ({ shown: null, closedAt: null }),
      apply(transaction, { shown, closedAt }, _, state) {
        const now = suggestionAt(state)
        if (!now) return { shown: null, closedAt: null }
        const closed = closedAt === null ? null : transaction.mapping.map(closedAt)
        if (transaction.getMeta(key) === 'close') return { shown: null, closedAt: now.from }
        if (closed === now.from) return { shown: null, closedAt: closed }
        // Only typing asks; a caret that comes by does not.
        return { shown: transaction.docChanged || shown ? now : null, closedAt: null }
      },
    },
    props: {
      handleKeyDown: (view, event) => suggestionOf(view.state) !== null && hear(event),
      handleDOMEvents: {
        blur: (view) => {
          if (suggestionOf(view.state)) closeSuggestion(view)
        },
      },
    },
  })

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useHoldUnsettled } from '#web/parts/unsettled.ts'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import type { FilterFault } from '#web/rules/filter-meaning.ts'
import { readJson } from '#web/rules/json-places.ts'
import { FaultLine } from '#web/parts/fault-line.tsx'
import css from '#web/filter/filter-json.module.css'

interface FilterJsonProps {
  filter: Filter | null
  faults: readonly FilterFault[]
  onFilter: (filter: Filter | null) => void
}

/** The filter as text; what is wrong is marked where it is. */
export function FilterJson({ filter, faults, onFilter }: FilterJsonProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const reported = useRef(filter)
  const [fault, setFault] = useState<string>()
  // Not yet a filter: it is here alone.
  useLeaveGuard(fault !== undefined)
  useHoldUnsettled(fault !== undefined, () => view.current?.focus())
  const report = useEffectEvent((read: Filter | null) => {
    reported.current = read
    onFilter(read)
  })
  useEffect(() => {
    const changed = (text: string) => {
      const read = readJson(text)
      setFault(read.fault)
      if (read.fault !== undefined) return
      report(read.filter)
    }
    const editor = editorIn(host.current!, textOf(reported.current), changed)
    view.current = editor
    return () => {
      editor.destroy()
      view.current = null
    }
  }, [])
  useEffect(() => {
    // Changed elsewhere: a chip, Back. What is typed here stays as it was typed.
    if (JSON.stringify(reported.current) === JSON.stringify(filter)) return
    reported.current = filter
    const editor = view.current
    editor?.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: textOf(filter) } })
  }, [filter])
  useEffect(() => {
    const editor = view.current
    if (editor)
      editor.dispatch(setDiagnostics(editor.state, diagnostics(editor.state.doc.toString(), faults)))
  }, [faults, fault])
  return (
    <div className={css.json}>
      <div ref={host} className={css.host} />
      {fault && <FaultLine>{fault}</FaultLine>}
    </div>
  )
}

const textOf = (filter: Filter | null) => (filter ? JSON.stringify(filter, null, 2) : '')

/** In a shadow root: there its styles are constructed sheets, which the policy of the page lets pass. */
function editorIn(host: HTMLElement, doc: string, onText: (text: string) => void): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.replaceChildren()
  return new EditorView({
    root,
    parent: root as unknown as HTMLElement,
    state: EditorState.create({
      doc,
      extensions: [
        history(),
        drawSelection(),
        bracketMatching(),
        lintGutter(),
        json(),
        syntaxHighlighting(HIGHLIGHT),
        LOOK,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'Filter as JSON' }),
        keymap.of([...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onText(update.state.doc.toString())
        }),
      ],
    }),
  })
}

/** By what a word is: names, texts, numbers; punctuation stays ink. */
const KINDS: readonly [RegExp, string][] = [
  [/propertyName/, 'json-name'],
  [/string/, 'json-text'],
  [/number|bool|null/, 'json-value'],
]
const HIGHLIGHT = {
  style: (tags: readonly { toString(): string }[]) =>
    KINDS.find(([kind]) => tags.some((tag) => kind.test(tag.toString())))?.[1] ?? null,
}

const LOOK = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--ink)', maxHeight: '20rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', minHeight: '4rem' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--sunken)', borderRight: '1px solid var(--line)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    background: 'var(--accent-soft) !important',
  },
  '.json-name': { color: 'var(--ink)', fontWeight: '500' },
  '.json-text': { color: 'var(--accent)' },
  '.json-value': { color: 'var(--warn)' },
  '.cm-tooltip': { background: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
})

function diagnostics(text: string, faults: readonly FilterFault[]): Diagnostic[] {
  const { fault, places } = readJson(text)
  if (fault !== undefined || !places) return []
  return faults.map(({ path, message, suggestion }) => ({
    ...placeOf(path, places),
    severity: 'error',
    message: suggestion ? `${message}\n${suggestion}` : message,
  }))
}

/** Where a fault is; what is missing is marked at what it is missing in. */
function placeOf(path: string, places: ReadonlyMap<string, { from: number; to: number }>) {
  for (let at = path; at; at = at.slice(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['), 0))) {
    const place = places.get(at)
    if (place) return place
  }
  return { from: 0, to: 0 }
}

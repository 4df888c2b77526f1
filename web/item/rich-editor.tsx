import { closeHistory, history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import type { Node } from 'prosemirror-model'
import { EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { cleanPasted, readDescription, writeDescription } from '#web/item/description-html.ts'
import { descriptionSchema } from '#web/item/description-schema.ts'
import { linkAt, richKeys } from '#web/item/rich-commands.ts'
import { RichToolbar } from '#web/item/rich-toolbar.tsx'
import { NODE_VIEWS } from '#web/item/rich-node-views.ts'
import { type HeardFirst, SuggestList } from '#web/item/suggest-list.tsx'
import { suggesting, suggestionOf } from '#web/item/suggestion.ts'
import { isSendingFiles, sendingFiles, takingFiles } from '#web/item/taken-files.ts'
import { toast } from '#web/parts/toast.tsx'
import { ticking } from '#web/item/ticking.ts'
import { typedMarkup } from '#web/item/typed-markup.ts'
import textCss from '#web/item/clean-text.module.css'
import css from '#web/item/rich-editor.module.css'

interface RichEditorProps {
  /** What it begins with; another text given later is taken instead. */
  html: string
  onHtml: (html: string) => void
  /** What it cannot hold: the text must be edited as HTML then. */
  onBeyond: (beyond: readonly string[]) => void
  onDone: () => void
  /** Files of it are being sent: it is not whole yet. */
  onSending: (isSending: boolean) => void
  isInvalid: boolean
}

/** A description edited as it is read. Loaded lazily, with ProseMirror. */
export function RichEditor({ html, onHtml, onBeyond, onDone, onSending, isInvalid }: RichEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView>()
  const [state, setState] = useState<EditorState>()
  const [isLinking, setLinking] = useState(false)
  const reported = useRef(html)
  const written = useEffectEvent((doc: Node) => {
    reported.current = writeDescription(doc, html)
    onHtml(reported.current)
  })
  const isDone = useEffectEvent(onDone)
  const begin = useEffectEvent(() => {
    reported.current = html
    return readDescription(html)
  })
  const isBeyond = useEffectEvent(onBeyond)
  const first: HeardFirst = useRef(null)
  useEffect(() => {
    const read = begin()
    if ('beyond' in read) return isBeyond(read.beyond)
    const editor = editorIn(host.current!, read.doc, {
      changed: (doc) => written(doc),
      moved: setState,
      done: () => isDone(),
      link: () => setLinking(true),
      failed: (message) => toast({ text: message }),
      keys: (event) => first.current?.(event) ?? false,
    })
    setView(editor)
    setState(editor.state)
    editor.focus()
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    // Focused without scrolling, and below its toolbar only now.
    if (view) caretBlock(view).scrollIntoView({ block: 'nearest' })
  }, [view])
  useEffect(() => {
    // Another text was taken, somebody else's: what was typed here does not come back.
    if (!view || reported.current === html) return
    reported.current = html
    const read = readDescription(html)
    if ('beyond' in read) return isBeyond(read.beyond)
    view.updateState(EditorState.create({ doc: read.doc, plugins: view.state.plugins }))
    setState(view.state)
  }, [view, html])
  useEffect(() => {
    view?.dom.setAttribute('aria-invalid', String(isInvalid))
  }, [view, isInvalid])
  const isSending = state !== undefined && isSendingFiles(state)
  const isSent = useEffectEvent(onSending)
  useEffect(() => isSent(isSending), [isSending])
  const suggestion = state && suggestionOf(state)
  return (
    <div className={css.editor}>
      {view && state && (
        <RichToolbar view={view} state={state} isLinking={isLinking} onLinking={setLinking} />
      )}
      <div ref={host} className={css.host} />
      {view && suggestion && <SuggestList view={view} suggestion={suggestion} heard={first} />}
    </div>
  )
}

interface Heard {
  changed: (doc: Node) => void
  moved: (state: EditorState) => void
  done: () => void
  link: () => void
  failed: (message: string) => void
  /** Keys that are for what is offered at the caret. */
  keys: (event: KeyboardEvent) => boolean
}

function caretBlock(view: EditorView): Element {
  const { node } = view.domAtPos(view.state.selection.head)
  return node instanceof Element ? node : node.parentElement!
}

function editorIn(host: HTMLElement, doc: Node, heard: Heard): EditorView {
  const done = () => {
    heard.done()
    return true
  }
  const link = (state: EditorState) => {
    // Without anything to link the keys are the palette's.
    if (state.selection.empty && linkAt(state) === undefined) return false
    heard.link()
    return true
  }
  const state = EditorState.create({
    doc,
    plugins: [
      suggesting(heard.keys),
      ticking(),
      typedMarkup(),
      sendingFiles(),
      keymap({ 'Mod-Enter': done, Escape: done, 'Mod-k': link }),
      keymap(richKeys),
      history(),
      headingLevels(),
    ],
  })
  const view: EditorView = new EditorView(host, {
    state,
    attributes: {
      class: `${css.text} ${textCss.text}`,
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': 'Description',
    },
    nodeViews: NODE_VIEWS,
    transformPastedHTML: cleanPasted,
    ...takingFiles(heard.failed),
    dispatchTransaction(transaction) {
      // What is pasted, cut or dropped is taken back by itself, also right after a key.
      if (transaction.getMeta('uiEvent')) closeHistory(transaction)
      view.updateState(view.state.apply(transaction))
      heard.moved(view.state)
      if (transaction.docChanged) heard.changed(view.state.doc)
    },
  })
  return view
}

/** Headings of a description are under that of the page, and none skips a level, as where it is read. */
const headingLevels = () =>
  new Plugin({
    props: {
      decorations({ doc }) {
        const ranks: Decoration[] = []
        let above = 1
        doc.descendants((node, pos) => {
          if (node.type !== descriptionSchema.nodes.heading) return
          above = Math.min(Number(node.attrs['level']) + 1, above + 1)
          ranks.push(Decoration.node(pos, pos + node.nodeSize, { 'aria-level': String(above) }))
        })
        return DecorationSet.create(doc, ranks)
      },
    },
  })

import { closeHistory, history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import type { Node } from 'prosemirror-model'
import { EditorState, Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSending } from '#web/data/use-sending.ts'
import { cleanPasted, readDescription, writeDescription } from '#web/item/description-html.ts'
import { descriptionSchema } from '#web/item/description-schema.ts'
import { linkAt, richKeys } from '#web/item/rich-commands.ts'
import { RichToolbar } from '#web/item/rich-toolbar.tsx'
import { NODE_VIEWS } from '#web/item/rich-node-views.ts'
import { type HeardFirst, SuggestList } from '#web/item/suggest-list.tsx'
import { suggesting, suggestionOf } from '#web/item/suggestion.ts'
import { beginFile, endFile, sendingFiles, type TakeFiles, takingFiles } from '#web/item/taken-files.ts'
import { FilesUnderWay } from '#web/parts/files-under-way.tsx'
import { ticking } from '#web/item/ticking.ts'
import { typedMarkup } from '#web/item/typed-markup.ts'
import textCss from '#web/item/clean-text.module.css'
import css from '#web/item/rich-editor.module.css'

/** While files of it are being sent it is not whole yet; one that did not arrive can be sent again. */
export type FilesOfText = 'whole' | 'sending' | 'unsent'

interface RichEditorProps {
  /** What it begins with; another text given later is taken instead. */
  html: string
  onHtml: (html: string) => void
  /** What it cannot hold: the text must be edited as HTML then. */
  onBeyond: (beyond: readonly string[]) => void
  onDone: () => void
  onFiles: (files: FilesOfText) => void
  isInvalid: boolean
}

/** A description edited as it is read. Loaded lazily, with ProseMirror. */
export function RichEditor({ html, onHtml, onBeyond, onDone, onFiles, isInvalid }: RichEditorProps) {
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
  const { sending, unsent, send } = useSending((file, sent) => view && endFile(view, file, sent))
  const take: TakeFiles = (into, files, at) => {
    for (const file of files) {
      beginFile(into, file, at)
      send(file)
    }
  }
  const taken = useEffectEvent(take)
  const first: HeardFirst = useRef(null)
  useEffect(() => {
    const read = begin()
    if ('beyond' in read) return isBeyond(read.beyond)
    const editor = editorIn(host.current!, read.doc, {
      changed: (doc) => written(doc),
      moved: setState,
      done: () => isDone(),
      link: () => setLinking(true),
      files: (...given) => taken(...given),
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
  const files = sending.length ? 'sending' : unsent.length ? 'unsent' : 'whole'
  const filesAre = useEffectEvent(onFiles)
  useEffect(() => filesAre(files), [files])
  // Where the text is edited as HTML nothing is sent any more.
  useEffect(() => () => filesAre('whole'), [])
  const suggestion = state && suggestionOf(state)
  return (
    <div className={css.editor}>
      {view && state && (
        <RichToolbar view={view} state={state} isLinking={isLinking} onLinking={setLinking} />
      )}
      <div ref={host} className={css.host} />
      {view && suggestion && <SuggestList view={view} suggestion={suggestion} heard={first} onFiles={take} />}
      {view && files !== 'whole' && (
        <div className={css.files}>
          <FilesUnderWay
            sending={sending}
            unsent={unsent}
            onAgain={(file) => {
              take(view, [file], view.state.selection.from)
              view.focus()
            }}
          />
        </div>
      )}
    </div>
  )
}

interface Heard {
  changed: (doc: Node) => void
  moved: (state: EditorState) => void
  done: () => void
  link: () => void
  files: TakeFiles
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
    ...takingFiles(heard.files),
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

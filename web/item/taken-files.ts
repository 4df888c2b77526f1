import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorProps, type EditorView } from 'prosemirror-view'
import { fileAddress } from '#web/api/upload-file.ts'
import { descriptionSchema } from '#web/item/description-schema.ts'
import type { FileElement } from '#web/rules/file-value.ts'

/** Sends files, which are put where `at` is by then. */
export type TakeFiles = (view: EditorView, files: Iterable<File>, at: number) => void

/** Files that are pasted or dropped into a description are sent, and shown there: pictures as such, others as links. */
export function takingFiles(taken: TakeFiles): Pick<EditorProps, 'handlePaste' | 'handleDrop'> {
  const take = (view: EditorView, files: FileList | undefined, at: number): boolean => {
    if (!files?.length) return false
    taken(view, files, at)
    return true
  }
  return {
    handlePaste: (view, { clipboardData }) => {
      // A table that is copied comes as a picture too: its text is what is meant.
      if (clipboardData?.types.includes('text/html')) return false
      return take(view, clipboardData?.files, view.state.selection.from)
    },
    handleDrop: (view, event) => {
      const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
      return take(view, event.dataTransfer?.files, at ?? view.state.selection.from)
    },
  }
}

/** Asks for files and puts them where the caret is. */
export function pickFile(view: EditorView, taken: TakeFiles): void {
  const picker = document.createElement('input')
  picker.type = 'file'
  picker.multiple = true
  picker.addEventListener('change', () => {
    taken(view, picker.files ?? [], view.state.selection.from)
    view.focus()
  })
  picker.click()
}

/** Of a file that is being sent: where it begins to be, and that it is over. */
type Sending = { begun: File; at: number } | { over: File }

const key = new PluginKey<DecorationSet>('files')

/** Shows where files will be that are being sent; what is typed meanwhile moves the place. */
export const sendingFiles = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(transaction, before) {
        const places = before.map(transaction.mapping, transaction.doc)
        const sending = transaction.getMeta(key) as Sending | undefined
        if (!sending) return places
        if ('over' in sending) return places.remove(placesOf(places, sending.over))
        const { begun, at } = sending
        return places.add(transaction.doc, [Decoration.widget(at, () => signOf(begun), { of: begun })])
      },
    },
    props: { decorations: (state) => key.getState(state) },
  })

const placesOf = (places: DecorationSet, file: File) =>
  places.find(undefined, undefined, (spec) => spec['of'] === file)

function signOf({ name }: File): HTMLElement {
  const words = document.createElement('em')
  words.textContent = `Sending ${name || 'a file'} …`
  return words
}

/** Shows where a file will be. */
export const beginFile = (view: EditorView, file: File, at: number): void =>
  view.dispatch(view.state.tr.setMeta(key, { begun: file, at } satisfies Sending))

/** Puts it where it was put; where that has been taken away meanwhile, at the end. Null: it does not come. */
export function endFile(view: EditorView, file: File, sent: FileElement | null): void {
  if (view.isDestroyed) return
  const over = { over: file } satisfies Sending
  if (!sent) return view.dispatch(view.state.tr.setMeta(key, over))
  const at = placesOf(key.getState(view.state)!, file)[0]?.from ?? view.state.doc.content.size
  const { nodes, marks } = descriptionSchema
  const address = fileAddress(sent.file_id)
  const node = sent.type.startsWith('image/')
    ? nodes.image.create({ src: address, alt: sent.name })
    : descriptionSchema.text(sent.name, [marks.link.create({ href: address })])
  view.dispatch(view.state.tr.insert(at, node).setMeta(key, over))
}

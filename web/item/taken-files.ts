import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorProps, type EditorView } from 'prosemirror-view'
import { fileAddress, uploadFile } from '#web/api/upload-file.ts'
import { descriptionSchema } from '#web/item/description-schema.ts'

/** Files that are pasted or dropped into a description are sent, and shown there: pictures as such, others as links. */
export function takingFiles(
  failed: (message: string) => void,
): Pick<EditorProps, 'handlePaste' | 'handleDrop'> {
  const take = (view: EditorView, files: FileList | undefined, at: number): boolean => {
    if (!files?.length) return false
    send(view, files, at, failed)
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
export function pickFile(view: EditorView, failed: (message: string) => void): void {
  const picker = document.createElement('input')
  picker.type = 'file'
  picker.multiple = true
  picker.addEventListener('change', () => {
    send(view, picker.files ?? [], view.state.selection.from, failed)
    view.focus()
  })
  picker.click()
}

/** Of a file that is being sent: where it begins to be, and that it is over. */
type Sending = { begun: object; at: number } | { over: object }

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
        return places.add(transaction.doc, [Decoration.widget(at, sign, { of: begun })])
      },
    },
    props: { decorations: (state) => key.getState(state) },
  })

export const isSendingFiles = (state: EditorState): boolean => (key.getState(state)?.find().length ?? 0) > 0

const placesOf = (places: DecorationSet, file: object) =>
  places.find(undefined, undefined, (spec) => spec['of'] === file)

function sign(): HTMLElement {
  const words = document.createElement('em')
  words.textContent = 'Sending a file …'
  return words
}

function send(view: EditorView, files: Iterable<File>, at: number, failed: (message: string) => void): void {
  for (const file of files) {
    view.dispatch(view.state.tr.setMeta(key, { begun: file, at } satisfies Sending))
    uploadFile(file).then(
      (sent) => insert(view, file, sent),
      (error: unknown) => {
        if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, { over: file } satisfies Sending))
        failed(`${file.name || 'The file'} was not sent: ${(error as Error).message}`)
      },
    )
  }
}

interface Sent {
  file_id: string
  name: string
  type: string
}

/** Where it was put; where that has been taken away meanwhile, at the end. */
function insert(view: EditorView, file: File, { file_id, name, type }: Sent): void {
  if (view.isDestroyed) return
  const at = placesOf(key.getState(view.state)!, file)[0]?.from ?? view.state.doc.content.size
  const { nodes, marks } = descriptionSchema
  const address = fileAddress(file_id)
  const node = type.startsWith('image/')
    ? nodes.image.create({ src: address, alt: name })
    : descriptionSchema.text(name, [marks.link.create({ href: address })])
  view.dispatch(view.state.tr.insert(at, node).setMeta(key, { over: file } satisfies Sending))
}

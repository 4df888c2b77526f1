import type { EditorProps, EditorView } from 'prosemirror-view'
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

function send(view: EditorView, files: Iterable<File>, at: number, failed: (message: string) => void): void {
  for (const file of files)
    uploadFile(file).then(
      ({ file_id, name, type }) => insert(view, at, { file_id, name, type }),
      (error: unknown) => failed((error as Error).message),
    )
}

interface Sent {
  file_id: string
  name: string
  type: string
}

/** Where the text was that it was put into; what was typed meanwhile may have moved it. */
function insert(view: EditorView, at: number, { file_id, name, type }: Sent): void {
  if (view.isDestroyed) return
  const { nodes, marks } = descriptionSchema
  const address = fileAddress(file_id)
  const node = type.startsWith('image/')
    ? nodes.image.create({ src: address, alt: name })
    : descriptionSchema.text(name, [marks.link.create({ href: address })])
  view.dispatch(view.state.tr.insert(Math.min(at, view.state.doc.content.size), node))
}

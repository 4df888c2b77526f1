import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { elementsOf, type FileElement, MAX_FILES } from '#web/rules/file-value.ts'
import { fileAddress } from '#web/api/upload-file.ts'
import { takeHandedFiles } from '#web/data/handed-files.ts'
import { useSending } from '#web/data/use-sending.ts'
import { Button, IconButton } from '#web/parts/button.tsx'
import { FileField } from '#web/parts/file-field.tsx'
import { FilesUnderWay } from '#web/parts/files-under-way.tsx'
import { EditorBox } from '#web/table/editor-box.tsx'
import type { EditorProps, Then } from '#web/table/editor.ts'
import { FileSign } from '#web/table/file-view.tsx'
import { useLeftEditor } from '#web/parts/use-left-editor.ts'
import css from '#web/table/file-editor.module.css'

const WITHOUT = 'Send again what was not sent, or press Done to go on without it'

/** The files of a cell: dropped, pasted or picked, named, put in order, taken away. */
export function FileEditor(props: EditorProps) {
  const { column, name, box, onSave, onCancel } = props
  const [files, setFiles] = useState<readonly FileElement[]>(() => elementsOf(props.value))
  const { sending, unsent, send } = useSending((_, sent) => {
    if (sent) setFiles((old) => [...old, sent])
  })
  const [isAwaited, setAwaited] = useState(false)
  const [isTooMany, setTooMany] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const pick = useRef<HTMLButtonElement>(null)
  const isChanged = JSON.stringify(files) !== JSON.stringify(elementsOf(props.value))

  const save = (then: Then) => {
    if (sending.length) return setAwaited(true)
    end()
    if (!isChanged) return onCancel(then)
    onSave(files.length ? files : null, then)
  }
  const isOpen = sending.length + unsent.length > 0
  const end = useLeftEditor({ isChanged: isChanged || isOpen, isRight: !isOpen, save: () => save('stay') })
  const add = (given: readonly File[]) => {
    const isMore = files.length + sending.length + given.length > MAX_FILES
    setTooMany(isMore)
    setAwaited(false)
    if (!isMore) for (const file of given) send(file)
  }
  const addNow = useEffectEvent(add)
  const leaveNow = useEffectEvent(() => (isOpen ? setAwaited(true) : save('stay')))
  useEffect(() => {
    const handed = takeHandedFiles()
    if (handed.length) addNow(handed)
    pick.current?.focus()
    // Whoever presses elsewhere is done here; the dialog that picks files is no such place.
    const leave = ({ target }: PointerEvent) => {
      if (!place.current?.contains(target as Node)) leaveNow()
    }
    document.addEventListener('pointerdown', leave, true)
    return () => document.removeEventListener('pointerdown', leave, true)
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      end()
      onCancel()
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) save('down')
    else return
    event.preventDefault()
  }
  const rename = (at: number, text: string) => setFiles((old) => old.with(at, { ...old[at]!, name: text }))
  const move = (at: number, by: number) =>
    setFiles((old) => old.toSpliced(at, 1).toSpliced(at + by, 0, old[at]!))
  const wait = sending.length ? 'Wait until all files have been sent, or stop them' : WITHOUT
  const fault = isTooMany ? `A field has at most ${MAX_FILES} files` : isAwaited && isOpen ? wait : undefined
  return (
    <EditorBox box={box} fault={fault} tall>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the inputs within */}
      <div ref={place} className={css.files} onKeyDown={onKeyDown}>
        <FileField
          name={`${column.label} of ${name}`}
          label="Choose files"
          multiple
          pick={pick}
          onFiles={add}
          actions={
            <Button kind="primary" disabled={sending.length > 0} onClick={() => save('stay')}>
              Done
            </Button>
          }
        >
          <ol className={css.list}>
            {files.map(({ file_id, name: called, type }, at) => (
              <li key={file_id} className={css.file}>
                <a href={fileAddress(file_id)} target="_blank" rel="noopener" aria-label={`Open ${called}`}>
                  <FileSign file_id={file_id} name={called} type={type} />
                </a>
                <input
                  className={css.name}
                  aria-label={`Name of file ${at + 1}`}
                  value={called}
                  onChange={(event) => rename(at, event.target.value)}
                />
                <IconButton
                  icon="arrow_up"
                  label={`Move ${called} up`}
                  disabled={!at}
                  onClick={() => move(at, -1)}
                />
                <IconButton
                  icon="arrow_down"
                  label={`Move ${called} down`}
                  disabled={at === files.length - 1}
                  onClick={() => move(at, 1)}
                />
                <IconButton
                  icon="trash"
                  label={`Take ${called} away`}
                  onClick={() => setFiles((old) => old.toSpliced(at, 1))}
                />
              </li>
            ))}
          </ol>
          <FilesUnderWay sending={sending} unsent={unsent} onAgain={send} />
        </FileField>
      </div>
    </EditorBox>
  )
}

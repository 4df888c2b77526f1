import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { Button } from '#web/parts/button.tsx'
import { toast } from '#web/parts/toast.tsx'
import { plainName } from '#web/rules/plain-name.ts'
import css from '#web/parts/file-field.module.css'

interface FileFieldProps {
  /** What its button says. */
  label: string
  /** What is above it: the files that are there. */
  children?: ReactNode
  /** Of the group, where the button alone does not say whose files they are. */
  name?: string
  accept?: string
  multiple?: boolean
  /** The button that picks. */
  pick?: RefObject<HTMLButtonElement | null>
  /** A button next to the one that picks. */
  actions?: ReactNode
  /** Which files are taken. */
  about?: string
  onFiles: (files: readonly File[]) => void
}

/** Files that are dropped, pasted or picked. */
export function FileField({
  label,
  children,
  name,
  accept,
  multiple,
  pick,
  actions,
  about,
  onFiles,
}: FileFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null) => {
    if (!files?.length) return
    if (multiple) return onFiles([...files])
    const [first, ...others] = files
    onFiles([first!])
    if (others.length)
      toast({
        text: `One file at a time: ${plainName(first!.name)} is taken, not ${others.map(({ name }) => plainName(name)).join(', ')}`,
        kind: 'danger',
      })
  }
  return (
    <div
      role="group"
      aria-label={name ?? label}
      className={css.field}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        take(event.dataTransfer.files)
      }}
      onPaste={(event) => {
        if (!event.clipboardData.files.length) return
        event.preventDefault()
        take(event.clipboardData.files)
      }}
    >
      {children}
      <div className={css.buttons}>
        <input
          ref={picker}
          type="file"
          aria-label={label}
          accept={accept}
          multiple={multiple}
          hidden
          onChange={({ target }) => {
            take(target.files)
            target.value = ''
          }}
        />
        <Button ref={pick} icon="paperclip" onClick={() => picker.current!.click()}>
          {label}
        </Button>
        <span className={css.hint}>
          or drop {multiple ? 'files' : 'one'} here, or paste {multiple ? 'them' : 'it'}
        </span>
        {actions}
      </div>
      {about && <p className={css.hint}>{about}</p>}
    </div>
  )
}

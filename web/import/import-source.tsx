import { useEffect, useEffectEvent } from 'react'
import { keepPasted, useKeptText } from '#web/import/import-drafts.ts'
import { Button } from '#web/parts/button.tsx'
import { TextField } from '#web/parts/field.tsx'
import { FileField } from '#web/parts/file-field.tsx'
import { type FileSending, FilesUnderWay, type FileUnsent } from '#web/parts/files-under-way.tsx'
import { PASTED } from '#web/rules/import-mapping.ts'
import css from '#web/import/import-source.module.css'

const FORMATS = '.csv,.tsv,.txt,.xlsx,.xlsm,.json,.geojson,.jsonl,.ndjson,.zip'

interface ImportSourceProps {
  /** The file that is looked at. */
  looking: string | null
  sending: readonly FileSending[]
  unsent: readonly FileUnsent[]
  /** `typed`: the rows that it was made of, where they are in the field. */
  onFile: (file: File, typed?: string) => void
}

/** A file by drop, by choice or by paste; rows of a spreadsheet are one too. */
export function ImportSource({ looking, sending, unsent, onFile }: ImportSourceProps) {
  const text = useKeptText()
  const isBusy = looking !== null || sending.length > 0
  usePasted(onFile, isBusy)
  return (
    <div className={css.source}>
      {isBusy ? (
        <div className={css.sending}>
          {looking === null ? (
            <FilesUnderWay sending={sending} unsent={[]} onAgain={onFile} />
          ) : (
            <p role="status">Looking at {looking} …</p>
          )}
        </div>
      ) : (
        <FileField
          label="Choose a file"
          name="File to import"
          accept={FORMATS}
          about="CSV, TSV, Excel (.xlsx), JSON, JSON Lines; as a .zip: a folder of Markdown notes (Obsidian too), Notion’s export"
          onFiles={([file]) => onFile(file!)}
        />
      )}
      {!isBusy && (
        <>
          <FilesUnderWay sending={[]} unsent={unsent} onAgain={onFile} />
          <TextField
            label="or paste rows from a spreadsheet"
            rows={4}
            spellCheck={false}
            className={css.text}
            value={text}
            onChange={(event) => keepPasted(event.target.value)}
          />
          {text.trim() !== '' && (
            <p>
              <Button icon="arrow_right" onClick={() => onFile(fileOf(text), text)}>
                Look at these rows
              </Button>
            </p>
          )}
        </>
      )}
    </div>
  )
}

/** A paste anywhere on the page where nothing is being typed. */
function usePasted(onFile: (file: File) => void, isBusy: boolean): void {
  const take = useEffectEvent(onFile)
  useEffect(() => {
    if (isBusy) return
    const paste = (event: ClipboardEvent) => {
      const target = event.target as HTMLElement
      const { clipboardData } = event
      if (event.defaultPrevented || target.closest('input, textarea, [contenteditable]') || !clipboardData)
        return
      const text = clipboardData.getData('text/plain')
      // Rows that are copied in a spreadsheet come as a picture too: their text is what is meant.
      const [file] = text ? [fileOf(text)] : clipboardData.files
      if (!file) return
      event.preventDefault()
      take(file)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [isBusy])
}

/** What was pasted, called by what it looks like. */
function fileOf(text: string): File {
  const [first = ''] = text.trimStart().split('\n', 1)
  const ending = /^[[{]/.test(first) ? 'json' : first.includes('\t') ? 'tsv' : 'csv'
  return new File([text], `${PASTED}.${ending}`, { type: 'text/plain' })
}

import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import type { Item } from '#web/data/item-query.ts'
import { type Autosave, useAutosave } from '#web/item/use-autosave.ts'
import type { FilesOfText } from '#web/item/rich-editor.tsx'
import { isMac } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { TextField } from '#web/parts/field.tsx'
import { loaded } from '#web/parts/loaded.tsx'
import { Note } from '#web/parts/note.tsx'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import { WordChanges } from '#web/parts/word-changes.tsx'
import { linesOf } from '#web/rules/change-words.ts'
import css from '#web/item/description-editor.module.css'

const CleanText = loaded(() => import('#web/item/clean-text.tsx').then(({ CleanText }) => CleanText))
const RichEditor = loaded(
  () => import('#web/item/rich-editor.tsx').then(({ RichEditor }) => RichEditor),
  () => <div className={css.waiting} />,
)

interface DescriptionEditorProps {
  item: Item
  onDone: () => void
}

/** The description as it is read, or as HTML where the editor has no place for all of it. */
export function DescriptionEditor({ item, onDone }: DescriptionEditorProps) {
  const save = useAutosave(item)
  const [isSource, setSource] = useState(false)
  const [beyond, setBeyond] = useState<readonly string[]>([])
  const { text, setText, fault, other } = save
  const [files, setFiles] = useState<FilesOfText>('whole')
  const isSending = files === 'sending'
  const [isLeaving, setLeaving] = useState(false)
  useLeaveGuard(files !== 'whole')
  const done = async () => {
    setLeaving(isSending)
    if (!isSending && (await save.flush())) onDone()
  }
  const doneNow = useEffectEvent(done)
  useEffect(() => {
    if (isLeaving && files === 'whole') void doneNow()
    // Whoever wanted to go on with it decides whether they go on without it.
    if (files === 'unsent') setLeaving(false)
  }, [isLeaving, files])
  return (
    <section className={css.editor} aria-label="Description">
      {isSource ? (
        <SourceEditor text={text} onText={setText} onDone={() => void done()} beyond={beyond} />
      ) : (
        <RichEditor
          html={text}
          isInvalid={fault !== undefined}
          onHtml={setText}
          onBeyond={(names) => {
            setBeyond(names)
            setSource(true)
          }}
          onDone={() => void done()}
          onFiles={setFiles}
        />
      )}
      {fault && <Note kind="danger">{fault.problemOf('description') ?? fault.message}</Note>}
      {other && <Other other={other} save={save} />}
      <div className={css.buttons}>
        <p className={css.state} role="status">
          {files === 'whole' ? WORDS[save.state] : wordsOf(files, isLeaving)}
        </p>
        <Button
          kind="quiet"
          aria-pressed={isSource}
          disabled={isSending}
          onClick={() => {
            setBeyond([])
            setSource(!isSource)
          }}
        >
          HTML
        </Button>
        <Button kind="primary" onClick={() => void done()}>
          Done
        </Button>
      </div>
    </section>
  )
}

const WORDS: Readonly<Record<Autosave['state'], string>> = {
  'as begun': 'Saved while you write',
  typing: 'Not saved yet',
  saving: 'Saving …',
  saved: 'Saved',
  stopped: 'Not saved',
}

const wordsOf = (files: 'sending' | 'unsent', isLeaving: boolean): string => {
  if (files === 'unsent') return 'Send again what was not sent, or press Done to go on without it'
  return isLeaving ? 'Done as soon as all files have been sent, or stopped' : 'Sending a file …'
}

interface SourceEditorProps {
  text: string
  onText: (text: string) => void
  onDone: () => void
  beyond: readonly string[]
}

function SourceEditor({ text, onText, onDone, beyond }: SourceEditorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const isDone =
      event.key === 'Escape' || (event.key === 'Enter' && (isMac() ? event.metaKey : event.ctrlKey))
    if (!isDone) return
    event.preventDefault()
    onDone()
  }
  return (
    <>
      {beyond.length > 0 && (
        <Note kind="warn">
          This description holds markup that the editor has no place for ({beyond.join(', ')}). It is edited
          as HTML, so that nothing of it is lost.
        </Note>
      )}
      <TextField
        label="Description, as HTML"
        hint="Paragraphs, headings, lists, links, tables, code and emphasis are shown; everything else stays, and is left out of view."
        autoFocus
        className={css.text}
        rows={10}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text.trim() && (
        <div className={css.preview}>
          <h2 className={css.caption}>As it will be read</h2>
          <CleanText html={text} />
        </div>
      )}
    </>
  )
}

/** Both texts as one, by their words: how they are written in HTML is nobody's question here. */
function Other({ other, save }: { other: Item; save: Autosave }) {
  const [mine, theirs] = [linesOf(save.text), linesOf(other.description ?? '')]
  return (
    <div className={css.other} role="alert">
      <p>
        <strong>Somebody has changed the description meanwhile.</strong>{' '}
        {mine === theirs
          ? 'Both say the same, in another form.'
          : 'Struck out is only in yours, marked is only in theirs:'}
      </p>
      {mine !== theirs && (
        <div className={css.theirs}>
          <WordChanges before={mine} after={theirs} />
        </div>
      )}
      <div className={css.buttons}>
        <Button onClick={save.takeOther}>Take theirs</Button>
        <Button onClick={save.takeBoth}>Keep both, mine below</Button>
        <Button kind="danger" onClick={save.replaceOther}>
          Replace it by mine
        </Button>
      </div>
    </div>
  )
}

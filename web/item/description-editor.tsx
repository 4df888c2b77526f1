import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, lazy, Suspense, useState } from 'react'
import { call } from '#web/api/call.ts'
import { type Fault, toFault } from '#web/api/fault.ts'
import { updateItem } from '#web/api/operations.ts'
import { type Item, itemQuery } from '#web/data/item-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { isMac } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { TextField } from '#web/parts/field.tsx'
import { say } from '#web/parts/live-region.tsx'
import css from '#web/item/description-editor.module.css'

const CleanText = lazy(() =>
  import('#web/item/clean-text.tsx').then(({ CleanText }) => ({ default: CleanText })),
)

interface DescriptionEditorProps {
  item: Item
  onDone: () => void
}

/**
 * The description as it is stored, so that nothing of it is dropped. What somebody else has written meanwhile is shown
 * beside one's own, and neither is lost.
 */
export function DescriptionEditor({ item, onDone }: DescriptionEditorProps) {
  const [text, setText] = useState(item.description ?? '')
  // Against what the text was begun: another state of the description is somebody else's.
  const [begun, setBegun] = useState<string | null>(item.description)
  const [other, setOther] = useState<Item>()
  const [fault, setFault] = useState<Fault>()
  const save = useSave(item)

  const finish = async (over: string | null) => {
    const given = text.trim() ? text : null
    if (given === over) return onDone()
    setFault(undefined)
    const answer = await save(given, over)
    if (answer === 'saved') return onDone()
    if ('status' in answer) return setFault(answer)
    setOther(answer)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isMod = isMac() ? event.metaKey : event.ctrlKey
    // Takes back what was typed, not what was done.
    if (isMod && event.key.toLowerCase() === 'z') event.stopPropagation()
    if (event.key === 'Enter' && isMod) void finish(begun)
    else if (event.key === 'Escape' && text === (item.description ?? '')) onDone()
    else return
    event.preventDefault()
  }
  return (
    <section className={css.editor} aria-label="Description">
      <TextField
        label="Description, as HTML"
        hint="Paragraphs, headings, lists, links, tables, code and emphasis are shown; everything else is kept, and left out of view."
        autoFocus
        className={css.text}
        rows={10}
        value={text}
        fault={fault?.problemOf('description') ?? fault?.message}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {other ? (
        <div className={css.other} role="alert">
          <p>
            <strong>Somebody has changed the description meanwhile.</strong> It is now:
          </p>
          <pre className={css.theirs}>{other.description ?? '(empty)'}</pre>
          <div className={css.buttons}>
            <Button
              onClick={() => {
                setText(other.description ?? '')
                setBegun(other.description)
                setOther(undefined)
              }}
            >
              Take this one
            </Button>
            <Button kind="danger" onClick={() => void finish(other.description)}>
              Replace it by mine
            </Button>
          </div>
        </div>
      ) : (
        <div className={css.buttons}>
          <Button kind="quiet" onClick={onDone}>
            Cancel
          </Button>
          <Button kind="primary" onClick={() => void finish(begun)}>
            Save
          </Button>
        </div>
      )}
      {text.trim() && (
        <div className={css.preview}>
          <h2 className={css.caption}>As it will be read</h2>
          <Suspense>
            <CleanText html={text} />
          </Suspense>
        </div>
      )}
    </section>
  )
}

/** Answers the item as it is where somebody else has changed its description. */
function useSave(item: Item) {
  const client = useQueryClient()
  const { item_id, name } = item
  const { queryKey } = itemQuery(item_id)
  const put = async (description: string | null, updated_at: string): Promise<string | undefined> => {
    const options = { headers: { 'if-match': `"${updated_at}"` } }
    const { data, change_id } = await call(updateItem, { item_id, description }, options)
    client.setQueryData<Item>(queryKey, data)
    return change_id
  }
  return async (description: string | null, over: string | null): Promise<'saved' | Item | Fault> => {
    let change_id: string | undefined
    try {
      // Values that changed meanwhile do not concern the text; only another text does.
      const now = await client.fetchQuery(itemQuery(item_id))
      if (now.description !== over) return now
      change_id = await put(description, now.updated_at)
    } catch (error) {
      const fault = toFault(error)
      const { current } = fault.details as { current?: Item }
      return fault.status === 412 && current ? current : fault
    }
    const words = `Changed the description of ${name}`
    say(words)
    keepChange(words, change_id)
    return 'saved'
  }
}

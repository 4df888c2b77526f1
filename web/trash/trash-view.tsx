import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMayWrite } from '#web/data/may-write.ts'
import { restored } from '#web/data/restored.ts'
import { type Deleted, deletedWords, trashQuery } from '#web/data/trash-query.ts'
import { keepUndoable } from '#web/data/undo-stack.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { loaded } from '#web/parts/loaded.tsx'
import { toast } from '#web/parts/toast.tsx'
import { sayMoment } from '#web/rules/say-time.ts'
import css from '#web/trash/trash-view.module.css'

const PurgeDialog = loaded(() => import('#web/trash/purge-dialog.tsx').then(({ PurgeDialog }) => PurgeDialog))

/** Rows drawn at once; the rest are asked for. */
const STEP = 100

/** What is deleted: found by its name, restored, or removed for good. */
export function TrashView() {
  const { data, error } = useQuery(trashQuery)
  const client = useQueryClient()
  const mayWrite = useMayWrite()
  const [text, setText] = useState('')
  const [shown, setShown] = useState(STEP)
  const [purged, setPurged] = useState<readonly Deleted[]>()
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set())
  const [coming, setComing] = useState<ReadonlySet<string>>(new Set())
  if (error)
    return (
      <EmptyState whole title="The trash cannot be shown">
        <p role="alert">{error.message}</p>
      </EmptyState>
    )
  if (!data) return null
  if (!data.length)
    return (
      <EmptyState whole title="Nothing deleted">
        <p>Deleted items and tags stay here until somebody removes them for good.</p>
      </EmptyState>
    )
  const wanted = text.trim().toLowerCase()
  const found = data.filter(({ name }) => name.toLowerCase().includes(wanted))
  const marked = found.filter(({ id }) => marks.has(id))
  const setMarked = (id: string, isMarked: boolean) =>
    setMarks(new Set(isMarked ? [...marks, id] : [...marks].filter((other) => other !== id)))
  const restore = async (chosen: readonly Deleted[]) => {
    const words = chosen.length === 1 ? chosen[0]!.name : deletedWords(chosen)
    const ids = new Set(chosen.map(({ id }) => id))
    setComing((coming) => coming.union(ids))
    try {
      const renew = () => client.invalidateQueries()
      const { change_ids, lost } = await restored(chosen)
      keepUndoable({ words: `Restored ${words}`, change_ids, renew })
      toast({ text: lost.length ? `Restored ${words} without ${lost.join(', ')}` : `Restored ${words}` })
      setMarks(new Set())
      await renew()
    } catch (fault) {
      toast({ text: (fault as Error).message, kind: 'danger' })
      await client.invalidateQueries({ queryKey: trashQuery.queryKey })
    }
    setComing((coming) => coming.difference(ids))
  }
  return (
    <div className={css.page}>
      <header className={css.header}>
        <h1>Trash</h1>
        <span className={css.count}>{found.length}</span>
        <input
          className={css.search}
          type="search"
          aria-label="Search the trash by name"
          placeholder="Search by name"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {mayWrite && found.length > 0 && (
          <Button kind="danger" icon="trash" onClick={() => setPurged(found)}>
            {wanted ? 'Remove these for good' : 'Empty the trash'}
          </Button>
        )}
      </header>
      {!found.length && <p className={css.when}>Nothing deleted has such a name.</p>}
      <ul className={css.list} aria-label="Deleted">
        {found.slice(0, shown).map((each) => (
          <li key={each.id} className={css.row}>
            <label className={css.sign}>
              {mayWrite && (
                <input
                  type="checkbox"
                  aria-label={`Select ${each.name}`}
                  checked={marks.has(each.id)}
                  onChange={({ target }) => setMarked(each.id, target.checked)}
                />
              )}
              <Icon name={each.kind === 'tag' ? 'tag' : 'items'} />
            </label>
            <span className={css.name}>{each.name}</span>
            <span className={css.when}>
              {each.kind === 'tag' ? 'Tag' : 'Item'}, deleted {sayMoment(each.deleted_at)}
            </span>
            {mayWrite && (
              <span className={css.buttons}>
                <Button
                  kind="quiet"
                  icon="undo"
                  aria-label={`Restore ${each.name}`}
                  disabled={coming.has(each.id)}
                  onClick={() => void restore([each])}
                >
                  Restore
                </Button>
                <Button
                  kind="quiet"
                  aria-label={`Remove for good: ${each.name}`}
                  disabled={coming.has(each.id)}
                  onClick={() => setPurged([each])}
                >
                  Remove for good
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {found.length > shown && <Button onClick={() => setShown(shown + STEP)}>Show {STEP} more</Button>}
      {marked.length > 0 && (
        <section className={css.marked} aria-label="Selected">
          <strong>{marked.length.toLocaleString()} selected</strong>
          <Button icon="undo" disabled={coming.size > 0} onClick={() => void restore(marked)}>
            Restore them
          </Button>
          <Button disabled={coming.size > 0} onClick={() => setPurged(marked)}>
            Remove them for good
          </Button>
          <Button kind="quiet" icon="close" onClick={() => setMarks(new Set())}>
            Clear
          </Button>
        </section>
      )}
      {purged && <PurgeDialog chosen={purged} onClose={() => setPurged(undefined)} />}
    </div>
  )
}

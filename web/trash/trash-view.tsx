import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMayWrite } from '#web/data/may-write.ts'
import { restored } from '#web/data/restored.ts'
import { type Deleted, deletedWords, TRASH, trashItemsQuery, trashTagsQuery } from '#web/data/trash-query.ts'
import { keepUndoable } from '#web/data/undo-stack.ts'
import { Button } from '#web/parts/button.tsx'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { FaultLine } from '#web/parts/fault-line.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { OlderButton } from '#web/parts/older-button.tsx'
import { toast } from '#web/parts/toast.tsx'
import { sayMoment } from '#web/rules/say-time.ts'
import type { Purged } from '#web/trash/purge-dialog.tsx'
import css from '#web/trash/trash-view.module.css'

const PurgeDialog = loadedDialog(() =>
  import('#web/trash/purge-dialog.tsx').then(({ PurgeDialog }) => PurgeDialog),
)

/** Milliseconds after the last key until it is asked. */
const PAUSE = 150

/** What is deleted: found by what is in it, restored, or removed for good. */
export function TrashView() {
  const [text, setText] = useState('')
  const wanted = useSettled(text.trim(), PAUSE)
  const { data, error, ...more } = useInfiniteQuery(trashItemsQuery(wanted))
  const tags = useQuery(trashTagsQuery)
  const client = useQueryClient()
  const mayWrite = useMayWrite()
  const [purged, setPurged] = useState<Purged>()
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set())
  const [coming, setComing] = useState<ReadonlySet<string>>(new Set())
  const fault = tags.error ?? (wanted ? null : error)
  if (fault)
    return (
      <EmptyState whole icon="alert" title="The trash cannot be shown">
        <FaultLine>{fault.message}</FaultLine>
      </EmptyState>
    )
  if (!(data || error) || !tags.data) return null
  const { found, named, total } = data ? together(data.pages, tags.data, wanted, more.hasNextPage) : NOTHING
  const [newest] = found
  if (!newest && !wanted && !text)
    return (
      <EmptyState whole icon="trash" title="Nothing deleted">
        <p>Deleted items and tags stay here until somebody removes them for good.</p>
      </EmptyState>
    )
  const marked = found.filter(({ id }) => marks.has(id))
  const setMarked = (id: string, isMarked: boolean) =>
    setMarks(new Set(isMarked ? [...marks, id] : [...marks].filter((other) => other !== id)))
  const restore = async (chosen: readonly Deleted[]) => {
    const wordsOf = (some: readonly Deleted[]) => (some.length === 1 ? some[0]!.name : deletedWords(some))
    const ids = new Set(chosen.map(({ id }) => id))
    setComing((coming) => coming.union(ids))
    try {
      const renew = () => client.invalidateQueries()
      const { brought, change_ids, lost } = await restored(chosen)
      const words = wordsOf(brought)
      const gone = chosen.filter((each) => !brought.includes(each))
      keepUndoable({ words: `Restored ${words}`, change_ids, renew })
      if (gone.length)
        toast({ text: `${wordsOf(gone)}: restored or removed by somebody else already`, kind: 'danger' })
      if (brought.length)
        toast({ text: lost.length ? `Restored ${words} without ${lost.join(', ')}` : `Restored ${words}` })
      setMarks(new Set())
      await renew()
    } catch (fault) {
      toast({ text: (fault as Error).message, kind: 'danger' })
      await client.invalidateQueries({ queryKey: TRASH })
    }
    setComing((coming) => coming.difference(ids))
  }
  return (
    <div className={css.page}>
      <header className={css.header}>
        <h1>Trash</h1>
        <span className={css.count}>{total.toLocaleString()}</span>
        <input
          className={css.search}
          type="search"
          aria-label="Search the trash"
          placeholder="Search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {mayWrite && newest && (
          <Button
            kind="danger"
            icon="trash"
            // Not what is deleted from now on.
            onClick={() => setPurged(wanted ? { search: wanted, tags: named } : { until: newest.deleted_at })}
          >
            {wanted ? 'Remove these for good' : 'Empty the trash'}
          </Button>
        )}
      </header>
      {error && <FaultLine>{error.message}</FaultLine>}
      {!newest && !error && <p className={css.when}>Nothing deleted has these words.</p>}
      <ul className={css.list} aria-label="Deleted">
        {found.map((each) => (
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
                  onClick={() => setPurged({ chosen: [each] })}
                >
                  Remove for good
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      <OlderButton {...more} />
      {marked.length > 0 && (
        <section className={css.marked} aria-label="Selected">
          <strong>{marked.length.toLocaleString()} selected</strong>
          <Button icon="undo" disabled={coming.size > 0} onClick={() => void restore(marked)}>
            Restore them
          </Button>
          <Button disabled={coming.size > 0} onClick={() => setPurged({ chosen: marked })}>
            Remove them for good
          </Button>
          <Button kind="quiet" icon="close" onClick={() => setMarks(new Set())}>
            Clear
          </Button>
        </section>
      )}
      {purged && <PurgeDialog purged={purged} onClose={() => setPurged(undefined)} />}
    </div>
  )
}

/** What is shown of a search that was refused. */
const NOTHING = { found: [], named: [], total: 0 } satisfies Together

interface Together {
  found: readonly Deleted[]
  named: readonly Deleted[]
  total: number
}

/** Items as far as they are read, and among them the tags, newest deletion first. */
function together(
  pages: readonly { items: readonly Deleted[]; total: number | undefined }[],
  tags: readonly Deleted[],
  wanted: string,
  hasMore: boolean,
): Together {
  const items = pages.flatMap((page) => page.items)
  const named = tags.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
  const oldest = hasMore ? items.at(-1)!.deleted_at : ''
  const found = [...items, ...named.filter(({ deleted_at }) => deleted_at >= oldest)]
  return {
    found: found.toSorted((a, b) => b.deleted_at.localeCompare(a.deleted_at)),
    named,
    total: (pages[0]?.total ?? items.length) + named.length,
  }
}

/** A value once it has rested. */
function useSettled<T>(value: T, pause: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return settled
}

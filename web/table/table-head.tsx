import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { RowSource } from '#web/data/row-source.ts'
import type { View } from '#web/data/views-query.ts'
import { useActions } from '#web/parts/action.ts'
import { Button } from '#web/parts/button.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { Menu } from '#web/parts/menu.tsx'
import { useHoldUnsettled } from '#web/parts/unsettled.ts'
import { say } from '#web/parts/live-region.tsx'
import type { ColumnTag } from '#web/rules/column.ts'
import { ColumnsMenu } from '#web/table/columns-menu.tsx'
import type { ArrangedColumns } from '#web/table/use-column-settings.ts'
import css from '#web/table/table-head.module.css'

/** Milliseconds between two searches while somebody types; the first key searches at once. */
const PAUSE = 80

interface TableHeadProps {
  title: string
  /** Before the title. */
  sign?: ReactNode
  source: RowSource | null
  text: string
  onText: (text: string) => void
  /** From the search to the rows. */
  onRows: () => void
  columns: ArrangedColumns | undefined
  otherTags: readonly ColumnTag[]
  onAdd: (() => void) | undefined
  /** What new items may begin with. */
  templates: readonly View[]
  onTemplate: (template: View) => void
  actions: ReactNode
}

export function TableHead({
  title,
  sign,
  source,
  text,
  onText,
  onRows,
  columns,
  otherTags,
  onAdd,
  templates,
  onTemplate,
  actions,
}: TableHeadProps) {
  return (
    <header className={css.head}>
      {sign}
      <h1 className={css.title} title={title}>
        {title}
      </h1>
      {source ? <Count source={source} /> : <span className={css.count}>…</span>}
      {!onAdd && <span className={css.note}>You may read here, not write</span>}
      <Search text={text} onText={onText} onRows={onRows} />
      {actions}
      {columns && <ColumnsMenu columns={columns} otherTags={otherTags} source={source} />}
      {onAdd && (
        <span className={css.new}>
          <Button kind="primary" icon="plus" onClick={onAdd} aria-label="New item">
            New
          </Button>
          {templates.length > 0 && (
            <Menu
              label="New from a template"
              buttonClassName={css.from}
              placement="bottom-end"
              button={<Icon name="chevron_down" />}
              entries={templates.map((template) => ({
                label: template.name,
                icon: 'copy',
                run: () => onTemplate(template),
              }))}
            />
          )}
        </span>
      )}
    </header>
  )
}

/** How many match; rows never wait for it. */
function Count({ source }: { source: RowSource }) {
  useSyncExternalStore(source.subscribe, source.snapshot)
  const count = source.counted
  const isKnown = count !== undefined
  useEffect(() => {
    if (isKnown) say(count === 1 ? '1 item' : `${count} items`)
    // Only when another question is answered, not with each row that is added.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [source, isKnown])
  return <span className={css.count}>{count?.toLocaleString() ?? (source.fault ? '' : '…')}</span>
}

function Search({ text, onText, onRows }: Pick<TableHeadProps, 'text' | 'onText' | 'onRows'>) {
  const [typed, setTyped] = useState(text)
  const input = useRef<HTMLInputElement>(null)
  const reported = useRef(text)
  useHoldUnsettled(typed.trim() !== text.trim(), () => input.current?.focus())
  useEffect(() => {
    // The address changed by itself: Back, or Clear.
    if (text !== reported.current) setTyped(text)
    reported.current = text
  }, [text])
  const onTextNow = useEffectEvent(onText)
  const next = useRef(0)
  useEffect(() => {
    if (typed === reported.current) return undefined
    const report = () => {
      next.current = performance.now() + PAUSE
      reported.current = typed
      onTextNow(typed)
    }
    const wait = next.current - performance.now()
    if (wait <= 0) {
      report()
      return undefined
    }
    const timer = setTimeout(report, wait)
    return () => clearTimeout(timer)
  }, [typed])
  useActions([
    {
      id: 'table.search',
      title: 'Search in this table',
      keys: '/',
      group: 'Table',
      run: () => input.current?.focus(),
    },
  ])
  return (
    <label className={css.search}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Search in this table"
        placeholder="Search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped('')
          if (event.key === 'ArrowDown' || event.key === 'Enter') onRows()
        }}
      />
      <kbd aria-hidden>/</kbd>
    </label>
  )
}

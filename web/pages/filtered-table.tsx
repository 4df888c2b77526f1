import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useConfirmed } from '#web/account/use-confirmed.tsx'
import { useSearchMatch } from '#web/data/search-match.ts'
import { lastHere } from '#web/home/since-last.ts'
import { useMayWrite } from '#web/data/may-write.ts'
import { meQuery } from '#web/data/me-query.ts'
import { useTableState } from '#web/data/table-state.ts'
import type { Tag } from '#web/data/tags-query.ts'
import type { View } from '#web/data/views-query.ts'
import { both } from '#web/data/counts-query.ts'
import { LaterItemBeside } from '#web/pages/later-item-beside.tsx'
import { useActions } from '#web/parts/action.ts'
import { Button, IconButton } from '#web/parts/button.tsx'
import { ItemsPicker } from '#web/filter/items-picker.tsx'
import { loaded } from '#web/parts/loaded.tsx'
import { loadedDialog } from '#web/parts/loaded-dialog.tsx'
import { toast } from '#web/parts/toast.tsx'
import { UnsettledHere, useUnsettled } from '#web/parts/unsettled.ts'
import { useLate } from '#web/parts/use-late.ts'
import { columnsOf, type FieldColumn } from '#web/rules/column.ts'
import { addTo, type Filter } from '#web/rules/filter-edits.ts'
import { type Layout, layoutShown, layoutToWrite, turnedTo } from '#web/rules/layout.ts'
import { groupingColumn, groupings } from '#web/rules/groups.ts'
import {
  groupShown,
  groupToWrite,
  readViewSettings,
  withoutGone,
  writeViewSettings,
} from '#web/rules/view-settings.ts'
import { searchFor } from '#web/rules/search-text.ts'
import { questionOf } from '#web/rules/table-state.ts'
import { LayoutSwitch } from '#web/table/layout-switch.tsx'
import { GroupMenu } from '#web/table/group-menu.tsx'
import { selectionFilter } from '#web/table/selection.ts'
import { TableView, type TableViewProps } from '#web/table/table-view.tsx'
import { Waiting } from '#web/table/waiting.tsx'
import { useStoredColumns } from '#web/table/use-column-settings.ts'
import { BulkBar } from '#web/bulk/bulk-bar.tsx'
import { BULK_KINDS } from '#web/bulk/bulk-props.ts'
import { AsItWas, PastNote } from '#web/view/as-it-was.tsx'
import { ViewBar } from '#web/view/view-bar.tsx'
import css from '#web/pages/filtered-table.module.css'

const WaitingBar = () => <div className={css.waiting} />
const FilterBar = loaded(
  () => import('#web/filter/filter-bar.tsx').then(({ FilterBar }) => FilterBar),
  WaitingBar,
)
const NothingMatches = loaded(() =>
  import('#web/filter/nothing-matches.tsx').then(({ NothingMatches }) => NothingMatches),
)
const AskedBulk = loadedDialog(() => import('#web/bulk/asked-bulk.tsx').then(({ AskedBulk }) => AskedBulk))
const Layouts = loaded(() => import('#web/layout/layouts.tsx').then(({ Layouts }) => Layouts), Waiting)
const FieldDialog = loadedDialog(() =>
  import('#web/tag/field-dialog.tsx').then(({ FieldDialog }) => FieldDialog),
)
const Charts = loaded(() => import('#web/chart/charts.tsx').then(({ Charts }) => Charts))

/** Milliseconds that the filter's part, the larger one, waits for the first rows. */
const ROWS_FIRST = 400

/** A view must have a filter: this one is true of everything. */
const EVERYTHING: Filter = { search: '' }

export interface FilteredTableProps extends Pick<TableViewProps, 'title'> {
  /** What the table is about, whatever the filter says; null: all items, or what a view says. */
  base: Filter | null
  view?: View
  /** The view is not there any more. */
  isGone?: boolean
  /** All tags of the base. */
  allTags: readonly Tag[]
  /** Whose fields are columns. */
  tags: readonly Tag[]
  /** The tag that a new item gets. */
  newTag?: Tag | undefined
  /** Under which what is not stored in a view is stored in this browser. */
  storageKey: string
  actions?: ReactNode
}

/** A table with all that can be done with it: filter, views, many at once, the item next to it. */
export function FilteredTable(props: FilteredTableProps) {
  const { title, base, view, isGone = false, allTags, tags, newTag, storageKey, actions } = props
  const [address, change] = useTableState()
  const me = useQuery(meQuery).data
  const mayWrite = useMayWrite()
  const [confirmed, confirmation] = useConfirmed()
  // Once for as long as the view is open.
  const lastVisit = useMemo(() => (me && view ? lastHere(me.user_id, view.view_id) : null), [me, view])
  const [, go] = useLocation()
  const search = useSearch()
  // Null: as the view has it.
  const [chartsChosen, setCharts] = useState<boolean | null>(null)
  const late = useLate(ROWS_FIRST)
  // Also before the filter's part is there, which then opens with it.
  const [adding, setAdding] = useState(false)
  const addCondition = { title: 'Filter', group: 'Table', run: () => setAdding(true) }
  useActions([
    { id: 'filter.add', keys: 'f', ...addCondition },
    { id: 'filter.add-in-table', keys: 'mod+shift+f', hidden: true, ...addCondition },
  ])
  const otherTags = useMemo(() => allTags.filter((tag) => !tags.includes(tag)), [allTags, tags])
  const { at } = address
  const isPast = at !== null
  // At an earlier moment the fields of then count.
  const tagsNow = isPast ? null : allTags
  const { kept: saved, gone: goneOfView } = withoutGone(readViewSettings(view?.settings ?? {}), tagsNow)
  const { kept: state, gone } = withoutGone(address, tagsNow)
  const lost = [...new Set([...goneOfView, ...gone])].join(', ')
  useEffect(() => {
    if (lost) toast({ text: `Not ordered or grouped by what is no field any more: ${lost}` })
  }, [lost])
  const columnStore = useStoredColumns(storageKey, saved.columns)
  const charts = !isPast && (chartsChosen ?? saved.charts)
  const filter = state.filter ?? view?.filter ?? null
  const setAt = (next: string | null) => change({ at: next })
  const { text, sort } = state
  // In a view "no filter" is one that is true of everything: without any, the view's own would be shown.
  const setFilter = (next: Filter | null) => change({ filter: next ?? (view ? EVERYTHING : null) })
  const unsettled = useUnsettled()
  // In place of what counts, what is shown and does not count yet would be gone.
  const changeFilter = (next: Filter | null) => unsettled.ifSettled(() => setFilter(next))
  const group = isPast ? null : groupShown(state, saved.group)
  const layout = layoutShown(state.layout, saved.layout)
  const isTable = layout.kind === 'table'
  const groupColumn = group === null ? undefined : groupingColumn(columnsOf(tags), group)
  const setLayout = (next: Layout) => change({ layout: layoutToWrite(next, saved.layout) })
  const isChanged =
    state.group !== null ||
    state.layout !== null ||
    charts !== saved.charts ||
    state.filter !== null ||
    text.trim() !== '' ||
    sort.length > 0 ||
    (!!view && columnStore.isChanged)
  const match = useSearchMatch(base, filter, text)
  const contents = () => {
    return {
      filter: both(both(base, filter), searchFor(text, match)) ?? EVERYTHING,
      settings: writeViewSettings({
        sort: sort.length ? sort : saved.sort,
        group,
        columns: columnStore.settings,
        charts,
        layout,
        template: saved.template,
      }),
    }
  }
  const shown = questionOf(base, { filter, text, sort: [] }, match).filter ?? null
  // `?bulk=set`: what an agent may not do, a person does after looking.
  const asked = BULK_KINDS.find((kind) => kind === new URLSearchParams(search).get('bulk'))
  // A new field is one of the tag that the table is about.
  const ownTag = newTag ?? (tags.length === 1 ? tags[0] : undefined)
  const [edited, setEdited] = useState<{ tag: Tag; field: string | null }>()
  const fieldTools = useMemo(
    () =>
      ownTag && {
        add: () => setEdited({ tag: ownTag, field: null }),
        change: (column: FieldColumn) => {
          const tag = allTags.find(({ tag_id }) => tag_id === column.tag.tag_id)
          if (tag) setEdited({ tag, field: column.field.name })
        },
      },
    [ownTag, allTags],
  )
  const reset = () => {
    columnStore.forget()
    setCharts(null)
    change({ filter: null, text: '', sort: [], group: null, layout: null })
  }
  return (
    <UnsettledHere value={unsettled}>
      <TableView
        title={title}
        actions={
          <>
            {actions}
            <LayoutSwitch
              kind={layout.kind}
              onKind={(kind) => setLayout(turnedTo(kind, layout, groupColumn))}
            />
            {!isPast && (
              <>
                {isTable && (
                  <GroupMenu
                    groupings={groupings(tags)}
                    group={group}
                    onGroup={(next) => change({ group: groupToWrite(next, saved.group) })}
                  />
                )}
                <IconButton
                  icon="chart"
                  label="Charts and sums"
                  aria-pressed={charts}
                  onClick={() => setCharts(!charts)}
                />
              </>
            )}
          </>
        }
        base={base}
        tags={tags}
        otherTags={otherTags}
        newTag={newTag}
        template={saved.template ? view : undefined}
        columnStore={columnStore}
        {...(saved.sort.length && { ownSort: saved.sort })}
        state={{ ...state, filter, group }}
        figures={charts}
        fieldTools={mayWrite && !isPast ? fieldTools : undefined}
        onState={change}
        readOnly={!mayWrite || isPast}
        onOpen={(item_id) => go(`/items/${item_id}`)}
        renderLayout={
          isTable
            ? undefined
            : (rows) => (
                <Layouts
                  {...rows}
                  layout={layout}
                  onLayout={setLayout}
                  day={state.day}
                  onDay={(day) => change({ day }, { replace: true })}
                  tag={newTag}
                />
              )
        }
        renderFilter={(source) => (
          <>
            {asked && mayWrite && source && (
              <AskedBulk
                kind={asked}
                filter={shown ?? EVERYTHING}
                tags={allTags}
                first={tags}
                source={source}
                ItemsPicker={ItemsPicker}
                onClose={() => change({}, { replace: true })}
              />
            )}
            {source || late || adding ? (
              <FilterBar
                filter={filter}
                onFilter={setFilter}
                base={base}
                tags={allTags}
                first={tags}
                isPast={isPast}
                warnings={source?.warnings ?? []}
                adding={adding}
                onAdding={setAdding}
              >
                {lastVisit && !isPast && (
                  <Button
                    kind="quiet"
                    icon="history"
                    onClick={() =>
                      changeFilter(addTo(filter, { changed_between: [lastVisit, { now: 'PT0S' }] }))
                    }
                  >
                    Changed since my last visit
                  </Button>
                )}
                <AsItWas at={at} onAt={setAt} />
                {!isPast && (
                  <ViewBar
                    view={view}
                    isGone={isGone}
                    isOwn={view?.user_id === me?.user_id}
                    mayUnshare={me?.role === 'owner'}
                    confirmed={confirmed}
                    isChanged={isChanged}
                    contents={contents}
                    onReset={reset}
                  />
                )}
              </FilterBar>
            ) : (
              <WaitingBar />
            )}
            {confirmation}
            {isPast && <PastNote at={at} onAt={setAt} />}
            {edited && <FieldDialog {...edited} tags={allTags} onClose={() => setEdited(undefined)} />}
            {charts && (
              <Charts filter={shown} tags={tags} onFilter={(next) => changeFilter(addTo(filter, next))} />
            )}
          </>
        )}
        nothing={
          <NothingMatches
            base={base}
            filter={filter}
            text={text}
            onFilter={changeFilter}
            onText={(next) => change({ text: next })}
          />
        }
        renderBulk={
          mayWrite && !isPast
            ? ({ selection, question, source, clear }) => (
                <BulkBar
                  {...selectionFilter(selection, question, source)}
                  tags={allTags}
                  first={tags}
                  source={source}
                  onDone={clear}
                  ItemsPicker={ItemsPicker}
                />
              )
            : undefined
        }
        renderBeside={
          isPast ? undefined : (item_id, onClose) => <LaterItemBeside item_id={item_id} onClose={onClose} />
        }
      />
    </UnsettledHere>
  )
}

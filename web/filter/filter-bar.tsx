import { type ReactNode, useRef, useState } from 'react'
import { useActions } from '#web/parts/action.ts'
import { Chip } from '#web/parts/chip.tsx'
import { Button } from '#web/parts/button.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { loaded } from '#web/parts/loaded.tsx'
import { Popover } from '#web/parts/popover.tsx'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import { addTo, chipsOf, type Filter, groupOf, type Path, removeAt, setAt } from '#web/rules/filter-edits.ts'
import { readCondition } from '#web/rules/condition.ts'
import type { FilterTag } from '#web/rules/tag-catalog.ts'
import { ConditionCount } from '#web/filter/condition-count.tsx'
import { ConditionEditor } from '#web/filter/condition-editor.tsx'
import { ConditionWords } from '#web/filter/condition-words.tsx'
import { FilterSays } from '#web/filter/filter-says.tsx'
import { FilterTree } from '#web/filter/filter-tree.tsx'
import { NestedTree } from '#web/filter/nested-tree.ts'
import { useDraft } from '#web/filter/use-draft.ts'
import { useMeaning } from '#web/filter/use-meaning.ts'
import css from '#web/filter/filter-bar.module.css'

const FilterJson = loaded(
  () => import('#web/filter/filter-json.tsx').then(({ FilterJson }) => FilterJson),
  () => <div className={css.waiting} />,
)

export interface FilterBarProps {
  filter: Filter | null
  onFilter: (filter: Filter | null) => void
  /** What holds besides: the tag, the view. */
  base: Filter | null
  tags: readonly FilterTag[]
  /** Those of the table: their fields come first. */
  first: readonly FilterTag[]
  /** It is asked of an earlier moment, whose fields count. */
  isPast?: boolean
  /** What the service remarked of what it was asked. */
  warnings: readonly string[]
  /** Whether a condition is being added. */
  adding: boolean
  onAdding: (adding: boolean) => void
  /** At the end of the line. */
  children?: ReactNode
}

/** A filter: chips, a tree, JSON, and what it says in English. What it shows and does not count holds `UnsettledHere`. */
export function FilterBar(props: FilterBarProps) {
  const { filter, onFilter, base, tags, first, isPast = false, warnings, adding, onAdding, children } = props
  const all = useRef<HTMLElement>(null)
  const says = useRef<HTMLDivElement>(null)
  // Where all of it has just been taken away, nothing is said of it.
  const onShow = () => (says.current ?? all.current)?.focus()
  const [draft, setDraft] = useDraft({ filter, onFilter, tags, onShow })
  const [panel, setPanel] = useState<'tree' | 'json' | null>(null)
  const meaning = useMeaning(draft, tags)
  // Written here with a fault it is not in the address: nothing else holds it. What came with one is in the address, or the view's.
  const isWritten = draft !== filter && JSON.stringify(draft) !== JSON.stringify(filter)
  useLeaveGuard(isWritten && (meaning?.faults.length ?? 0) > 0)
  const ids = first.map(({ tag_id }) => tag_id)
  useActions([
    {
      id: 'filter.panel',
      title: 'Filter as a tree, or as JSON',
      group: 'Table',
      run: () => setPanel(panel ? null : 'tree'),
    },
  ])
  const common = { tags, first: ids }
  return (
    <NestedTree value={FilterTree}>
      <section ref={all} tabIndex={-1} className={css.filter} aria-label="Filter">
        <div className={css.bar}>
          <NewChip {...common} open={adding} onOpen={onAdding} filter={draft} onFilter={setDraft} />
          {chipsOf(draft).map(({ path, filter: each }, i) => (
            <Condition
              key={i}
              {...common}
              condition={each}
              own={first.length === 1 ? first[0]!.name : undefined}
              onChange={(next) => setDraft(setAt(draft, path, next))}
              onRemove={() => setDraft(removeAt(draft!, path))}
              onPanel={() => setPanel('tree')}
            />
          ))}
          {draft && (
            <Button
              kind="quiet"
              aria-expanded={panel !== null}
              onClick={() => setPanel(panel ? null : 'tree')}
              icon={panel ? 'chevron_up' : 'chevron_down'}
            >
              {panel ? 'Less' : 'More'}
            </Button>
          )}
          {draft && (
            <Button kind="quiet" onClick={() => setDraft(null)}>
              Clear
            </Button>
          )}
          <span className={css.end}>{children}</span>
        </div>
        {panel && (
          <Panel
            {...common}
            face={panel}
            onFace={setPanel}
            base={base}
            filter={draft}
            onFilter={setDraft}
            faults={meaning?.faults ?? []}
          />
        )}
        {draft && (
          <FilterSays
            place={says}
            meaning={meaning}
            warnings={warnings}
            isPast={isPast}
            filter={draft}
            onFilter={setDraft}
            tags={tags}
            inWords={panel !== null || isCompound(draft)}
          />
        )}
      </section>
    </NestedTree>
  )
}

interface Common {
  tags: readonly FilterTag[]
  first: readonly string[]
}

interface NewChipProps extends Common {
  open: boolean
  onOpen: (open: boolean) => void
  filter: Filter | null
  onFilter: (filter: Filter | null) => void
}

function NewChip({ open, onOpen, filter, onFilter, ...common }: NewChipProps) {
  const [origin, setOrigin] = useState<Filter | null>(filter)
  const [wasOpen, setWasOpen] = useState(open)
  // What it is added to is what was there when it was begun.
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setOrigin(filter)
  }
  return (
    <Popover
      label="New condition"
      open={open}
      onOpen={onOpen}
      buttonClassName={css.new}
      button={
        <>
          <Icon name="filter" size={14} />
          Filter
        </>
      }
    >
      {(close) => (
        <ConditionEditor
          {...common}
          condition={null}
          onChange={(condition) => onFilter(addTo(origin, condition))}
          onDone={close}
        />
      )}
    </Popover>
  )
}

interface ConditionProps extends Common {
  condition: Filter
  own: string | undefined
  onChange: (condition: Filter) => void
  onRemove: () => void
  onPanel: () => void
}

/** One condition; a group opens the tree. */
function Condition({ condition, own, onChange, onRemove, onPanel, ...common }: ConditionProps) {
  const [open, setOpen] = useState(false)
  const words = <ConditionWords condition={condition} tags={common.tags} own={own} />
  const isGroup = groupOf(condition) || !readCondition(condition)
  return (
    <Chip remove="Remove condition" onRemove={onRemove}>
      {isGroup ? (
        <button type="button" onClick={onPanel}>
          {words}
        </button>
      ) : (
        <Popover label="Condition" open={open} onOpen={setOpen} button={words}>
          {(close) => (
            <ConditionEditor
              {...common}
              condition={condition}
              onChange={onChange}
              onRemove={onRemove}
              onDone={close}
            />
          )}
        </Popover>
      )}
    </Chip>
  )
}

interface PanelProps extends Common {
  face: 'tree' | 'json'
  onFace: (face: 'tree' | 'json') => void
  base: Filter | null
  filter: Filter | null
  onFilter: (filter: Filter | null) => void
  faults: React.ComponentProps<typeof FilterJson>['faults']
}

const isTop = (path: Path) => path.length <= 2 && (path.length === 0 || path[0] === 'and')

function Panel({ face, onFace, base, filter, onFilter, faults, ...common }: PanelProps) {
  return (
    <div className={css.panel}>
      <div className={css.faces}>
        <Button kind="quiet" aria-pressed={face === 'tree'} onClick={() => onFace('tree')}>
          Conditions
        </Button>
        <Button kind="quiet" icon="code" aria-pressed={face === 'json'} onClick={() => onFace('json')}>
          JSON
        </Button>
      </div>
      {face === 'tree' ? (
        <FilterTree
          {...common}
          filter={filter}
          onFilter={onFilter}
          renderAbout={(condition, path) =>
            isTop(path) && (
              <ConditionCount
                base={base}
                condition={condition}
                tags={common.tags}
                onChange={(next) => onFilter(setAt(filter, path, next))}
              />
            )
          }
        />
      ) : (
        <FilterJson filter={filter} faults={faults} onFilter={onFilter} />
      )}
    </div>
  )
}

/** More than a chip says by itself: several conditions, a group, or one over references. */
const isCompound = (filter: Filter): boolean => {
  const chips = chipsOf(filter)
  return (
    chips.length > 1 || chips.some(({ filter: each }) => groupOf(each) || /->|<-/.test(JSON.stringify(each)))
  )
}

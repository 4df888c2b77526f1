import { useState } from 'react'
import { IconButton } from '#web/parts/button.tsx'
import { Icon } from '#web/parts/icon.tsx'
import { Popover } from '#web/parts/popover.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import {
  addAt,
  type Filter,
  getAt,
  type GroupKind,
  groupOf,
  joinAs,
  moveAt,
  type Path,
  removeAt,
  setAt,
  unwrapAt,
} from '#web/rules/filter-edits.ts'
import { readCondition } from '#web/rules/condition.ts'
import { ConditionEditor } from '#web/filter/condition-editor.tsx'
import { ConditionWords } from '#web/filter/condition-words.tsx'
import type { FilterTreeProps } from '#web/filter/nested-tree.ts'
import css from '#web/filter/filter-tree.module.css'

interface At extends FilterTreeProps {
  path: Path
}

/** A filter as groups of conditions, to any depth. */
export function FilterTree(props: FilterTreeProps) {
  return (
    <div className={css.tree}>
      <Group {...props} path={[]} />
    </div>
  )
}

const KINDS: readonly [GroupKind, string][] = [
  ['all', 'All of'],
  ['any', 'Any of'],
  ['none', 'None of'],
  ['not all', 'Not all of'],
]

/** At the top also what is no group yet: nothing at all, or one condition. */
function Group(props: At) {
  const { filter, path, onFilter, tags, first } = props
  const here = getAt(filter, path) as Filter | null
  const group = here && groupOf(here)
  if (here && !group && (path.length || !readCondition(here))) return <Strange {...props} />
  const children = group?.children ?? (here ? [here] : [])
  const placeOf = (i: number): Path => (group ? [...path, ...group.list, i] : path)
  return (
    <div className={css.group} role="group" aria-label={group ? wordsOf(group.kind) : 'Filter'}>
      {group && <GroupHead {...props} kind={group.kind} />}
      {children.map((child, i) =>
        groupOf(child) || !readCondition(child) ? (
          <Group key={i} {...props} path={placeOf(i)} />
        ) : (
          <Row key={i} {...props} path={placeOf(i)} outer={group?.kind} count={children.length} />
        ),
      )}
      <Add
        filter={filter}
        make={(origin, next) => (origin ? addAt(origin, path, next) : next)}
        onFilter={onFilter}
        tags={tags}
        first={first}
      />
    </div>
  )
}

const wordsOf = (kind: GroupKind) => KINDS.find(([each]) => each === kind)![1]

function GroupHead({ filter, path, onFilter, kind }: At & { kind: GroupKind }) {
  if (!filter) return null
  return (
    <div className={css.head}>
      <Listbox
        label="How they are joined"
        value={kind}
        options={KINDS}
        onValue={(next) => onFilter(joinAs(filter, path, next))}
      />
      {path.length > 0 && (
        <span className={css.tools}>
          {typeof path.at(-1) === 'number' && (
            <IconButton icon="ungroup" label="Ungroup" onClick={() => onFilter(unwrapAt(filter, path))} />
          )}
          <IconButton
            icon="close"
            label="Remove the group"
            onClick={() => onFilter(removeAt(filter, path))}
          />
        </span>
      )}
    </div>
  )
}

/** What is neither a group nor a condition that is known: its JSON, and a way to be rid of it. */
function Strange({ filter, path, onFilter }: At) {
  if (!filter) return null
  return (
    <div className={css.row}>
      <code className={css.code}>{JSON.stringify(getAt(filter, path))}</code>
      <IconButton icon="close" label="Remove" onClick={() => onFilter(removeAt(filter, path))} />
    </div>
  )
}

interface RowProps extends At {
  /** How it is joined with the others. */
  outer: GroupKind | undefined
  count: number
}

function Row({ filter, path, onFilter, tags, first, renderAbout, outer, count }: RowProps) {
  const [open, setOpen] = useState(false)
  if (!filter) return null
  const condition = getAt(filter, path) as Filter
  const remove = () => onFilter(removeAt(filter, path))
  const at = Number(path.at(-1))
  const other: GroupKind = outer === 'any' || outer === 'none' ? 'all' : 'any'
  return (
    <div className={css.row}>
      <div className={css.line}>
        <Popover
          label="Condition"
          open={open}
          onOpen={setOpen}
          buttonClassName={css.condition}
          button={<ConditionWords condition={condition} tags={tags} />}
        >
          {(close) => (
            <ConditionEditor
              condition={condition}
              onChange={(next) => onFilter(setAt(filter, path, next))}
              onRemove={remove}
              onDone={close}
              tags={tags}
              first={first}
            />
          )}
        </Popover>
        <span className={css.tools}>
          <Add
            filter={filter}
            make={(origin, next) => addAt(origin!, path, next, other)}
            onFilter={onFilter}
            tags={tags}
            first={first}
            words={other === 'any' ? 'or …' : 'and …'}
            commit="Add"
          />
          {count > 1 && (
            <>
              <IconButton
                icon="arrow_up"
                label="Up"
                disabled={at === 0}
                onClick={() => onFilter(moveAt(filter, path, -1))}
              />
              <IconButton
                icon="arrow_down"
                label="Down"
                disabled={at === count - 1}
                onClick={() => onFilter(moveAt(filter, path, 1))}
              />
            </>
          )}
          <IconButton icon="close" label="Remove" onClick={remove} />
        </span>
      </div>
      {renderAbout?.(condition, path)}
    </div>
  )
}

interface AddProps extends Pick<FilterTreeProps, 'tags' | 'first'> {
  filter: Filter | null
  make: (origin: Filter | null, condition: Filter) => Filter
  onFilter: (filter: Filter | null) => void
  words?: string
  commit?: string
}

/** A new condition, made of what was there when it was begun. */
function Add({ filter, make, onFilter, tags, first, words = 'Add condition', commit }: AddProps) {
  const [open, setOpen] = useState(false)
  const [origin, setOrigin] = useState<Filter | null>(null)
  return (
    <Popover
      label="New condition"
      open={open}
      onOpen={(next) => {
        if (next) setOrigin(filter)
        setOpen(next)
      }}
      buttonClassName={css.add}
      button={
        <>
          {!commit && <Icon name="plus" size={14} />}
          {words}
        </>
      }
    >
      {(close) => (
        <ConditionEditor
          condition={null}
          onChange={(condition) => onFilter(make(origin, condition))}
          onDone={close}
          commit={commit}
          tags={tags}
          first={first}
        />
      )}
    </Popover>
  )
}

import { type ReactNode, useId } from 'react'
import type { OutputOf } from '#web/api/route.ts'
import type { listKeys } from '#web/api/operations.ts'
import { useTags } from '#web/data/tags-query.ts'
import { Button } from '#web/parts/button.tsx'
import { FieldAround } from '#web/parts/field.tsx'
import { Listbox } from '#web/parts/listbox.tsx'
import { Name } from '#web/parts/name.tsx'
import { plainName } from '#web/rules/plain-name.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import css from '#web/agents/limit-fields.module.css'

/** The part of the base that a key or an app sees, as the service shows it. */
export type Limit = NonNullable<OutputOf<typeof listKeys>[number]['limit']>

/** What of it is chosen so far; null: it sees everything. */
export interface ChosenLimit {
  tag_ids: readonly string[]
  filter: Filter | null
}

/** As the service takes it; undefined: nothing is chosen yet. */
export function givenLimit({ tag_ids, filter }: ChosenLimit): Limit | undefined {
  if (!tag_ids.length && !filter) return undefined
  return { ...(tag_ids.length && { tag_ids: [...tag_ids] }), ...(filter && { filter: { ...filter } }) }
}

/** A filter by chips; `first` are the tags whose fields are offered first. */
export type RenderFilterBar = (bar: {
  filter: Filter | null
  onFilter: (filter: Filter | null) => void
  first: readonly string[]
}) => ReactNode

interface LimitFieldsProps {
  limit: ChosenLimit
  onLimit: (limit: ChosenLimit) => void
  renderFilterBar: RenderFilterBar
  fault?: string | undefined
}

/** Which part of the base a key sees: items with some tags, items of a filter, or both. */
export function LimitFields({ limit, onLimit, renderFilterBar, fault }: LimitFieldsProps) {
  const id = useId()
  const all = useTags() ?? []
  const { tag_ids, filter } = limit
  return (
    <div className={css.limit}>
      <FieldAround
        id={id}
        label="Items with one of these tags"
        hint={tag_ids.length ? 'All other tags are unknown to it.' : 'None chosen: items with any tags.'}
      >
        <div className={css.tags}>
          {tag_ids.map((tag_id) => {
            const name = all.find((tag) => tag.tag_id === tag_id)?.name ?? 'a deleted tag'
            return (
              <Button
                key={tag_id}
                icon="close"
                aria-label={`Without ${plainName(name)}`}
                onClick={() => onLimit({ ...limit, tag_ids: tag_ids.filter((each) => each !== tag_id) })}
              >
                <Name of={name} />
              </Button>
            )
          })}
          <Listbox
            id={id}
            value=""
            placeholder="Add a tag…"
            options={all
              .filter(({ tag_id }) => !tag_ids.includes(tag_id))
              .map(({ tag_id, name }) => [tag_id, plainName(name)] as const)}
            onValue={(tag_id) => onLimit({ ...limit, tag_ids: [...tag_ids, tag_id] })}
          />
        </div>
      </FieldAround>
      <div className={css.filter}>
        <span className={css.label}>… that satisfy</span>
        {renderFilterBar({ filter, onFilter: (next) => onLimit({ ...limit, filter: next }), first: tag_ids })}
      </div>
      {fault !== undefined && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

interface LimitWordsProps {
  limit: Limit
  /** A filter in words. */
  renderFilter: (filter: Filter) => ReactNode
}

/** What a key or an app sees, in a list of them. */
export function LimitWords({ limit: { tag_ids, filter }, renderFilter }: LimitWordsProps) {
  const all = useTags() ?? []
  const names = tag_ids?.map((id) => all.find((tag) => tag.tag_id === id)?.name ?? 'a deleted tag')
  return (
    <>
      sees only {names ? names.map(plainName).join(', ') : 'items'}
      {filter && <>: {renderFilter(filter)}</>}
    </>
  )
}

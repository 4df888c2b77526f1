import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Tag } from '#web/data/tags-query.ts'
import { changeDraft, type Draft } from '#web/import/import-draft.ts'
import { ImportFaults } from '#web/import/import-faults.tsx'
import { ImportJob } from '#web/import/import-job.ts'
import { JobView } from '#web/import/job-view.tsx'
import { MatchSelect } from '#web/import/match-select.tsx'
import type { TableText } from '#web/import/read-table.ts'
import type { Arrangement } from '#web/import/use-arrangement.ts'
import { useFoundNames } from '#web/import/use-found-names.ts'
import { useIsKnown, useKnown } from '#web/import/use-known.ts'
import { Button } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { type MatchBy, matchRows, planImport, resolveNames } from '#web/rules/import-plan.ts'
import css from '#web/import/import-run.module.css'

interface ImportRunProps {
  table: TableText
  tag: Tag | null
  arrangement: Arrangement
  draft: Draft
  /** The name of the new tag is one that is there. */
  isTaken: boolean
  onTag: (tag_id: string | null) => void
}

/** What is wrong by cell, what rows meet, and the button that says what it does. */
export function ImportRun({ table, tag, arrangement, draft, isTaken, onTag }: ImportRunProps) {
  const client = useQueryClient()
  const { into, targets, readings } = arrangement
  const { job } = draft
  const outcome = useOutcome({ table, tag, arrangement, draft })
  const { good, faults, emptied, matched } = outcome
  const isHeld = job !== null && job.state !== 'done'
  const optional = new Set(targets.flatMap((target, i) => (typeof target === 'object' ? [i] : [])))
  const start = async () => {
    const made = into === 'new' ? { name: draft.name.trim(), fields: arrangement.fields } : tag
    const begun = new ImportJob({
      items: good,
      tag: made,
      match: outcome.by,
      renew: () => client.invalidateQueries(),
    })
    changeDraft({ job: begun })
    await begun.run()
    if (into === 'new' && begun.tag_id !== null) onTag(begun.tag_id)
  }
  const missing = whatIsMissing({ table, arrangement, draft, isTaken, isLooking: outcome.isLooking })
  return (
    <PageSection title="3. Look, then import">
      {tag && !job && (
        <MatchSelect
          table={table}
          tag={tag}
          targets={targets}
          isKnown={outcome.isKnown}
          value={outcome.match}
          isChosen={draft.match !== undefined}
        />
      )}
      {matched && !job && (matched.again > 0 || outcome.untagged > 0) && (
        <Note kind="warn">
          {outcome.untagged > 0 && (
            <p>
              {many(outcome.untagged)} of these names {outcome.untagged === 1 ? 'has' : 'have'} not the tag{' '}
              {tag?.name} yet and {outcome.untagged === 1 ? 'gets' : 'get'} it.
            </p>
          )}
          {matched.again > 0 && (
            <p>
              {matched.again.toLocaleString()} {matched.again === 1 ? 'row says' : 'rows say'} once more what
              one before said: the later one counts.
            </p>
          )}
        </Note>
      )}
      {!job && (
        <ImportFaults
          table={table}
          faults={faults}
          optional={optional}
          emptied={emptied}
          isHeld={isHeld}
          key={readings.length}
        />
      )}
      {job ? (
        <JobView job={job} />
      ) : (
        <div className={css.row}>
          <Button
            kind="primary"
            icon="upload"
            disabled={missing !== null || !good.length}
            onClick={() => void start()}
          >
            {buttonWords(outcome, arrangement, draft)}
          </Button>
          {missing && <p>{missing}</p>}
        </div>
      )}
    </PageSection>
  )
}

interface OutcomeProps {
  table: TableText
  tag: Tag | null
  arrangement: Arrangement
  draft: Draft
}

/** What the rows would become now. */
function useOutcome({ table, tag, arrangement, draft }: OutcomeProps) {
  const { tag: shape, targets, readings } = arrangement
  const tag_id = tag?.tag_id ?? null
  const plan = useMemo(
    () => planImport(table.rows, targets, shape, readings),
    [table, targets, shape, readings],
  )
  const found = useFoundNames(plan)
  const { items, faults, emptied } = useMemo(
    () => (found ? resolveNames(plan, targets, found, readings) : plan),
    [plan, targets, found, readings],
  )
  const isKnown = useIsKnown(plan.items, tag_id)
  const match = tag_id === null ? '' : (draft.match ?? (isKnown ? 'name' : ''))
  const by: MatchBy | null =
    match === '' ? null : match === 'name' ? 'name' : { field: match.slice('field '.length) }
  const known = useKnown(plan.items, tag_id, by)
  const column = targets.findIndex((target) =>
    by === 'name' ? target === 'name' : typeof target === 'object' && target.field === by?.field,
  )
  const faulty = new Set(faults.map(({ row }) => row))
  const fitting = items.filter(({ row }) => !faulty.has(row))
  const matched = by && known ? matchRows(fitting, { by, column, known: known.ids }) : null
  const unclear = new Set(matched?.faults.map(({ row }) => row))
  return {
    good: fitting.filter(({ row }) => !unclear.has(row)),
    faults: matched ? [...faults, ...matched.faults] : faults,
    emptied,
    matched,
    by,
    match,
    isKnown,
    untagged: by === 'name' ? (known?.untagged ?? 0) : 0,
    isLooking: !found || isKnown === undefined || known === undefined,
  }
}

const many = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'item' : 'items'}`

/** What the button does, to the letter. */
function buttonWords(
  { good, matched }: ReturnType<typeof useOutcome>,
  { into }: Arrangement,
  { name }: Draft,
): string {
  if (into === 'bare') return `Import ${many(good.length)} without a tag`
  if (into === 'new') return `Make the tag ${name.trim()} and import ${many(good.length)}`
  if (!matched?.update) return `Import ${many(matched ? matched.make : good.length)}`
  return matched.make
    ? `Update ${many(matched.update)} and make ${many(matched.make)}`
    : `Update ${many(matched.update)}`
}

interface Missing extends Pick<ImportRunProps, 'table' | 'arrangement' | 'draft' | 'isTaken'> {
  isLooking: boolean
}

/** Why it cannot begin yet; null where it can. */
function whatIsMissing({ table, arrangement, draft, isTaken, isLooking }: Missing): string | null {
  const [first] = arrangement.asked
  if (first !== undefined)
    return `Say above how “${table.headings[first]}” is written: it can be read in two ways.`
  if (arrangement.into === 'new' && !draft.name.trim()) return 'Give the new tag a name above.'
  if (isTaken) return 'Give the new tag another name, or choose the one that is there.'
  return isLooking ? 'Looking up what is there already…' : null
}

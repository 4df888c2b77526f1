import { useItemName } from '#web/data/item-names.ts'
import type { BulkKind } from '#web/bulk/bulk-props.ts'
import type { BulkAnswer, BulkEdit } from '#web/bulk/bulk-edit.ts'
import { plainName } from '#web/rules/plain-name.ts'
import css from '#web/bulk/bulk.module.css'

interface BulkPreviewProps {
  kind: BulkKind
  change: BulkEdit
  answer: BulkAnswer
  /** How many were changed by others since they were read. */
  changedSince: number
}

/** What would change: how many, which not, and some of them before and after. */
export function BulkPreview({ kind, change, answer, changedSince }: BulkPreviewProps) {
  const sentences = sentencesOf(kind, answer)
  if (changedSince)
    sentences.push(`${have(changedSince, 'was', 'were')} changed by others since you selected them.`)
  const sample = (answer.sample ?? []) as readonly Sampled[]
  return (
    <>
      <p role="status">{sentences.join(' ')}</p>
      {answer.warnings?.map((warning) => (
        <p key={warning} className={css.warning}>
          {warning}
        </p>
      ))}
      {sample.length > 0 && (
        <div className={css.scroll} role="region" aria-label="Some of them" ref={makeStop}>
          <table className={css.sample}>
            <thead>
              <tr>
                <th scope="col">Item</th>
                {kind === 'set' && <th scope="col">Before</th>}
                {kind === 'set' && <th scope="col">After</th>}
              </tr>
            </thead>
            <tbody>
              {sample.map((each) => (
                <tr key={each.item_id}>
                  <td>
                    <bdi>{plainName(each.name)}</bdi>
                  </td>
                  {change.kind === 'set' && (
                    <>
                      <td className={css.before}>
                        <Value value={ofField(each.before, change.field)} />
                      </td>
                      <td>
                        <Value value={ofField(each.after, change.field)} />
                      </td>
                    </>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {sample.length > 0 && shownOf(kind, answer) > sample.length && (
        <p className={css.more}>The first {sample.length} of them.</p>
      )}
    </>
  )
}

const shownOf = (kind: BulkKind, { affected_count, changed_count }: BulkAnswer) =>
  kind === 'set' ? changed_count : affected_count

/** Keys scroll it. */
function makeStop(element: HTMLDivElement | null): void {
  if (element) element.tabIndex = 0
}

interface Sampled {
  item_id: string
  name: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

const have = (count: number, one: string, many: string) =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

function sentencesOf(kind: BulkKind, { matched_count, affected_count, changed_count }: BulkAnswer): string[] {
  const others = matched_count - affected_count
  const items = (count: number) => have(count, 'item', 'items')
  if (kind === 'delete' && !affected_count)
    return ['There is nothing left to delete: all of them have been deleted, or match no longer.']
  if (kind === 'delete')
    return [`This will delete ${items(affected_count)}. They can be restored from the trash.`]
  if (kind === 'add')
    return [
      `This will add the tag to ${items(affected_count)}.`,
      ...(others ? [`${have(others, 'has', 'have')} it already.`] : []),
    ]
  if (kind === 'remove')
    return [
      `This will remove the tag, with its values, from ${items(affected_count)}.`,
      ...(others ? [`${have(others, 'has', 'have')} it not.`] : []),
    ]
  const same = affected_count - changed_count
  return [
    changed_count ? `This will change ${items(changed_count)}.` : 'This will change nothing.',
    ...(same ? [`${have(same, 'has', 'have')} the value already.`] : []),
    ...(others ? [`${have(others, 'has', 'have')} not the tag.`] : []),
  ]
}

const ofField = (values: Readonly<Record<string, unknown>> | null, field: string): unknown =>
  values && Object.hasOwn(values, field) ? values[field] : null

const ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className={css.none}>nothing</span>
  if (Array.isArray(value))
    return value.map((each, i) => (
      <span key={String(each)}>
        {i > 0 && ', '}
        <Value value={each} />
      </span>
    ))
  if (typeof value === 'object' && 'variant' in value) return String(value.variant)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && ID.test(value)) return <Name item_id={value} />
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function Name({ item_id }: { item_id: string }) {
  return useItemName(item_id) ?? item_id
}

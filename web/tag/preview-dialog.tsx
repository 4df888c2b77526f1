import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { previewTagUpdate } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import type { Tag } from '#web/data/tags-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Note } from '#web/parts/note.tsx'
import type { TagChange } from '#web/rules/tag-draft.ts'
import css from '#web/tag/preview-dialog.module.css'

interface PreviewDialogProps {
  tag: Tag
  change: TagChange
  isBusy: boolean
  onSave: () => void
  onFault: (fault: Fault) => void
  onClose: () => void
}

type Preview = OutputOf<typeof previewTagUpdate>

/** What the change would do to the values and views, before anything is written. */
export function PreviewDialog({ tag, change, isBusy, onSave, onFault, onClose }: PreviewDialogProps) {
  const { data, error } = useQuery({
    queryKey: ['tag-preview', tag.tag_id, change],
    queryFn: async ({ signal }) =>
      (await call(previewTagUpdate, { tag_id: tag.tag_id, ...change }, { signal })).data,
    gcTime: 0,
    staleTime: Infinity,
  })
  useEffect(() => {
    if (error instanceof Fault) onFault(error)
    // oxlint-disable-next-line react/exhaustive-deps -- said once for each answer
  }, [error])
  if (error) return null
  const loses = data?.fields.some(({ change: kind, with_value, not_fitting }) =>
    kind === 'removed' ? with_value : not_fitting,
  )
  return (
    <Dialog
      title={`Save ${tag.name}?`}
      width="wide"
      firm={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Go on editing
          </Button>
          <Button kind={loses ? 'danger' : 'primary'} disabled={!data || isBusy} onClick={onSave}>
            {isBusy ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      {data ? <Effects tag={tag} preview={data} /> : <p>Looking at what would change…</p>}
    </Dialog>
  )
}

function Effects({
  tag,
  preview: { schema_version, affected_items, fields, views },
}: {
  tag: Tag
  preview: Preview
}) {
  if (schema_version === tag.schema_version)
    return <p>No value is touched: only order, descriptions and hints change.</p>
  return (
    <>
      <p>
        Version {tag.schema_version} becomes version {schema_version}.{' '}
        {affected_items
          ? `${many(affected_items, 'item')} ${affected_items === 1 ? 'has' : 'have'} this tag. Values stay as they are until you bring them up to date; it can be undone.`
          : 'No item has this tag yet.'}
      </p>
      {fields.length > 0 && (
        <table className={css.fields}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Change</th>
              <th scope="col">Values</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={`${field.field} ${field.change}`}>
                <th scope="row">{field.field}</th>
                <td>{changeWords(field)}</td>
                <td>
                  {valueWords(field)}
                  {field.not_fitting > 0 && <Samples samples={field.samples} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {views.length > 0 && (
        <Note kind="warn">
          <p>Of your views:</p>
          <ul className={css.views}>
            {views.map(({ view_id, name, effect }) => (
              <li key={view_id}>
                <strong>{name}</strong>: {effect}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  )
}

type FieldEffect = Preview['fields'][number]

const many = (count: number, word: string) => `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`

function changeWords({ change, renamed_from }: FieldEffect): string {
  const words = {
    added: 'new',
    removed: 'removed',
    renamed: 'renamed',
    retyped: 'another type',
    variants: 'other variants',
  }
  return renamed_from ? `${words[change]}, was ${renamed_from}` : words[change]
}

function valueWords({ change, with_value, fitting, not_fitting }: FieldEffect): string {
  if (change === 'added') return 'empty everywhere'
  if (!with_value) return 'none'
  if (change === 'removed') return `${many(with_value, 'value')} no longer shown`
  if (change === 'renamed' && !not_fitting) return `${many(with_value, 'value')}, kept`
  return not_fitting
    ? `${fitting.toLocaleString()} fit, ${not_fitting.toLocaleString()} ${not_fitting === 1 ? 'does' : 'do'} not:`
    : `all ${with_value.toLocaleString()} fit`
}

const MOST_SAMPLES = 5

function Samples({ samples }: { samples: FieldEffect['samples'] }) {
  return (
    <ul className={css.samples}>
      {samples.slice(0, MOST_SAMPLES).map(({ item_id, name, value }) => (
        <li key={item_id}>
          {name}: <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
        </li>
      ))}
    </ul>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { call } from '#web/api/call.ts'
import { toFault } from '#web/api/fault.ts'
import { createImport, deleteImport } from '#web/api/operations.ts'
import type { InputOf } from '#web/api/route.ts'
import { type Import, importQuery } from '#web/data/imports-query.ts'
import { Listbox } from '#web/parts/listbox.tsx'
import { Name } from '#web/parts/name.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import css from '#web/import/import-about.module.css'

const FORMATS = [
  ['csv', 'CSV or TSV'],
  ['xlsx', 'Excel'],
  ['json', 'JSON or JSON Lines'],
  ['markdown', 'Markdown notes'],
  ['notion', 'Notion’s export'],
] as const
const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}
const MOST_LEFT_OUT = 50

/** Which file it is, and how it is read. */
export function ImportAbout({ data }: { data: Import }) {
  const { name, state, tables, total, left_out, error } = data
  const [isBusy, choose] = useOtherReading(data)
  const headings = tables.find((each) => each.header_row)?.header_row
  const read_as = tables.find((each) => each.read_as)?.read_as
  const parts = [
    state !== 'reading' && `${total.toLocaleString()} ${total === 1 ? 'row' : 'rows'}`,
    tables.length > 1 && `${tables.length} tables`,
    read_as &&
      `${read_as.encoding.toUpperCase()}, parted by ${SEPARATORS[read_as.separator] ?? read_as.separator}`,
  ].filter(Boolean)
  return (
    <PageSection title="1. The file" actions={<Link href="/import">Another file</Link>}>
      <div className={css.about}>
        <p className={css.name}>
          <Name of={name} />
        </p>
        <p className={css.parts}>
          {state === 'reading' ? <span role="status">Looking at it …</span> : parts.join(' · ')}
        </p>
        {state === 'ready' && data.file_id !== null && (
          <fieldset className={css.format} disabled={isBusy}>
            <span aria-hidden>Read as</span>
            <Listbox
              label="Read as"
              value={data.format}
              options={FORMATS}
              onValue={(format) => void choose({ format })}
            />
            {headings !== undefined && (
              <Listbox
                label="Headings"
                value={`${headings}`}
                options={headingLines(headings)}
                onValue={(line) => void choose({ format: data.format, header_row: Number(line) })}
              />
            )}
          </fieldset>
        )}
      </div>
      {state === 'failed' && error && !tables.length && (
        <Note kind="danger">
          <p>{error.message}</p>
          {error.suggestion && <p>{error.suggestion}</p>}
        </Note>
      )}
      {left_out.length > 0 && (
        <Note kind="warn">
          <details>
            <summary>
              {left_out.length.toLocaleString()} {left_out.length === 1 ? 'thing is' : 'things are'} left out
            </summary>
            <ul className={css.left}>
              {left_out.slice(0, MOST_LEFT_OUT).map(({ name: what, reason }) => (
                <li key={`${what} ${reason}`}>
                  <Name of={what} />: {reason}
                </li>
              ))}
            </ul>
          </details>
        </Note>
      )}
    </PageSection>
  )
}

type Asked = InputOf<typeof createImport>

const headingLines = (most: number) =>
  Array.from({ length: Math.max(most, 20) }, (_, i) => [`${i + 1}`, `Headings in line ${i + 1}`] as const)

/** The same file looked at in another way is another import. */
function useOtherReading({ import_id, file_id }: Import) {
  const client = useQueryClient()
  const [, go] = useLocation()
  const [isBusy, alone] = useBusy()
  const choose = (reading: { format: string; header_row?: number }) =>
    alone(async () => {
      const answer = await call(createImport, { file_id: file_id!, ...reading } as Asked).catch(toFault)
      if (answer instanceof Error) return toast({ text: answer.message, kind: 'danger' })
      client.setQueryData(importQuery(answer.data.import_id).queryKey, answer.data)
      go(`/import/${answer.data.import_id}${location.search}`, { replace: true })
      await call(deleteImport, { import_id }).catch(toFault)
    })
  return [isBusy, choose] as const
}

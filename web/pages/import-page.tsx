import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import { call } from '#web/api/call.ts'
import { toFault } from '#web/api/fault.ts'
import { createImport } from '#web/api/operations.ts'
import { importQuery, importsQuery } from '#web/data/imports-query.ts'
import { useMayWrite } from '#web/data/may-write.ts'
import { useTags } from '#web/data/tags-query.ts'
import { useSending } from '#web/data/use-sending.ts'
import { forgetPasted } from '#web/import/import-drafts.ts'
import { ImportList } from '#web/import/import-list.tsx'
import { ImportSource } from '#web/import/import-source.tsx'
import { ImportSteps } from '#web/import/import-steps.tsx'
import { isAbsent, NotShown } from '#web/parts/not-shown.tsx'
import { Note } from '#web/parts/note.tsx'
import { Page, PageSection } from '#web/parts/page.tsx'
import { useLeaveGuard } from '#web/parts/use-leave-guard.ts'
import type { FileElement } from '#web/rules/file-value.ts'

const NEW = '/import'
const LEAD =
  'Rows of a spreadsheet, notes or an export become items. Nothing is written before you have seen what it would do.'

/** Items from a file: `/import?tag=` takes one, `/import/<id>` is one on its way. */
export function ImportPage() {
  const { id } = useParams<{ id?: string }>()
  const mayWrite = useMayWrite()
  if (id !== undefined) return <OneImport key={id} import_id={id.toUpperCase()} />
  return (
    <Page title="Import" lead={LEAD}>
      {mayWrite ? <NewImport /> : <p>You may read this base, not change it.</p>}
    </Page>
  )
}

function NewImport() {
  const client = useQueryClient()
  const [, go] = useLocation()
  const [looking, setLooking] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  // Rows that are typed stay where another file is taken.
  const rows = useRef<{ file: File; text: string }>(null)
  const look = async ({ file_id, name }: FileElement, file: File) => {
    setLooking(name)
    try {
      const { data } = await call(createImport, { file_id })
      client.setQueryData(importQuery(data.import_id).queryKey, data)
      if (rows.current?.file === file) forgetPasted(rows.current.text)
      void client.invalidateQueries({ queryKey: importsQuery.queryKey })
      // Whoever has gone elsewhere stays there: it is in the list.
      if (location.pathname === NEW) go(`${NEW}/${data.import_id}${location.search}`)
    } catch (error) {
      const { message, suggestion } = toFault(error)
      setFault([message, suggestion].filter(Boolean).join('. '))
      setLooking(null)
    }
  }
  const { sending, unsent, forget, send } = useSending((file, sent) => sent && void look(sent, file))
  useLeaveGuard(sending.length > 0)
  const take = (file: File, typed?: string) => {
    if (typed !== undefined) rows.current = { file, text: typed }
    setFault(null)
    forget()
    send(file)
  }
  return (
    <>
      <PageSection title="1. The file">
        <ImportSource looking={looking} sending={sending} unsent={unsent} onFile={take} />
        {fault !== null && <Note kind="danger">{fault}</Note>}
      </PageSection>
      <ImportList />
    </>
  )
}

function OneImport({ import_id }: { import_id: string }) {
  const tags = useTags()
  const [query] = useSearchParams()
  const { data, error, refetch } = useQuery(importQuery(import_id))
  // One that is under way is asked for again and again: what it has told stays.
  if (error && (!data || isAbsent(error)))
    return (
      <NotShown what="import" error={error} onAgain={() => void refetch()}>
        <Link href="/import">Import a file</Link>
      </NotShown>
    )
  if (!data || !tags) return null
  const tag = tags.find(({ tag_id }) => tag_id === query.get('tag')?.toUpperCase()) ?? null
  return (
    <Page title="Import" lead={LEAD}>
      <ImportSteps data={data} tags={tags} tag={tag} />
    </Page>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { toFault } from '#web/api/fault.ts'
import { getTemplate, useTemplate } from '#web/api/operations.ts'
import type { InputOf } from '#web/api/route.ts'
import { keepChange } from '#web/data/undo-change.ts'
import { undoLast } from '#web/data/undo-stack.ts'
import { Button } from '#web/parts/button.tsx'
import { FileField } from '#web/parts/file-field.tsx'
import { Note } from '#web/parts/note.tsx'
import { saveFile } from '#web/parts/save-file.ts'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'

/** A template as a file: one is used here; where there is something to save, it is saved. */
export function TemplateFiles({ maySave = false, mayWrite }: { maySave?: boolean; mayWrite: boolean }) {
  const client = useQueryClient()
  const [fault, setFault] = useState<string>()
  const [isBusy, alone] = useBusy()
  const save = async () => {
    const answer = await call(getTemplate, {}).catch(toFault)
    if (answer instanceof Error) return setFault(answer.message)
    saveFile(new Blob([JSON.stringify(answer.data, null, 2)], { type: 'application/json' }), 'template.json')
  }
  const use = async (file: File) => {
    setFault(undefined)
    const template = await readTemplate(file)
    if (template instanceof Error) return setFault(template.message)
    const answer = await call(useTemplate, { template } as InputOf<typeof useTemplate>).catch(toFault)
    if (answer instanceof Error) return setFault(answer.message)
    const { change_id, ...made } = answer.data
    const words = `Used the template ${file.name}`
    keepChange(words, change_id ?? undefined, () => client.invalidateQueries())
    toast({
      text: `${words}: ${inWords(made)}`,
      action: { label: 'Undo', run: () => void undoLast() },
    })
    await client.invalidateQueries()
  }
  const button = maySave && (
    <Button icon="download" disabled={isBusy} onClick={() => void alone(save)}>
      Save this base as a template
    </Button>
  )
  return (
    <>
      {button && <p>{button}</p>}
      {mayWrite && (
        <FileField
          label="Use a template file"
          accept=".json,application/json"
          onFiles={([file]) => void alone(() => use(file!))}
        />
      )}
      {fault && <Note kind="danger">{fault}</Note>}
    </>
  )
}

async function readTemplate(file: File): Promise<object | Error> {
  try {
    const read: unknown = JSON.parse(await file.text())
    if (typeof read === 'object' && read !== null) return read
  } catch {
    // Reported beneath, as what is JSON and no object is.
  }
  return new Error(
    `${file.name} is no template: one is a JSON file that was saved here or by the command template save`,
  )
}

const inWords = (made: Record<'tags' | 'views' | 'items', number>): string =>
  (['tags', 'views', 'items'] as const)
    .map((kind) => `${made[kind]} ${made[kind] === 1 ? kind.slice(0, -1) : kind}`)
    .join(', ')

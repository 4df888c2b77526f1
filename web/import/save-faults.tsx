import { callForFile } from '#web/api/call.ts'
import { toFault } from '#web/api/fault.ts'
import type { Route } from '#web/api/route.ts'
import type { Import } from '#web/data/imports-query.ts'
import { Button } from '#web/parts/button.tsx'
import { saveFile } from '#web/parts/save-file.ts'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import { plainName } from '#web/rules/plain-name.ts'

const FAULTS: Route<{ import_id: string }, never> = {
  method: 'GET',
  path: '/api/imports/{import_id}/faults',
  reads: true,
}

/** All rows with a fault as a file, with their lines and what is wrong, to be corrected and imported. */
export function SaveFaults({ data: { import_id, name, fault_count = 0 } }: { data: Import }) {
  const [isBusy, alone] = useBusy()
  const save = () =>
    alone(async () => {
      const file = await callForFile(FAULTS, { import_id }).catch(toFault)
      if (file instanceof Error) toast({ text: file.message, kind: 'danger' })
      else saveFile(file, `${plainName(name.replace(/\.[^.]*$/, ''))} - rows with faults.csv`)
    })
  return (
    <Button icon="download" disabled={isBusy} onClick={() => void save()}>
      {isBusy
        ? 'Reading them …'
        : fault_count === 1
          ? 'Save this row as a file'
          : 'Save these rows as a file'}
    </Button>
  )
}

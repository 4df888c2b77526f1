import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useConfirmed } from '#web/account/use-confirmed.tsx'
import { call } from '#web/api/call.ts'
import { Fault } from '#web/api/fault.ts'
import { backUpNow, type getBackups } from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { backupsQuery } from '#web/data/backups-query.ts'
import { meQuery } from '#web/data/me-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Note } from '#web/parts/note.tsx'
import { PageSection } from '#web/parts/page.tsx'
import { toast } from '#web/parts/toast.tsx'
import { useBusy } from '#web/parts/use-busy.ts'
import { sayMoment } from '#web/rules/say-time.ts'

/** When the base was copied last, and a button that copies it now. */
export function BackupSettings() {
  const client = useQueryClient()
  const isOwner = useQuery(meQuery).data?.role === 'owner'
  const { data: backups } = useQuery({ ...backupsQuery, enabled: isOwner })
  const [confirmed, dialog] = useConfirmed()
  const [isBusy, alone] = useBusy()
  if (!isOwner) return <p>Only owners see backups.</p>
  if (!backups) return null
  const backUp = async () => {
    const answer = await confirmed(() => call(backUpNow, {}))
    if (answer instanceof Fault) toast({ text: answer.message, kind: 'danger' })
    await client.invalidateQueries({ queryKey: backupsQuery.queryKey })
  }
  return (
    <PageSection
      title="Copies of the base"
      lead="What this base holds, written down elsewhere and read again, so that it outlasts this machine."
      actions={
        backups.to !== null && (
          <Button kind="primary" disabled={isBusy || backups.running} onClick={() => void alone(backUp)}>
            {backups.running ? 'Backing up …' : 'Back up now'}
          </Button>
        )
      }
    >
      <BackupWords backups={backups} />
      {dialog}
    </PageSection>
  )
}

function BackupWords({ backups }: { backups: OutputOf<typeof getBackups> }) {
  const { to, last, failed, next_at, keep } = backups
  if (to === null)
    return (
      <Note>
        <p>
          No copies are made. Whoever runs the service sets <code>BACKUP_TO</code> to a folder, best on
          another disk, or to <code>s3://bucket/prefix</code>.
        </p>
      </Note>
    )
  return (
    <>
      {failed && (
        <Note kind="danger">
          <p>
            {sayMoment(failed.failed_at)}: {failed.reason}
          </p>
        </Note>
      )}
      <p>
        {last
          ? `Last: ${sayMoment(last.made_at)}, ${last.items} ${last.items === 1 ? 'item' : 'items'}, ${sayBytes(last.bytes)}, ${last.name}`
          : 'None was made yet.'}
      </p>
      {next_at !== null && <p>Next: {sayMoment(next_at)}</p>}
      <p>
        They lie in <code>{to}</code>. The newest of each of the last {keep.days} days, {keep.weeks} weeks and{' '}
        {keep.months} months stays.
      </p>
    </>
  )
}

function sayBytes(bytes: number): string {
  const [size, unit] =
    bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB']
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`
}

import { type Db, query } from '#src/sql/query.ts'

/** The newest copy that the service knows of. */
export interface MadeBackup {
  /** When it was begun, by the clock of the process that made it. */
  made_at: string
  name: string
  bytes: number
  items: number
}

export interface BackupState {
  made: MadeBackup | null
  /** What kept the service from making one since. */
  failed: { failed_at: string; reason: string } | null
}

/** Milliseconds by which the clocks of machines may differ. */
const SLACK = 60_000

/** Whether a time, in milliseconds, has not come yet: the clock was ahead when it was noted, or is behind now. */
export const isAhead = (time: number, now: number): boolean => time > now + SLACK

/** Whether no copy has been made since a time of the plan. One that is ahead says nothing of that. */
export function isCopyDue(made: MadeBackup | null, since: string, now: number): boolean {
  return made === null || made.made_at < since || isAhead(Date.parse(made.made_at), now)
}

const select = query((_: object, sql) => sql.selectFrom('backup_state').select(['made', 'failed']))
const upsert = query((p: { made: string | null; failed: string | null }, sql) =>
  sql
    .insertInto('backup_state')
    .values({ id: 1, made: p.made, failed: p.failed })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        made: eb.ref('excluded.made'),
        failed: eb.ref('excluded.failed'),
      })),
    ),
)

export async function backupState(db: Db): Promise<BackupState> {
  const row = await db.get(select, {})
  return {
    made: row?.made ? (JSON.parse(row.made) as MadeBackup) : null,
    failed: row?.failed ? (JSON.parse(row.failed) as BackupState['failed']) : null,
  }
}

export async function setBackupState(db: Db, { made, failed }: BackupState): Promise<void> {
  await db.run(upsert, { made: made && JSON.stringify(made), failed: failed && JSON.stringify(failed) })
}

import { type Db, query } from '#src/sql/query.ts'

/** The newest copy that the service knows of. */
export interface MadeBackup {
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

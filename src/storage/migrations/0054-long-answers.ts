import { type Kysely, sql } from 'kysely'
import type { Tables } from '#src/sql/tables.ts'

/** Lengths of an account's long answers by themselves, so that their sum reads no answer and no short one. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await sql`create index kept_answer_long on kept_answer (user_id, expires_at, octet_length(answer)) where octet_length(answer) > 65536`.execute(
    db,
  )
}

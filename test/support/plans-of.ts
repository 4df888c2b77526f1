import type { SqliteConnection } from '#src/sql/sqlite-connection.ts'

/** The lines of the plans by which SQLite carries out what `run` selects. */
export async function plansOf(db: SqliteConnection, run: () => Promise<unknown>): Promise<string[]> {
  const plans: string[] = []
  const select = db.select.bind(db)
  db.select = async (compilable) => {
    const { sql, parameters } = 'compile' in compilable ? compilable.compile() : compilable
    const plan = db.raw.prepare(`explain query plan ${sql}`).all(parameters) as { detail: string }[]
    plans.push(...plan.map(({ detail }) => detail))
    return select(compilable)
  }
  await run().finally(() => (db.select = select))
  return plans
}

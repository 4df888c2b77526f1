import { bindParameters } from '#src/sql/query.ts'
import type { SqliteConnection } from '#src/sql/sqlite-connection.ts'

/** The lines of the plans by which SQLite carries out what `run` selects. */
export async function plansOf(db: SqliteConnection, run: () => Promise<unknown>): Promise<string[]> {
  const plans: string[] = []
  const note = (sql: string, parameters: unknown) => {
    const plan = db.raw.prepare(`explain query plan ${sql}`).all(parameters) as { detail: string }[]
    plans.push(...plan.map(({ detail }) => detail))
  }
  const [select, all] = [db.select.bind(db), db.all.bind(db)]
  db.select = async (compilable) => {
    const { sql, parameters } = 'compile' in compilable ? compilable.compile() : compilable
    note(sql, parameters)
    return select(compilable)
  }
  db.all = async (query, values) => {
    const compiled = query.for(db.dialect)
    note(compiled.sql, bindParameters(compiled, values))
    return all(query, values)
  }
  await run().finally(() => Object.assign(db, { select, all }))
  return plans
}

import pg from 'pg'

/** Holds what a statement locks; what it gives waits until somebody else wants that, or lets it go. */
export async function hold(database_url: string, statement: string) {
  const other = new pg.Client({ connectionString: database_url })
  await other.connect()
  await other.query('begin')
  await other.query(statement)
  const { rows } = await other.query('select pg_backend_pid() as pid')
  const look = `select 1 from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))`
  return {
    async wanted(): Promise<void> {
      while (!(await other.query(look, [rows[0].pid])).rows.length)
        await new Promise((resume) => setTimeout(resume, 10))
    },
    letGo: () => other.end(),
  }
}

import type { TestProject } from 'vitest/node'
import { preparePostgres } from '#src/storage/schema/prepare-postgres.ts'
import { startPostgres } from '#test/support/postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the server that the tests share; each makes databases of its own from `template`. */
    postgres: { url: string; template: string }
  }
}

/** One PostgreSQL for all test files, with a migrated database to copy. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const url = await server.createDatabase()
  await preparePostgres(url)
  project.provide('postgres', { url: server.url, template: new URL(url).pathname.slice(1) })
  return () => server.stop()
}

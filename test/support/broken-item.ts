import { sql } from 'kysely'
import { withDatabase } from '#test/support/bare-database.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

const breaking = (name: string) =>
  TEST_ENGINE === 'sqlite'
    ? [
        `CREATE TRIGGER broken BEFORE INSERT ON item WHEN new.name = '${name}'
           BEGIN SELECT RAISE(ABORT, 'the page is torn'); END`,
      ]
    : [
        `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'the page is torn'; END $$`,
        `CREATE TRIGGER broken BEFORE INSERT ON item FOR EACH ROW WHEN (new.name = '${name}')
           EXECUTE FUNCTION broken()`,
      ]
const MENDED = TEST_ENGINE === 'sqlite' ? ['DROP TRIGGER broken'] : ['DROP FUNCTION broken CASCADE']

const execute = (url: string, statements: string[]) =>
  withDatabase(url, async (db) => {
    for (const each of statements) await sql.raw(each).execute(db)
  })

/** From now on the database fails where an item of that name is written. */
export const breakItem = (url: string, name: string) => execute(url, breaking(name))

export const mendItem = (url: string) => execute(url, MENDED)

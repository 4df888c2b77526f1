import { sql } from 'kysely'
import { migrations } from '#src/storage/migrations/index.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'

/** A process that stops in the middle of a migration, so that a test can kill it there. */
await prepareSqliteFile(process.argv[2]!, {
  list: {
    ...migrations,
    '9001-half': {
      async up(db) {
        await sql`create table half (done text)`.execute(db)
        await sql`delete from tag`.execute(db)
        process.stdout.write('half done\n')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      },
    },
  },
})

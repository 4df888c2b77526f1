import { defineStep } from '#src/runtime/operation.ts'
import { clearProbe, writeProbe } from '#src/storage/accounts/server-secrets.ts'
import { refuseHalfImport } from '#src/storage/schema/import-state.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { ping } from '#src/storage/schema/ping.ts'
import { refuseOtherSchema } from '#src/storage/schema/refuse-other-schema.ts'

/** Fails while the database is out of reach, however busy its writer is. */
export const checkReadable = defineStep({
  name: 'checkReadable',
  effect: 'read',
  inline: true,
  async run({ db }) {
    await ping(db)
    return null
  },
})

/** Fails while the database takes no writes. What it writes is gone after `endWriteCheck`. */
export const checkWritable = defineStep({
  name: 'checkWritable',
  effect: 'write',
  async run({ db }) {
    await writeProbe(db)
    return null
  },
})

export const endWriteCheck = defineStep({
  name: 'endWriteCheck',
  effect: 'write',
  async run({ db }) {
    await clearProbe(db)
    return null
  },
})

/** For commands, which leave migrations to the service. */
export const checkSchema = defineStep({
  name: 'checkSchema',
  effect: 'read',
  async run({ db }) {
    await refuseOtherSchema(db)
    return null
  },
})

/** For a process that the database knows of by now: an import that begins later sees it and stops. */
export const refuseHalfImported = defineStep({
  name: 'refuseHalfImported',
  effect: 'read',
  inline: true,
  async run({ db }) {
    await refuseHalfImport(db)
    return null
  },
})

/** The newest id of all tables: its time is the latest that the database knows of. */
export const findNewestId = defineStep({
  name: 'findNewestId',
  effect: 'read',
  run: async ({ db }) => ({ id: await newestId(db) }),
})

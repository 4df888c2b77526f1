import { addressGroup } from '#src/auth/client-address.ts'
import { defineStep } from '#src/operations/step.ts'
import { insertClient } from '#src/storage/accounts/app-clients.ts'

/** Keeps a client that registered itself, or that an operator made. */
export const addAppClient = defineStep({
  name: 'addAppClient',
  effect: 'write',
  async run(
    { db, caller, now },
    { client_id, metadata }: { client_id: string; metadata: string },
  ): Promise<null> {
    const address = caller.client?.kind === 'cli' ? null : addressGroup(caller.address)
    await insertClient(db, { client_id, metadata, address, created_at: now.toISOString() })
    return null
  },
})

import { defineStep } from '#src/operations/step.ts'
import { clientMetadata } from '#src/storage/accounts/app-clients.ts'

/** How a client registered, as JSON text; null: it did not. */
export const findAppClient = defineStep({
  name: 'findAppClient',
  effect: 'read',
  inline: true,
  async run({ db }, { client_id }: { client_id: string }): Promise<string | null> {
    return clientMetadata(db, client_id)
  },
})

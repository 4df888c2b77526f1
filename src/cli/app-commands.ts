import { checkClientMetadata } from '#src/api/apps/client-metadata.ts'
import { newToken } from '#src/auth/session.ts'
import type { Store } from '#src/cli/open-store.ts'
import { badRequest } from '#src/domain/errors.ts'
import { addAppClient } from '#src/operations/account/app/app-record-steps.ts'

export interface AppOptions {
  json?: boolean | undefined
  name?: string | undefined
  'redirect-uri'?: string[] | undefined
}

const USE = 'app create --name NAME --redirect-uri URI'

/** What the commands run on the database. */
export const APP_STEPS = [addAppClient]

/** What the words after `app` ask for; it is done when it is given the database. @throws BadRequest */
export function readAppCommand(
  [command, ...rest]: readonly string[],
  { json, name, 'redirect-uri': redirect_uris = [] }: AppOptions,
): (store: Store) => Promise<string> {
  if (command !== 'create' || rest.length)
    throw badRequest(
      command === 'create' ? `app create does not take '${rest[0]}'` : 'app needs the command create',
      { suggestion: USE },
    )
  if (!name?.trim() || !redirect_uris.length)
    throw badRequest('app create needs --name and --redirect-uri', { suggestion: USE })
  const metadata = {
    client_id: newToken(),
    client_name: name,
    redirect_uris,
    token_endpoint_auth_method: 'none',
  }
  checkClientMetadata(metadata, (message) =>
    badRequest(message.replace('redirect_uris', '--redirect-uri'), { suggestion: USE }),
  )
  return async (store) => {
    const { client_id } = metadata
    await store.call(addAppClient, { client_id, metadata: JSON.stringify(metadata) })
    return json ? JSON.stringify(metadata, null, 2) : client_id
  }
}

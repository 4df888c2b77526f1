import { secretBoxThere } from '#src/auth/secret-keys.ts'
import { type Finding, fail, failed, ok } from '#src/cli/doctor/finding.ts'
import type { Config } from '#src/config/config.ts'
import type { CommandConnection } from '#src/engine/command-connection.ts'
import { refuseNoOwnerWay } from '#src/operations/account/users/check-owner-way.ts'
import { ownerHasPasskey } from '#src/operations/account/users/user-steps.ts'
import { waysInOf } from '#src/operations/account/users/ways-in.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { otherKey, unreadableWarnings } from '#src/storage/accounts/seal-totp.ts'
import { unreadableSecrets } from '#src/storage/accounts/unreadable-secrets.ts'
import { unreadableWebhooks } from '#src/storage/webhooks/seal-webhook-secrets.ts'

/** Whether somebody can sign in; without a connection there is no base yet. */
export async function checkSignIn(config: Config, connection?: CommandConnection): Promise<Finding> {
  const hasPasskey = async () =>
    connection !== undefined &&
    ((await ownerHasPasskey.run({ db: connection.db } as SqlContext, {})) as boolean)
  try {
    await refuseNoOwnerWay(config, hasPasskey)
  } catch (error) {
    return failed('sign-in', error, 'Start with passwords')
  }
  const { passwords, providers } = waysInOf(config)
  const ways = [passwords && 'passwords', providers.length && 'providers', 'passkeys'].filter(Boolean)
  return ok('sign-in', `By ${ways.join(', ')}`)
}

/** Whether what is encrypted in the base can be read with the keys that are there. */
export async function checkSecrets({ db }: CommandConnection, config: Config): Promise<Finding> {
  const { database, secret_keys } = config
  try {
    const box = secretBoxThere(config)
    const { totp, webhooks } = await unreadableSecrets(db, box)
    // A start of that is refused.
    if (totp && database.engine === 'postgres' && !secret_keys.length) throw otherKey(totp)
    const [lost] = [...unreadableWarnings(totp), ...(webhooks ? [unreadableWebhooks(webhooks)] : [])]
    if (lost === undefined) return ok('secrets', keyInWords(config, box !== null))
    const [says = lost, what = 'Put the key back (SECRET_KEY)'] = lost.split(/\. (?=Put the key back)/)
    return fail('secrets', says, what)
  } catch (error) {
    return failed('secrets', error, 'Put the key back (SECRET_KEY)')
  }
}

function keyInWords({ database, secret_keys }: Config, hasKey: boolean): string {
  if (secret_keys.length) return 'SECRET_KEY opens what is encrypted'
  if (!hasKey) return 'Nothing is encrypted yet; a start makes the key'
  const place = database.engine === 'sqlite' ? 'next to the base' : 'in ./data/facet.key'
  return `The key ${place} opens what is encrypted`
}

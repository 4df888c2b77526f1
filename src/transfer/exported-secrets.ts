import { isSealed, totpOf } from '#src/auth/secret-box.ts'
import { webhookSecretOf } from '#src/auth/webhook-secret.ts'
import { secretBox } from '#src/auth/secret-keys.ts'
import type { Config } from '#src/config/config.ts'
import { type ServiceError, unavailable } from '#src/domain/errors.ts'
import type { Row } from '#src/storage/transfer/read-records.ts'
import type { RecordKind, RecordName } from '#src/storage/transfer/record-kinds.ts'

/** A record of the database as it is in an export. */
export type Open = (kind: RecordKind, row: Row) => Row
/** A record of an export as it is in the database. */
export type Seal = (kind: RecordKind, row: Row) => Row

/**
 * TOTP secrets and those of webhooks are encrypted in the database and plain in an export, which is to be read elsewhere, under another key.
 * The key is looked for where the first secret is met.
 */
export function exportedSecrets(config: Pick<Config, 'database' | 'secret_keys'>): {
  open: Open
  seal: Seal
} {
  let box: ReturnType<typeof secretBox> | undefined
  const withSecret =
    (change: (secret: string, owner: string, lost: () => never) => string) =>
    (kind: RecordKind, row: Row) => {
      const owned = OWNERS[kind.name]
      if (!owned) return row
      const lost = () => {
        throw owned.lost(row)
      }
      return { ...row, secret: change(row.secret as string, owned.owner(row), lost) }
    }
  return {
    open: withSecret((secret, owner, lost) => {
      if (!isSealed(secret)) return secret
      return (box ??= secretBox(config)).open(secret, owner) ?? lost()
    }),
    seal: withSecret((secret, owner) => (box ??= secretBox(config)).seal(secret, owner)),
  }
}

const KEY =
  'Run the command with the SECRET_KEY, or next to the key file, of the service. If the key is lost, '

/** Whose the secret of a record is, and what to say where no key opens it. */
const OWNERS: Partial<Record<RecordName, { owner(row: Row): string; lost(row: Row): ServiceError }>> = {
  totp: {
    owner: ({ user_id }) => totpOf(user_id as string),
    lost: ({ user_id }) =>
      unavailable(`The TOTP secret of ${user_id} is encrypted with a key that is not here`, {
        suggestion: `${KEY}take the second factor away first: npm run facet -- user remove-totp`,
      }),
  },
  webhook: {
    owner: ({ secret_id }) => webhookSecretOf(secret_id as string),
    lost: ({ webhook_id }) =>
      unavailable(`The secret of webhook ${webhook_id} is encrypted with a key that is not here`, {
        suggestion: `${KEY}delete the webhook first, and make it again afterwards`,
      }),
  },
}

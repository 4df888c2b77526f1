import { isSealed, totpOf } from '#src/auth/secret-box.ts'
import { secretBox } from '#src/auth/secret-keys.ts'
import type { Config } from '#src/config/config.ts'
import { unavailable } from '#src/domain/errors.ts'
import type { Row } from '#src/storage/transfer/read-records.ts'
import type { RecordKind } from '#src/storage/transfer/record-kinds.ts'

/** A record of the database as it stands in an export. */
export type Open = (kind: RecordKind, row: Row) => Row
/** A record of an export as it stands in the database. */
export type Seal = (kind: RecordKind, row: Row) => Row

/**
 * TOTP secrets are encrypted in the database and plain in an export, which is to be read elsewhere, under another key.
 * The key is looked for where the first secret is met.
 */
export function movedSecrets(config: Pick<Config, 'database' | 'secret_keys'>): { open: Open; seal: Seal } {
  let box: ReturnType<typeof secretBox> | undefined
  const withSecret = (change: (secret: string, owner: string) => string) => (kind: RecordKind, row: Row) =>
    kind.name === 'totp' ? { ...row, secret: change(row.secret as string, row.user_id as string) } : row
  return {
    open: withSecret((secret, owner) => {
      if (!isSealed(secret)) return secret
      return (box ??= secretBox(config)).open(secret, totpOf(owner)) ?? lost(owner)
    }),
    seal: withSecret((secret, owner) => (box ??= secretBox(config)).seal(secret, totpOf(owner))),
  }
}

function lost(user_id: string): never {
  throw unavailable(`The TOTP secret of ${user_id} is encrypted with a key that is not here`, {
    suggestion:
      'Run the command with the SECRET_KEY, or beside the key file, of the service. If the key is lost, take the second factor away first: npm run facet -- user remove-totp',
  })
}

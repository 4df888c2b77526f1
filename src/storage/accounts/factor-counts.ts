import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '#src/sql/tables.ts'

/** How many active second factors and passkeys an account of the query has, as `totps` and `passkeys`. */
export const factorCounts = (eb: ExpressionBuilder<Tables, 'account'>) =>
  [
    eb
      .selectFrom('totp')
      .select(eb.fn.countAll<number>().as('n'))
      .whereRef('totp.user_id', '=', 'account.user_id')
      .where('totp.state', '=', 'active')
      .as('totps'),
    eb
      .selectFrom('passkey')
      .select(eb.fn.countAll<number>().as('n'))
      .whereRef('passkey.user_id', '=', 'account.user_id')
      .as('passkeys'),
  ] as const

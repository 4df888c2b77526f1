import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** TOTP, passkeys, identities at providers, and what is under way with them. */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  const { text, rowId } = dialect

  await db.schema
    .createTable('totp')
    .addColumn('user_id', text, (column) =>
      column.primaryKey().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('secret', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull().check(sql`state in ('pending', 'active')`))
    .addColumn('created_at', text, (column) => column.notNull())
    .execute()
  // Of codes that signed somebody in; disabling needs none, because it takes the secret away.
  await db.schema
    .createTable('totp_used_step')
    .addColumn('user_id', text, (column) => column.notNull().references('totp.user_id').onDelete('cascade'))
    .addColumn('step', rowId, (column) => column.notNull())
    .addPrimaryKeyConstraint('totp_used_step_key', ['user_id', 'step'])
    .execute()
  await db.schema.createIndex('totp_used_step_age').on('totp_used_step').column('step').execute()

  await db.schema
    .createTable('passkey')
    .addColumn('credential_id', text, (column) => column.primaryKey())
    .addColumn('user_id', text, (column) =>
      column.notNull().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('public_key', text, (column) => column.notNull())
    .addColumn('counter', rowId, (column) => column.notNull())
    .addColumn('transports', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('passkey_user').on('passkey').columns(['user_id', 'created_at']).execute()
  await db.schema
    .createTable('webauthn_challenge')
    .addColumn('challenge', text, (column) => column.primaryKey())
    .addColumn('purpose', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.references('account.user_id').onDelete('cascade'))
    .addColumn('expires_at', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('webauthn_challenge_user').on('webauthn_challenge').column('user_id').execute()
  await db.schema
    .createIndex('webauthn_challenge_expiry')
    .on('webauthn_challenge')
    .column('expires_at')
    .execute()

  await db.schema
    .createTable('identity')
    .addColumn('provider', text, (column) => column.notNull())
    .addColumn('issuer', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) =>
      column.notNull().references('account.user_id').onDelete('cascade'),
    )
    .addColumn('created_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_key', ['provider', 'issuer', 'subject'])
    .execute()
  await db.schema.createIndex('identity_user').on('identity').column('user_id').execute()
  await db.schema
    .createTable('oauth_flow')
    .addColumn('state_hash', text, (column) => column.primaryKey())
    .addColumn('provider', text, (column) => column.notNull())
    .addColumn('browser_hash', text, (column) => column.notNull())
    .addColumn('nonce', text, (column) => column.notNull())
    .addColumn('code_verifier', text, (column) => column.notNull())
    .addColumn('token_hash', text)
    .addColumn('expires_at', text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('oauth_flow_expiry').on('oauth_flow').column('expires_at').execute()

  await db.schema
    .createTable('server_secret')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', text, (column) => column.notNull())
    .execute()
}

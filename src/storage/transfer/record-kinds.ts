import type { Tables } from '#src/sql/tables.ts'

/** What a column of a record holds; JSON columns are text here too, so that nothing on the way changes them. */
export type ColumnType = 'integer' | 'text' | 'text or null' | 'number or null'

/** One kind of record in an export: the rows of one table. */
export interface RecordKind {
  readonly name: RecordName
  readonly columns: Readonly<Record<string, ColumnType>>
  /** The columns that tell its records apart; they are in this order. */
  readonly key: readonly [string, ...string[]]
  /** Moved only where accounts are asked for. */
  readonly withAccounts: boolean
  /** What older files do not have yet, and what stands for it. */
  readonly added: Readonly<Record<string, string | number | null>>
  /** Row ids are given out by the database, which has to go on after the newest. */
  readonly counted: boolean
  /** Made from other records where the file is of an older version than this one of the format. */
  readonly derivedBefore: number
}

const DERIVED = 'made again from the records'
const MOMENT = 'of the moment'
const OF_APPS = 'apps ask again'
const OF_WATCHES = 'who watches says so again (decision 140)'
/** The tables that no export has, and why. */
export const LEFT_OUT = {
  item_text: DERIVED,
  text_folding: DERIVED,
  text_size: DERIVED,
  leaving_item: DERIVED,
  waiting_text: DERIVED,
  word_pending: DERIVED,
  word_item: DERIVED,
  word_part: DERIVED,
  word_part_data: DERIVED,
  word_block: DERIVED,
  field_value: DERIVED,
  audit_seal: DERIVED,
  security_log_horizon: DERIVED,
  audit_draft: 'an export waits until the log is whole',
  waiting_view: 'its rows are records of the kind view',
  view_filter: 'from which streams and notifications go on',
  watch: OF_WATCHES,
  watch_cursor: OF_WATCHES,
  notification: OF_WATCHES,
  session: MOMENT,
  unknown_sign_ins: MOMENT,
  login_failure: MOMENT,
  reset_link: MOMENT,
  webauthn_challenge: MOMENT,
  oauth_flow: MOMENT,
  kept_answer: MOMENT,
  file_url: MOMENT,
  import: MOMENT,
  import_change: MOMENT,
  import_row: MOMENT,
  file_hold: 'what open proposals keep is read from them; imports are of the moment',
  app_client: OF_APPS,
  app: OF_APPS,
  app_record: OF_APPS,
  import_state: 'of the base itself',
  webhook_lease: 'of the base itself',
  backup_state: 'of the base itself',
} as const satisfies Partial<Record<keyof Tables, string>>

/** The columns of their tables that records do not have, and why. */
export const LEFT_OUT_COLUMNS: Partial<Record<RecordName, Readonly<Record<string, string>>>> = {
  tag: { folded_name: DERIVED, folded_description: DERIVED },
}

export type RecordName = Exclude<keyof Tables, keyof typeof LEFT_OUT>

type Traits = Partial<Pick<RecordKind, 'withAccounts' | 'counted' | 'added' | 'derivedBefore'>>

const kind = (
  name: RecordName,
  columns: RecordKind['columns'],
  key: RecordKind['key'],
  { withAccounts = false, counted = false, added = {}, derivedBefore = 1 }: Traits = {},
): RecordKind => ({ name, columns, key, withAccounts, counted, added, derivedBefore })

const [INTEGER, TEXT, TEXT_OR_NULL, NUMBER_OR_NULL] = [
  'integer',
  'text',
  'text or null',
  'number or null',
] as const
const COUNTED = { counted: true }
const WITH_ACCOUNTS = { withAccounts: true }
const COUNTED_WITH_ACCOUNTS = { ...COUNTED, ...WITH_ACCOUNTS }

/** In the order in which they can be inserted (decision 120). docs/reference/export-format.md describes them. */
export const RECORD_KINDS: readonly RecordKind[] = [
  kind(
    'tag',
    {
      id: INTEGER,
      tag_id: TEXT,
      name: TEXT,
      description: TEXT_OR_NULL,
      fields: TEXT,
      schema_version: INTEGER,
      created_at: TEXT,
      updated_at: TEXT,
      deleted_at: TEXT_OR_NULL,
      look: TEXT_OR_NULL,
    },
    ['id'],
    { ...COUNTED, added: { look: null } },
  ),
  kind('tag_base', { tag: INTEGER, base: INTEGER, position: INTEGER }, ['tag', 'base']),
  kind('field', { id: INTEGER, tag: INTEGER, name: TEXT, kind: TEXT }, ['id'], COUNTED),
  kind(
    'item',
    {
      id: INTEGER,
      item_id: TEXT,
      name: TEXT,
      description: TEXT_OR_NULL,
      created_at: TEXT,
      updated_at: TEXT,
      deleted_at: TEXT_OR_NULL,
    },
    ['id'],
    COUNTED,
  ),
  kind('purged_item', { id: INTEGER, item_id: TEXT }, ['id']),
  kind('item_tag', { item: INTEGER, tag: INTEGER, schema_version: INTEGER, field_values: TEXT }, [
    'item',
    'tag',
  ]),
  kind(
    'account',
    {
      id: INTEGER,
      user_id: TEXT,
      email: TEXT,
      email_key: TEXT,
      display_name: TEXT_OR_NULL,
      password_hash: TEXT_OR_NULL,
      email_proven_at: TEXT_OR_NULL,
      created_at: TEXT,
      role: TEXT,
      disabled_at: TEXT_OR_NULL,
      last_used_at: TEXT_OR_NULL,
      preferences: TEXT_OR_NULL,
      email_changed_at: TEXT_OR_NULL,
      password_unproven_at: TEXT_OR_NULL,
      role_provider: TEXT_OR_NULL,
    },
    ['id'],
    {
      ...COUNTED_WITH_ACCOUNTS,
      added: {
        role: 'editor',
        disabled_at: null,
        last_used_at: null,
        preferences: null,
        email_changed_at: null,
        password_unproven_at: null,
        role_provider: null,
      },
    },
  ),
  kind('deleted_account', { id: INTEGER, user_id: TEXT, deleted_at: TEXT }, ['id'], COUNTED_WITH_ACCOUNTS),
  kind(
    'api_key',
    {
      id: INTEGER,
      key_id: TEXT,
      user_id: TEXT,
      name: TEXT,
      scope: TEXT,
      prefix: TEXT,
      key_hash: TEXT,
      created_at: TEXT,
      expires_at: TEXT_OR_NULL,
      last_used_at: TEXT_OR_NULL,
      proposes: INTEGER,
      limited_to: TEXT_OR_NULL,
    },
    ['id'],
    // Null is no limit: what stands for one that is missing, ExportReader says.
    { ...COUNTED_WITH_ACCOUNTS, added: { proposes: 0 } },
  ),
  kind(
    'invitation',
    {
      id: INTEGER,
      invitation_id: TEXT,
      token_hash: TEXT,
      role: TEXT,
      email: TEXT_OR_NULL,
      created_by: TEXT_OR_NULL,
      created_at: TEXT,
      expires_at: TEXT,
      used_at: TEXT_OR_NULL,
      used_by: TEXT_OR_NULL,
    },
    ['id'],
    COUNTED_WITH_ACCOUNTS,
  ),
  kind('server_secret', { name: TEXT, value: TEXT }, ['name'], WITH_ACCOUNTS),
  kind(
    'totp',
    { user_id: TEXT, secret: TEXT, state: TEXT, created_at: TEXT, unproven_at: TEXT_OR_NULL },
    ['user_id'],
    { ...WITH_ACCOUNTS, added: { unproven_at: null } },
  ),
  kind('recovery_code', { user_id: TEXT, code_hash: TEXT }, ['user_id', 'code_hash'], WITH_ACCOUNTS),
  kind('totp_used_step', { user_id: TEXT, step: INTEGER }, ['user_id', 'step'], WITH_ACCOUNTS),
  kind(
    'passkey',
    {
      credential_id: TEXT,
      user_id: TEXT,
      name: TEXT,
      public_key: TEXT,
      counter: INTEGER,
      transports: TEXT,
      created_at: TEXT,
      unproven_at: TEXT_OR_NULL,
    },
    ['credential_id'],
    { ...WITH_ACCOUNTS, added: { unproven_at: null } },
  ),
  kind(
    'identity',
    { provider: TEXT, issuer: TEXT, subject: TEXT, user_id: TEXT, created_at: TEXT },
    ['provider', 'issuer', 'subject'],
    WITH_ACCOUNTS,
  ),
  kind(
    'view',
    {
      id: INTEGER,
      view_id: TEXT,
      user_id: TEXT,
      owner_email: TEXT,
      name: TEXT,
      icon: TEXT,
      filter: TEXT,
      view_type: TEXT,
      settings: TEXT,
      created_at: TEXT,
      updated_at: TEXT,
      shared: INTEGER,
      position: NUMBER_OR_NULL,
    },
    ['id'],
    { ...COUNTED, added: { shared: 0, position: null } },
  ),
  kind(
    'chat',
    {
      id: INTEGER,
      chat_id: TEXT,
      user_id: TEXT,
      title: TEXT,
      awaits_title: INTEGER,
      created_at: TEXT,
      updated_at: TEXT,
    },
    ['id'],
    COUNTED_WITH_ACCOUNTS,
  ),
  kind(
    'chat_message',
    {
      id: INTEGER,
      message_id: TEXT,
      chat: INTEGER,
      role: TEXT,
      content: TEXT,
      tool_calls: TEXT_OR_NULL,
      transcript: TEXT_OR_NULL,
      parts: TEXT_OR_NULL,
      created_at: TEXT,
    },
    ['id'],
    { ...COUNTED_WITH_ACCOUNTS, added: { parts: null } },
  ),
  kind(
    'security_event',
    {
      id: INTEGER,
      event_id: TEXT,
      event_type: TEXT,
      user_id: TEXT_OR_NULL,
      actor_id: TEXT_OR_NULL,
      address: TEXT_OR_NULL,
      user_agent: TEXT_OR_NULL,
      client: TEXT_OR_NULL,
      details: TEXT,
      created_at: TEXT,
      previous: TEXT_OR_NULL,
      hash: TEXT_OR_NULL,
    },
    ['id'],
    { ...COUNTED_WITH_ACCOUNTS, added: { previous: null, hash: null } },
  ),
  kind(
    'webhook',
    {
      id: INTEGER,
      webhook_id: TEXT,
      url: TEXT,
      event_types: TEXT_OR_NULL,
      tag_ids: TEXT_OR_NULL,
      filter: TEXT_OR_NULL,
      description: TEXT_OR_NULL,
      secret: TEXT,
      secret_id: TEXT,
      enabled: INTEGER,
      disabled_at: TEXT_OR_NULL,
      disabled_reason: TEXT_OR_NULL,
      created_by: TEXT_OR_NULL,
      created_at: TEXT,
      updated_at: TEXT,
      position: TEXT,
      suspended_at: TEXT_OR_NULL,
    },
    ['id'],
    { ...COUNTED_WITH_ACCOUNTS, added: { suspended_at: null } },
  ),
  kind(
    'webhook_delivery',
    {
      id: INTEGER,
      delivery_id: TEXT,
      webhook: INTEGER,
      event_id: TEXT_OR_NULL,
      lane: TEXT,
      status: TEXT,
      attempts: INTEGER,
      failures: INTEGER,
      response_status: NUMBER_OR_NULL,
      error: TEXT_OR_NULL,
      created_at: TEXT,
      last_attempt_at: TEXT_OR_NULL,
      next_attempt_at: TEXT_OR_NULL,
    },
    ['id'],
    COUNTED_WITH_ACCOUNTS,
  ),
  kind(
    'change',
    {
      change_id: TEXT,
      last_event: TEXT,
      operation: TEXT_OR_NULL,
      summary: TEXT_OR_NULL,
      user_id: TEXT_OR_NULL,
      source: TEXT,
      client: TEXT_OR_NULL,
      client_id: TEXT_OR_NULL,
      counts: TEXT,
      undoes: TEXT_OR_NULL,
      undone_by: TEXT_OR_NULL,
      summary_salt: TEXT_OR_NULL,
      summary_hash: TEXT_OR_NULL,
      hash: TEXT_OR_NULL,
      proposed_by: TEXT_OR_NULL,
    },
    ['change_id'],
    { derivedBefore: 2, added: { summary_salt: null, summary_hash: null, hash: null, proposed_by: null } },
  ),
  kind(
    'proposal',
    {
      id: INTEGER,
      proposal_id: TEXT,
      state: TEXT,
      summary: TEXT,
      message: TEXT_OR_NULL,
      user_id: TEXT,
      source: TEXT,
      client: TEXT_OR_NULL,
      client_id: TEXT_OR_NULL,
      counts: TEXT,
      changed_count: INTEGER,
      after_event: TEXT,
      made: TEXT,
      created_at: TEXT,
      touched_at: TEXT,
      version: INTEGER,
      decided_by: TEXT_OR_NULL,
      decided_at: TEXT_OR_NULL,
      reason: TEXT_OR_NULL,
      change_ids: TEXT,
    },
    ['id'],
    COUNTED,
  ),
  kind(
    'proposal_part',
    {
      proposal: INTEGER,
      position: INTEGER,
      item_id: TEXT_OR_NULL,
      tag_id: TEXT_OR_NULL,
      accepted: INTEGER,
      kept: TEXT,
    },
    ['proposal', 'position'],
  ),
  kind(
    'audit_event',
    {
      id: INTEGER,
      event_id: TEXT,
      event_type: TEXT,
      entity_type: TEXT,
      item_id: TEXT_OR_NULL,
      tag_id: TEXT_OR_NULL,
      user_id: TEXT_OR_NULL,
      source: TEXT,
      details: TEXT,
      created_at: TEXT,
      change_id: TEXT_OR_NULL,
      client: TEXT_OR_NULL,
      state: TEXT_OR_NULL,
      details_salt: TEXT_OR_NULL,
      details_hash: TEXT_OR_NULL,
      hash: TEXT_OR_NULL,
      redacted: INTEGER,
    },
    ['id'],
    {
      ...COUNTED,
      added: {
        change_id: null,
        client: null,
        state: null,
        details_salt: null,
        details_hash: null,
        hash: null,
        redacted: 0,
      },
    },
  ),
  kind(
    'file_content',
    { id: INTEGER, blob: TEXT, size: INTEGER, sha256: TEXT, dropped_at: TEXT_OR_NULL },
    ['id'],
    COUNTED,
  ),
  kind(
    'file',
    {
      id: INTEGER,
      file_id: TEXT,
      content: NUMBER_OR_NULL,
      user_id: TEXT_OR_NULL,
      name: TEXT,
      type: TEXT,
      size: INTEGER,
      created_at: TEXT,
      shared: INTEGER,
      unused_since: TEXT_OR_NULL,
      removed_at: TEXT_OR_NULL,
    },
    ['id'],
    COUNTED,
  ),
  kind('file_use', { file: INTEGER, item_id: TEXT }, ['file', 'item_id']),
]

/** The kinds that an export has. */
export const kindsOf = ({ accounts }: { accounts: boolean }): readonly RecordKind[] =>
  RECORD_KINDS.filter(({ withAccounts }) => accounts || !withAccounts)

import type { Generated } from 'kysely'
import type { Role } from '#src/domain/caller.ts'

/** The pseudo-field under which an item's tags are in `field_value`. */
export const HAS_TAG = 0

/**
 * The tables of both engines as Kysely sees them. Row ids (`id`, `item`, `tag`, `field`) are integers in creation
 * order and never reused; ULIDs are in the rows. JSON is kept as text, exactly as it was given.
 */
export interface Tables {
  item: ItemTable
  purged_item: { id: number; item_id: string }
  item_text: ItemTextTable
  /** One row at most: of the items after `done`, up to `last`, what `item_text` has may be folded as older versions did. */
  text_folding: { done: number; last: number }
  /** Deleted items whose index rows and folded texts are still there, unseen; `whole`: as a restoration would make them. */
  leaving_item: { id: number; whole: number }
  /**
   * Items whose texts the trigram index has still to be given, with what it has of them until
   * then (`forgetTexts` of the dialect), null where it has nothing. `waits` of `item_text` is 1 as long.
   */
  waiting_text: { id: number; name: string | null; description: string | null }
  /** A view: bytes of `item_text`, of leaving items too. */
  text_size: { id: number; size: number }
  /** Items whose words the word index is still to take in, in the order of their changes. */
  word_pending: { seq: Generated<number>; item: number }
  /** The document (part × 32,768 + its place) that an item has in the word index; of a deleted one, that it had. */
  word_item: { item: number; document: number }
  /** The parts of the word index: how many documents each has, and how many of them are what their items were before. */
  word_part: { part: number; documents: number; gone: number; version: number; cleared: string | null }
  /** By kind: what is known of the documents of a part, and which of them are gone. */
  word_part_data: { part: number; kind: number; data: Uint8Array }
  /** In which documents of a part a word occurs, and how often. */
  word_block: { part: number; word: string; data: Uint8Array }
  item_tag: ItemTagTable
  tag: TagTable
  tag_base: { tag: number; base: number; position: number }
  field: FieldTable
  field_value: FieldValueTable
  audit_event: AuditEventTable
  audit_draft: AuditDraftTable
  account: AccountTable
  deleted_account: { id: Generated<number>; user_id: string; deleted_at: string }
  session: SessionTable
  api_key: ApiKeyTable
  invitation: InvitationTable
  reset_link: ResetLinkTable
  recovery_code: { user_id: string; code_hash: string }
  security_event: SecurityEventTable
  /** One row: events from before that moment may be swept; the hashes of the newest event that was, and of the newest of all. */
  security_log_horizon: { id: number; before: string; swept: Generated<string>; head: Generated<string> }
  /** Sign-ins to unknown addresses since then that have no row of their own in the log. */
  unknown_sign_ins: { id: number; since: string; failed: number }
  login_failure: LoginFailureTable
  totp: TotpTable
  totp_used_step: { user_id: string; step: number }
  passkey: PasskeyTable
  webauthn_challenge: WebauthnChallengeTable
  identity: IdentityTable
  oauth_flow: OauthFlowTable
  app_client: AppClientTable
  app: AppTable
  app_record: AppRecordTable
  server_secret: { name: string; value: string }
  change: ChangeTable
  proposal: ProposalTable
  proposal_part: ProposalPartTable
  /** One row: the hash of the last event whose `state` nothing vouches for. */
  audit_seal: { after: string }
  view: ViewTable
  waiting_view: WaitingViewTable
  view_filter: ViewFilterTable
  watch: WatchTable
  /** One row at most: up to where in the log watched views are looked at. */
  watch_cursor: { id: number; position: string }
  notification: NotificationTable
  chat: ChatTable
  chat_message: ChatMessageTable
  kept_answer: StoredAnswerTable
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  /** One row at most: the process that delivers, and a text that it changes as long as it lives. */
  webhook_lease: { id: number; holder: string; beat: string }
  import: ImportTable
  /** The changes of an import, oldest first; `undoes`: those that took it back. */
  import_change: { import: number; seq: number; change_id: string; undoes: Generated<number> }
  /** The items of rows that other rows refer to, or that are still to get references: by the number of the row. */
  import_row: { import: number; n: number; item_id: string }
  import_state: { lines: number; sha256: string }
  /** One row at most: the newest copy that the service has made, and what failed since, as JSON text. */
  backup_state: { id: number; made: string | null; failed: string | null }
  file_content: FileContentTable
  file: FileTable
  /** Items whose values, description or events have had a file; the item itself may be deleted, never purged. */
  file_use: { file: number; item_id: string }
  /** What else keeps a file (`import:<id>`, `proposal:<id>`), and whether everybody who reads the base sees it by that. */
  file_hold: { file: number; holder: string; shared: number }
  file_url: FileUrlTable
}

/** Bytes, kept once for all files that have them. */
export interface FileContentTable {
  id: Generated<number>
  /** What the store calls them: a ULID, never used again. */
  blob: string
  size: number
  /** Hex. */
  sha256: string
  /** No file has them any more: the store may remove them. */
  dropped_at: string | null
}

/** What somebody uploaded. */
export interface FileTable {
  id: Generated<number>
  file_id: string
  /** Row id; null once it is removed. */
  content: number | null
  user_id: string | null
  /** Empty where what had it was purged or redacted. */
  name: string
  type: string
  size: number
  created_at: string
  /** 1: something that everybody reads refers to it, or has. */
  shared: number
  /** Nothing refers to it since then; null: something does. */
  unused_since: string | null
  /** It was, and is no more: 410. */
  removed_at: string | null
}

/** A URL by which its bearer sends or fetches one file, as who asked for it. */
export interface FileUrlTable {
  token_hash: string
  user_id: string
  purpose: 'upload' | 'download' | 'export'
  /** Of an export there is no such file. */
  file_id: string
  name: string
  /** JSON text: who asked, by what means. */
  caller: string
  /** JSON text: what is exported. */
  asked: string | null
  expires_at: string
  used_at: string | null
}

/** An import of a file (further §15); what is JSON here is described in `storage/imports/imports.ts`. */
export interface ImportTable {
  id: Generated<number>
  import_id: string
  /** Null: an operator's, at the command line. */
  user_id: string | null
  file_id: string | null
  file_name: string
  format: string
  /** JSON text: as whom it writes. */
  caller: string
  created_at: string
  expires_at: string
  state: string
  /** What is to be done with it; null: nothing. */
  job: string | null
  /** JSON text: how far that has come. */
  place: string
  look: string | null
  mapping: string | null
  plan: string | null
  report: string | null
  outcome: string | null
  error: string | null
  /** Not written any more: the changes say whether it is undone. */
  undone: Generated<number>
}

export interface ItemTable {
  id: Generated<number>
  item_id: string
  name: string
  description: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** What `search` looks at: name and readable description of live items, folded; `id` is the item's row id. */
export interface ItemTextTable {
  id: number
  name: string
  description: string | null
  waits: number | null
}

/** A tag applied to an item; also kept while the item is deleted. */
export interface ItemTagTable {
  item: number
  tag: number
  schema_version: number
  field_values: string
}

export interface TagTable {
  id: Generated<number>
  tag_id: string
  name: string
  description: string | null
  /** The field map as JSON text, as it was given. */
  fields: string
  schema_version: number
  folded_name: string
  folded_description: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
  /** Sign and hue as JSON text, as they were given. */
  look: string | null
}

/**
 * A small integer for (tag, field name). `kind` is the field type by which its rows in `field_value` are made.
 * A row outlives the field in the schema, so that its number is found again when the field comes back.
 */
export interface FieldTable {
  id: Generated<number>
  tag: number
  name: string
  kind: string
}

/**
 * One row for each value of a live item (for a MultiSelect or MultiReference one for each element, none for null). `val` by
 * kind: String, Date, DateTime, Select, MultiSelect → text; Number → number; Boolean → 0 or 1; references → row id of the
 * target. `field` 0 is has_tag, its `val` the tag's row id. The dialect owns how `val` is typed.
 */
export interface FieldValueTable {
  field: number
  val: string | number | Uint8Array
  item: number
}

export interface AuditEventTable {
  id: Generated<number>
  event_id: string
  event_type: string
  entity_type: string
  item_id: string | null
  tag_id: string | null
  user_id: string | null
  source: string
  details: string
  created_at: string
  /** Null on events that are older than changes: each is a change of its own, whose id is the event's. */
  change_id: string | null
  /** JSON text of a CallerClient. */
  client: string | null
  /** JSON text of an EventState: what undo and the past need besides `details`. */
  state: string | null
  /** Hex; null where the event is redacted. */
  details_salt: string | null
  details_hash: string
  /** Chains the event to the one before (additions §6). */
  hash: string
  /** 1: `details` and `details_salt` have been emptied. */
  redacted: Generated<number>
}

/** Events that are recorded and still to be entered into the log. */
export interface AuditDraftTable {
  id: Generated<number>
  last_event: string
  count: number
  user_id: string | null
  source: string
  client: string | null
  change_id: string
  /** JSON text: a list of what is recorded of an event, in the order of `NumberedEvent`, its state first. */
  events: string
}

/** One row for each call that recorded events: those from `change_id` up to `last_event`, nobody else's between. */
export interface ChangeTable {
  change_id: string
  last_event: string
  /** Null where only the event is known. */
  operation: string | null
  summary: string | null
  user_id: string | null
  source: string
  /** JSON text of a CallerClient. */
  client: string | null
  client_id: string | null
  /** JSON text: number of events by type. */
  counts: string
  /** JSON text: ids of the changes that this one took back. */
  undoes: string | null
  /** The change that took this one back, while that one is in force. */
  undone_by: string | null
  /** Hex; null where the sentence is erased, or the change older than its chain. */
  summary_salt: string | null
  /** Null on changes that are older than their chain, as `hash`. */
  summary_hash: string | null
  /** Chains the change to the one before (decision 47). */
  hash: string | null
  /** JSON text: the account and client that proposed it; null: nobody did. */
  proposed_by: string | null
}

/** A change that somebody proposes (further §16). */
export interface ProposalTable {
  id: Generated<number>
  proposal_id: string
  state: 'open' | 'accepted' | 'refused' | 'withdrawn'
  summary: string
  message: string | null
  user_id: string
  source: string
  /** JSON text of a CallerClient, of an app with `program`, its client_id. */
  client: string | null
  client_id: string | null
  /** JSON text: number of events by type. */
  counts: string
  /** Items and tags that it would change. */
  changed_count: number
  /** The newest event when it was made; empty: there was none. */
  after_event: string
  /** JSON text: the ids of what acceptance has made, by their placeholders. */
  made: string
  created_at: string
  /** When it was made, or a part of it accepted. */
  touched_at: string
  /** Grows with each decision. */
  version: number
  decided_by: string | null
  decided_at: string | null
  reason: string | null
  /** JSON text: a list, oldest first. */
  change_ids: string
}

/** What a proposal would do to one item or tag. */
export interface ProposalPartTable {
  /** Row id. */
  proposal: number
  position: number
  /** One of the two; where it would make it, a placeholder. */
  item_id: string | null
  tag_id: string | null
  accepted: number
  /** JSON text of a KeptPart; empty where it was redacted. */
  kept: string
}

export interface AccountTable {
  id: Generated<number>
  user_id: string
  email: string
  /** The address in lower case: what makes two addresses the same. */
  email_key: string
  display_name: string | null
  password_hash: string | null
  /** When a provider first vouched that the address belongs to anyone who signs in; null: never. */
  email_proven_at: string | null
  created_at: string
  role: Generated<Role>
  /** A disabled account cannot sign in; null: it can. */
  disabled_at: string | null
  /** To the minute. */
  last_used_at: string | null
  /** JSON text; null: none were ever set. */
  preferences: string | null
  /** When the address was changed to one that nobody has proven since; null: it was not. */
  email_changed_at: string | null
  /** When a session that had not proved itself set the password; null: one that had, or somebody has signed in with it since. */
  password_unproven_at: string | null
  /** The provider that says the role at each sign-in, and whose sessions end after a day; null: none does. */
  role_provider: string | null
}

/** A key for programs. */
export interface ApiKeyTable {
  id: Generated<number>
  key_id: string
  user_id: string
  name: string
  /** The scope of one that may propose is 'read', with `proposes` 1 alongside it. */
  scope: 'read' | 'write'
  proposes: Generated<number>
  /** How it begins, by which people recognize it. */
  prefix: string
  /** SHA-256 of the key, hex. */
  key_hash: string
  created_at: string
  expires_at: string | null
  /** To the minute. */
  last_used_at: string | null
  /** JSON text of a KeptLimit; null: it sees everything. */
  limited_to: string | null
}

export interface InvitationTable {
  id: Generated<number>
  invitation_id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  role: Role
  /** For this address alone; null: for anyone who has the token. */
  email: string | null
  /** Null: the one that the start prints while there is no account. */
  created_by: string | null
  created_at: string
  expires_at: string
  used_at: string | null
  used_by: string | null
}

/** By which somebody sets a new password. */
export interface ResetLinkTable {
  user_id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  created_by: string
  expires_at: string
}

/** What happened to accounts and ways in; user ids outlive their accounts. */
export interface SecurityEventTable {
  id: Generated<number>
  event_id: string
  event_type: string
  /** Whom it concerns. */
  user_id: string | null
  /** Who did it. */
  actor_id: string | null
  address: string | null
  user_agent: string | null
  /** JSON text. */
  client: string | null
  /** JSON text. */
  details: string
  created_at: string
  /** The hash of the event before; null, as its own, of events that are older than the chain. */
  previous: string | null
  hash: string | null
}

export interface SessionTable {
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string
  user_id: string
  /** `partial`: the password was right, the second factor is still to come. */
  state: 'partial' | 'full'
  /** Wrong codes of the second factor so far. */
  wrong_codes: Generated<number>
  created_at: string
  /** Moved at most once a minute, and so that the session never ends early. */
  expires_at: string
  session_id: string | null
  /** Of the browser that signed in. */
  user_agent: string | null
  address: string | null
  /** When it last proved who it is. */
  proven_at: string | null
}

export interface LoginFailureTable {
  id: Generated<number>
  /** Account and address (IPv6: its /64) that failed together. */
  key: string
  failed_at: string
}

/** A filter that a view had, with ids in place of names, and the newest event when it got another one. */
export interface ViewFilterTable {
  id: Generated<number>
  view_id: string
  filter: string
  until_event: string
}

/** Of which of a view's happenings an account is notified. */
export interface WatchTable {
  user_id: string
  view_id: string
  enters: number
  changes: number
  leaves: number
  /** The newest event when it began: nothing up to there is reported. */
  since: string
  /** The view's filter, as the names were where the log is looked at next. */
  filter: string
}

/** What an account is notified of. */
export interface NotificationTable {
  id: Generated<number>
  notification_id: string
  user_id: string
  kind: 'enter' | 'change' | 'leave' | 'proposal' | 'proposal_decided' | 'import_done' | 'webhook_disabled'
  /** The view, proposal, import or webhook. */
  about: string
  item_id: string | null
  change_id: string | null
  /** Whose doing it was; null: the service's, or the time's. */
  done_by: string | null
  /** Of how many items, in place of one. */
  count: number | null
  created_at: string
  is_read: Generated<number>
}

export interface ViewTable {
  id: Generated<number>
  view_id: string
  user_id: string
  name: string
  icon: string
  /** JSON text, tag names resolved to ids. */
  filter: string
  view_type: string
  /** JSON text. */
  settings: string
  created_at: string
  updated_at: string
  /** 1: others may read it. */
  shared: number
  position: number | null
}

/** A view that was imported without its owner; `id` is the one that it gets when somebody is given it. */
export interface WaitingViewTable extends Omit<ViewTable, 'id'> {
  id: number
  /** As `email_key` of an account. */
  owner_email: string
}

export interface ChatTable {
  id: Generated<number>
  chat_id: string
  user_id: string
  title: string
  /** 1: the first completed answer gives the chat its title. */
  awaits_title: number
  created_at: string
  updated_at: string
}

export interface ChatMessageTable {
  id: Generated<number>
  message_id: string
  chat: number
  role: 'user' | 'assistant'
  content: string
  /** JSON text: an array of `{name, arguments}`; null for none. */
  tool_calls: string | null
  /** JSON text: the steps of an answer as the model made them, for the turns that follow. */
  transcript: string | null
  /** JSON text: what an answer is made of, in order; null for messages of users and older answers. */
  parts: string | null
  created_at: string
}

export interface TotpTable {
  user_id: string
  /** Base32. */
  secret: string
  state: 'pending' | 'active'
  created_at: string
  /** As `password_unproven_at` of an account. */
  unproven_at: string | null
}

export interface PasskeyTable {
  /** Base64url, as the authenticator made it. */
  credential_id: string
  user_id: string
  name: string
  /** COSE key, base64url. */
  public_key: string
  counter: number
  /** JSON array. */
  transports: string
  created_at: string
  /** As `password_unproven_at` of an account. */
  unproven_at: string | null
}

export interface WebauthnChallengeTable {
  challenge: string
  /** `discovery`: of whatever passkey the browser offers. */
  purpose: 'registration' | 'unproven registration' | 'authentication' | 'discovery'
  /** Null: made for an address without a passkey, so that nobody learns whether there is one. */
  user_id: string | null
  expires_at: string
}

/** An account at an identity provider, keyed by what the provider never changes. */
export interface IdentityTable {
  provider: string
  issuer: string
  subject: string
  user_id: string
  created_at: string
}

/** A sign-in that has left for a provider. */
export interface OauthFlowTable {
  /** SHA-256 of `state`, hex. */
  state_hash: string
  provider: string
  /** SHA-256 of the browser's own cookie, hex: the one who comes back must be the one who left. */
  browser_hash: string
  nonce: string
  code_verifier: string
  /** The session to whose account the provider is to be linked. */
  token_hash: string | null
  expires_at: string
}

/** What was answered to a request with an Idempotency-Key; `answer` is JSON text. */
export interface StoredAnswerTable {
  user_id: string
  key: string
  request_hash: string
  answer: string
  expires_at: string
}

/** An address that events are sent to. */
export interface WebhookTable {
  id: Generated<number>
  webhook_id: string
  url: string
  /** JSON text: a list; null: of every type. */
  event_types: string | null
  /** JSON text: a list of ids; null: whatever the tag. */
  tag_ids: string | null
  /** JSON text, tag names resolved to ids; null: of every item. */
  filter: string | null
  description: string | null
  /** Sealed. */
  secret: string
  /** What the secret is bound to. */
  secret_id: string
  enabled: number
  disabled_at: string | null
  /** Why the service disabled it; null: an owner did. */
  disabled_reason: string | null
  created_by: string | null
  created_at: string
  updated_at: string
  /** The last event that it was asked of; what follows is still to be looked at. */
  position: string
  /** When whoever made it lost the right to it; null: it has an owner. */
  suspended_at: string | null
}

/** An event that is, or was, to be sent to a webhook; its content stays in the log. */
export interface WebhookDeliveryTable {
  id: Generated<number>
  delivery_id: string
  /** Row id. */
  webhook: number
  /** Null: a test. */
  event_id: string | null
  /** The item, else the tag, within which events go one after the other. */
  lane: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** Failed attempts since its schedule began. */
  failures: number
  response_status: number | null
  error: string | null
  created_at: string
  last_attempt_at: string | null
  /** Null of a pending one: an earlier one of its lane comes first. */
  next_attempt_at: string | null
}

/** A program that registered itself, so that it can ask people for access. */
export interface AppClientTable {
  id: Generated<number>
  client_id: string
  /** JSON text (RFC 7591). */
  metadata: string
  /** Where it registered from; null: an operator made it. */
  address: string | null
  created_at: string
}

/** What somebody let a program do for them. */
export interface AppTable {
  id: Generated<number>
  app_id: string
  user_id: string
  client_id: string
  name: string
  client_uri: string | null
  /** The scope of one that may propose is 'read', with `proposes` 1 alongside it. */
  scope: 'read' | 'write'
  proposes: Generated<number>
  /** JSON text: the grant of the authorization server. */
  consent: string | null
  /** JSON text of a KeptLimit; null: it sees everything. */
  limited_to: string | null
  created_at: string
  last_used_at: string | null
}

/** What the authorization server keeps for a while: codes, tokens, requests that wait for a consent. */
export interface AppRecordTable {
  kind: string
  /** SHA-256 of the id, which is the token itself. */
  id_hash: string
  app_id: string | null
  /** JSON text, without the id. */
  payload: string
  /** Of a refresh token: how many came before it. */
  rotation: number | null
  consumed_at: string | null
  expires_at: string
  /** Of a request that waits for a consent: where it came from. */
  address: string | null
}

import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import { BEGINNING } from '#src/sql/long-text.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Any number that nothing else in the database locks by: `facet` in ASCII. */
const SCHEMA_LOCK = 0x6661636574

/** What a text of some kilobytes costs that lies apart from its row, in calls of an operator. */
const TEXT_COST = 1000

const text = sql`text collate "C"`

export const postgresSchema: SchemaDialect = {
  isMissingTable: (error) => error instanceof pg.DatabaseError && error.code === '42P01', // undefined_table
  async lockSchema(db) {
    // What another process has made meanwhile is to be seen, whatever isolation the database has by default.
    await sql`set transaction isolation level read committed`.execute(db)
    await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(db)
  },
  rowId: 'bigint',
  autoIncrement: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  clustered: sql``,
  text,
  bytes: sql`bytea`,
  async createNameIndex(db) {
    // A whole name can be longer than an index entry may be.
    await sql`create index item_name on item (left(name, ${sql.lit(BEGINNING)}), id) where deleted_at is null`.execute(
      db,
    )
  },
  async createEngineTables(db) {
    // A row for each write transaction: what a lost COMMIT is looked up by, and by its number how far a replica has
    // come. Write transactions follow one another, so the numbers are in the order of the commits.
    await sql`create table write_batch (id ${text} primary key, number bigint not null generated always as identity, at timestamptz not null default now())`.execute(
      db,
    )
    await sql`create unique index write_batch_number on write_batch (number)`.execute(db)
    await sql`create table user_write (user_id ${text} primary key, number bigint not null)`.execute(db)
    await createTagVersion(db)
    await createRelayTables(db)
  },
  async createFieldValueTable(db) {
    await sql`create table field_value (field bigint not null, num float8, text ${text}, ref bigint, long ${text}, item bigint not null)`.execute(
      db,
    )
    await sql`create index field_value_item on field_value (item, field) include (num, text, ref)`.execute(db)
    await sql`create index field_value_field on field_value (field, item)`.execute(db)
    for (const column of ['num', 'text', 'ref'])
      await sql`create index ${sql.raw(`field_value_${column}`)} on field_value (field, ${sql.ref(column)}, item) where ${sql.ref(column)} is not null`.execute(
        db,
      )
  },
  holdsOneOf: (text, ranges) =>
    sql`${text} ~ ${sql.lit(`[${ranges.map((each) => each.join('-')).join('')}]`)}`,
  async createLiveViews() {}, // what is deleted leaves the indexes at once
  async createItemTextTable(db) {
    await sql`create table item_text (id bigint primary key, name ${text} not null, description ${text})`.execute(
      db,
    )
    await createTrigramIndex(db)
  },
  async letTextsWait(db) {
    await sql`create trigger count_change after insert or update or delete or truncate on waiting_text
      for each statement execute function count_tag_change()`.execute(db)
    const { rows } = await sql<{
      there: boolean
    }>`select to_regclass('item_trigram') is not null as there`.execute(db)
    if (!rows[0]!.there) return
    await sql`drop index item_trigram`.execute(db)
    await sql`create index item_trigram on item_text using gin (name gin_trgm_ops, description gin_trgm_ops) where waits is null`.execute(
      db,
    )
  },
  async priceTexts(db) {
    // In a language that is not put in line, where its cost would be lost.
    await sql`create function costs_a_text(id bigint) returns boolean language plpgsql stable parallel safe
      cost ${sql.lit(TEXT_COST)} as $$ begin return true; end $$`.execute(db)
  },
  async createSearchTextIndex(db) {
    await sql`create index item_text_name on item_text (left(name, ${sql.lit(BEGINNING)}), id)`.execute(db)
  },
  async createRankIndex(db) {
    // A name can be longer than an entry may be, and of an expression PostgreSQL reads nothing from the index.
    await sql`create index item_rank on item (length(name), updated_at desc, id desc) where deleted_at is null`.execute(
      db,
    )
  },
  async makeAppendOnly(db, table, _unique, horizon) {
    await sql`create or replace function refuse_change() returns trigger language plpgsql as
      $$ begin raise exception '% is append-only', tg_table_name; end $$`.execute(db)
    const refused = sql.raw(horizon ? 'update or truncate' : 'update or delete or truncate')
    await sql`create trigger append_only before ${refused} on ${sql.table(table)}
      for each statement execute function refuse_change()`.execute(db)
    if (!horizon) return
    const refuse = sql.id(`refuse_young_${table}`)
    await sql`create function ${refuse}() returns trigger language plpgsql as
      $$ begin
        if old.created_at >= (select ${sql.ref(horizon.column)} from ${sql.table(horizon.table)}) then
          raise exception '% is append-only', tg_table_name;
        end if;
        return old;
      end $$`.execute(db)
    await sql`create trigger append_only_young before delete on ${sql.table(table)}
      for each row execute function ${refuse}()`.execute(db)
  },
  async keepUncompressed(db, table, column) {
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set storage external`.execute(
      db,
    )
  },
  async letUpdatesThrough(db, table, condition) {
    for (const trigger of ['append_only', 'append_only_update'])
      await sql`drop trigger if exists ${sql.raw(trigger)} on ${sql.table(table)}`.execute(db)
    await sql`create trigger append_only before delete or truncate on ${sql.table(table)}
      for each statement execute function refuse_change()`.execute(db)
    const refuse = sql.id(`refuse_update_${table}`)
    await sql`create or replace function ${refuse}() returns trigger language plpgsql as
      $$ begin
        if not coalesce(${condition}, false) then raise exception '% is append-only', tg_table_name; end if;
        return new;
      end $$`.execute(db)
    await sql`create trigger append_only_update before update on ${sql.table(table)}
      for each row execute function ${refuse}()`.execute(db)
  },
  async isAppendOnly(db, table, lets) {
    const more = { sweep: 'append_only_young', update: 'append_only_update' }
    const names = lets ? ['append_only', more[lets]] : ['append_only']
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_trigger
      where tgrelid = ${table}::regclass and tgname in (${sql.join(names)}) and tgenabled in ('O', 'A')`.execute(
      db,
    )
    return rows[0]!.n === names.length
  },
}

/** A number that moves with every change of a tag, so that what was read of tags can be kept between calls. */
async function createTagVersion(db: Kysely<Tables>): Promise<void> {
  await sql`create table tag_version (version bigint not null)`.execute(db)
  await sql`insert into tag_version values (1)`.execute(db)
  await sql`create function count_tag_change() returns trigger language plpgsql as
    $$ begin update tag_version set version = version + 1; return null; end $$`.execute(db)
  for (const table of ['tag', 'tag_base', 'field'])
    await sql`create trigger count_change after insert or update or delete or truncate on ${sql.table(table)}
      for each statement execute function count_tag_change()`.execute(db)
}

/** What processes say to each other: NOTIFY carries the ids of messages. */
async function createRelayTables(db: Kysely<Tables>): Promise<void> {
  await sql`create table process (process_id ${text} primary key, seen_at timestamptz not null default now())`.execute(
    db,
  )
  await sql`create table event_stream (stream_id ${text} primary key, token_hash ${text} not null,
    process_id ${text} not null references process on delete cascade)`.execute(db)
  await sql`create index event_stream_token on event_stream (token_hash)`.execute(db)
  await sql`create index event_stream_process on event_stream (process_id)`.execute(db)
  await sql`create table relay_message (id bigint primary key generated always as identity, sender ${text} not null,
    topic ${text} not null, body ${text} not null, at timestamptz not null default now())`.execute(db)
  await sql`create index relay_message_at on relay_message (at)`.execute(db)
}

/** Without the right to create the extension, substring searches read the whole of `item_text`. */
async function createTrigramIndex(db: Kysely<Tables>): Promise<void> {
  await sql`do $$ begin
    create extension if not exists pg_trgm;
    create index item_trigram on item_text using gin (name gin_trgm_ops, description gin_trgm_ops);
  exception when insufficient_privilege or feature_not_supported or undefined_file then
    raise warning 'pg_trgm is not there: substring search will read every text';
  end $$`.execute(db)
}

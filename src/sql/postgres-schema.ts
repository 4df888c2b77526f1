import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import { BEGINNING } from '#src/sql/long-text.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Any number that nothing else in the database locks by: `facet` in ASCII. */
const SCHEMA_LOCK = 0x6661636574

const text = sql`text collate "C"`

export const postgresSchema: SchemaDialect = {
  async lockSchema(db) {
    await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(db)
  },
  rowId: 'bigint',
  autoIncrement: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  clustered: sql``,
  text,
  async createNameIndex(db) {
    // A whole name can be longer than an index entry may be.
    await sql`create index item_name on item (left(name, ${sql.lit(BEGINNING)}), id) where deleted_at is null`.execute(
      db,
    )
  },
  async createEngineTables(db) {
    // A row for each write transaction: what a lost COMMIT is looked up by.
    await sql`create table write_batch (id ${text} primary key, at timestamptz not null default now())`.execute(
      db,
    )
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
  async createItemTextTable(db) {
    await sql`create table item_text (id bigint primary key, name ${text} not null, description ${text})`.execute(
      db,
    )
    await createTrigramIndex(db)
  },
  async makeAppendOnly(db, table) {
    await sql`create or replace function refuse_change() returns trigger language plpgsql as
      $$ begin raise exception '% is append-only', tg_table_name; end $$`.execute(db)
    await sql`create trigger append_only before update or delete or truncate on ${sql.table(table)}
      for each statement execute function refuse_change()`.execute(db)
  },
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

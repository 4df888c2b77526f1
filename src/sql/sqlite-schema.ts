import Database from 'better-sqlite3'
import { sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'

export const sqliteSchema: SchemaDialect = {
  isMissingTable: (error) =>
    error instanceof Database.SqliteError && error.message.startsWith('no such table'),
  async lockSchema() {}, // the executor's transactions are exclusive from their beginning
  rowId: 'integer',
  // AUTOINCREMENT: the row id of a purged row must never come back.
  autoIncrement: (column) => column.primaryKey().autoIncrement(),
  clustered: sql`without rowid`,
  text: sql`text`,
  bytes: sql`blob`,
  async createEngineTables() {},
  async createNameIndex(db) {
    await sql`create index item_name on item (name, id) where deleted_at is null`.execute(db)
  },
  async createFieldValueTable(db) {
    await sql`create table field_value (field integer not null, val not null, item integer not null, primary key (field, val, item)) without rowid`.execute(
      db,
    )
    await sql`create index field_value_item on field_value (item, field)`.execute(db) // covering: carries val
  },
  async createItemTextTable(db) {
    await sql`create table item_text (id integer primary key, name text not null, description text)`.execute(
      db,
    )
    // The text is folded already, so the tokenizer must not fold it its own way.
    await sql`create virtual table item_trigram using fts5(name, description, content = 'item_text', content_rowid = 'id', tokenize = 'trigram case_sensitive 1')`.execute(
      db,
    )
    await sql`create trigger item_text_insert after insert on item_text begin
      insert into item_trigram (rowid, name, description) values (new.id, new.name, new.description); end`.execute(
      db,
    )
    await sql`create trigger item_text_delete after delete on item_text begin
      insert into item_trigram (item_trigram, rowid, name, description) values ('delete', old.id, old.name, old.description); end`.execute(
      db,
    )
    await sql`create trigger item_text_update after update on item_text begin
      insert into item_trigram (item_trigram, rowid, name, description) values ('delete', old.id, old.name, old.description);
      insert into item_trigram (rowid, name, description) values (new.id, new.name, new.description); end`.execute(
      db,
    )
  },
  async letTextsWait(db) {
    for (const change of ['insert', 'delete', 'update'])
      await sql`drop trigger ${sql.raw(`item_text_${change}`)}`.execute(db)
    // What the index has of a text that waits is in waiting_text, and is taken out by it.
    const has = sql`old.waits is null and not exists (select 1 from waiting_text w where w.id = old.id)`
    const enter = sql`insert into item_trigram (rowid, name, description) select new.id, new.name, new.description where new.waits is null`
    const forget = sql`insert into item_trigram (item_trigram, rowid, name, description) select 'delete', old.id, old.name, old.description where ${has}`
    await sql`create trigger item_text_insert after insert on item_text begin ${enter}; end`.execute(db)
    await sql`create trigger item_text_delete after delete on item_text begin ${forget}; end`.execute(db)
    await sql`create trigger item_text_update after update on item_text begin ${forget}; ${enter}; end`.execute(
      db,
    )
  },
  async priceTexts() {}, // a text is looked up where the statement says
  async createSearchTextIndex(db) {
    await sql`create index item_text_name on item_text (name)`.execute(db)
  },
  async createRankIndex(db) {
    await sql`create index item_rank on item (length(name), updated_at desc, id desc, name) where deleted_at is null`.execute(
      db,
    )
  },
  holdsOneOf: (text, ranges) =>
    sql`${text} glob ${sql.lit(`*[${ranges.map((each) => each.join('-')).join('')}]*`)}`,
  async createLiveViews(db) {
    const stays = (id: string) => sql`not exists (select 1 from leaving_item l where l.id = ${sql.raw(id)})`
    await sql`create view live_value as select v.field, v.val, v.item from field_value v where ${stays('v.item')}`.execute(
      db,
    )
    await sql`create view live_text as select t.id, t.name, t.description from item_text t where ${stays('t.id')}`.execute(
      db,
    )
    await sql`create view live_trigram as select f.rowid as rowid, f.item_trigram as item_trigram from item_trigram f where ${stays('f.rowid')}`.execute(
      db,
    )
  },
  async makeAppendOnly(db, table, unique, horizon) {
    const young =
      horizon &&
      sql`when old.created_at >= (select ${sql.ref(horizon.column)} from ${sql.table(horizon.table)}) `
    for (const change of ['update', 'delete'])
      await sql`create trigger ${sql.raw(`${table}_no_${change}`)} before ${sql.raw(change)} on ${sql.table(table)}
        ${(change === 'delete' && young) || sql``}begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`.execute(
        db,
      )
    // INSERT OR REPLACE deletes without asking the triggers.
    const taken = unique.map(
      (column) =>
        sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${sql.ref(`new.${column}`)})`,
    )
    await sql`create trigger ${sql.raw(`${table}_no_replace`)} before insert on ${sql.table(table)}
      when ${sql.join(taken, sql` or `)}
      begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`.execute(db)
  },
  async keepUncompressed() {}, // it compresses nothing
  async letUpdatesThrough(db, table, condition) {
    const trigger = sql.raw(`${table}_no_update`)
    await sql`drop trigger ${trigger}`.execute(db)
    await sql`create trigger ${trigger} before update on ${sql.table(table)}
      when not coalesce(${condition}, false)
      begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`.execute(db)
  },
  async isAppendOnly(db, table) {
    const names = ['update', 'delete', 'replace'].map((change) => `${table}_no_${change}`)
    const { rows } = await sql<{ n: number }>`select count(*) as n from sqlite_schema where type = 'trigger'
      and tbl_name = ${table} and name in (${sql.join(names)}) and sql like '%raise(abort,%'`.execute(db)
    return rows[0]!.n === names.length
  },
}

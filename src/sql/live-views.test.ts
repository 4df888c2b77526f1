import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { FIELD_VALUE, ITEM_TEXT, ITEM_TRIGRAM, readsViews, recompiled } from '#src/sql/live-views.ts'
import { query } from '#src/sql/query.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'

const { builder } = sqliteDialect
const live = builder.withPlugin(readsViews)

describe('what is read while items are leaving', () => {
  it('is read from the views by a statement that is built', () => {
    const entries = query((p: { field: number }, db) =>
      db
        .selectFrom('field_value as v')
        .innerJoin('item_text', 'item_text.id', 'v.item')
        .select(['v.item', 'item_text.name'])
        .where('v.field', '=', p.field),
    )
    expect(entries.for(sqliteDialect, live)).toEqual({
      sql: entries
        .for(sqliteDialect)
        .sql.replaceAll('field_value', 'live_value')
        .replaceAll('item_text', 'live_text'),
      parameters: entries.for(sqliteDialect).parameters,
    })
  })

  it('is read from the views by a statement that is written as text, and by what is put into it', () => {
    const within = sql`select t.id from ${ITEM_TEXT} t where t.name = ${'a'}`
    const all =
      sql`select v.item from ${FIELD_VALUE} v where v.field = ${1} and v.item in (${within})`.compile(builder)
    const { sql: text, parameters } = recompiled(all, live)
    expect(text).toBe(
      'select v.item from live_value v where v.field = +? and v.item in (select t.id from live_text t where t.name = +?)',
    )
    expect(parameters).toEqual([1, 'a'])
  })

  it('is matched by the column of the view that has the name of the table', () => {
    const rows = sql`select rowid as item from ${ITEM_TRIGRAM} where item_trigram match ${'a'}`.compile(
      builder,
    )
    expect(recompiled(rows, live).sql).toBe(
      'select rowid as item from live_trigram where item_trigram match +?',
    )
  })

  it('is all there for a statement that changes one of the tables', () => {
    const changes = [
      builder
        .deleteFrom('field_value')
        .where('item', '=', 1)
        .where((e) => e.exists(builder.selectFrom('item_text'))),
      builder.updateTable('item_text').set({ name: 'a' }).where('id', '=', 1),
      builder
        .insertInto('item_text')
        .columns(['id', 'name'])
        .expression(builder.selectFrom('item_text').select(['id', 'name'])),
    ]
    for (const change of changes) expect(recompiled(change.compile(), live).sql).toBe(change.compile().sql)
  })

  it('is left alone where the text alone is known', () => {
    const text = { sql: 'select * from field_value', parameters: [] }
    expect(recompiled(text, live)).toBe(text)
  })

  it('is named by a node wherever it is written as text, so that no table stays in the place of its view', () => {
    const folder = fileURLToPath(new URL('../', import.meta.url))
    const readers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.ts') &&
        !/\.test\.ts$|^storage\/migrations\/|^sql\/(?:postgres-|sqlite-schema)/.test(name),
    )
    const named = readers.filter((name) =>
      /`[^`]*\b(?:from|join) (?:field_value|item_text|item_trigram)\b/.test(
        readFileSync(folder + name, 'utf8'),
      ),
    )
    expect(readers.length).toBeGreaterThan(500)
    expect(named).toEqual([])
  })
})

import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Service } from '#test/support/service.ts'

const TABLES = [
  'item',
  'purged_item',
  'item_text',
  'item_tag',
  'tag',
  'tag_base',
  'field',
  'field_value',
  'audit_event',
] as const

/** Every row of the knowledge base as it stands in the file, to be compared before and after a call. */
export function dumpTables({ folder }: Pick<Service, 'folder'>): Record<string, unknown[]> {
  const db = new Database(join(folder, 'facet.db'), { readonly: true })
  try {
    return Object.fromEntries(TABLES.map((table) => [table, db.prepare(`select * from ${table}`).all()]))
  } finally {
    db.close()
  }
}

/**
 * What is derived from items and tags, made anew from them by the definition: one row of `field_value` for each value
 * of a live item, one for each tag, and its folded text. As counts by field, so that it says where it differs.
 */
export function countIndexRows({ folder }: Pick<Service, 'folder'>): Record<string, number> {
  const db = new Database(join(folder, 'facet.db'), { readonly: true })
  try {
    const count = (sql: string) => db.prepare(sql).pluck().get() as number
    return {
      liveItems: count('select count(*) from item where deleted_at is null'),
      texts: count('select count(*) from item_text'),
      trigrams: count('select count(*) from item_trigram_docsize'),
      tagsOnLiveItems: count(
        'select count(*) from item_tag join item on item.id = item where deleted_at is null',
      ),
      hasTag: count('select count(*) from field_value where field = 0'),
      valuesOfDeleted: count(
        'select count(*) from field_value where item not in (select id from item where deleted_at is null)',
      ),
    }
  } finally {
    db.close()
  }
}

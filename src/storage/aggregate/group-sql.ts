import { type RawBuilder, sql } from 'kysely'
import { exactKind, valueKind } from '#src/filter/sql/value-kind.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Db } from '#src/sql/query.ts'
import { andSeen } from '#src/storage/sight/seen-items.ts'
import { knownTags } from '#src/storage/sight/sight.ts'
import { HAS_TAG } from '#src/sql/tables.ts'
import { isMulti, type ValuePath } from '#src/filter/meaning/value-path.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import { type GroupKey, widestOf, widthAsWhole } from '#src/storage/aggregate/group-key.ts'
import { DAY_LENGTH, LOCAL_LENGTH } from '#src/storage/aggregate/time-bucket.ts'

type Sql = RawBuilder<unknown>

/** `select item` of row ids; undefined: all live items. */
export type ItemRows = RawBuilder<{ item: number }> | undefined

const LIVE = sql<{ item: number }>`select i.id as item from item i where i.deleted_at is null`
/** The part of a time that its bucket goes by. */
function timePart(time: Sql, inZone: boolean): Sql {
  const { since, after, before } = LOCAL_LENGTH
  return inZone
    ? sql`substr(${time}, 1, case when ${time} < ${sql.lit(since)} then ${sql.lit(before)} else ${sql.lit(after)} end)`
    : sql`substr(${time}, 1, ${sql.lit(DAY_LENGTH)})`
}

/** What of a key's value is grouped in the database; the rest is done to the groups. */
export interface KeyRows {
  /**
   * `select item, key`: each key of an item once, items without one left out. Where they are `joined`, those that
   * repeat themselves may do so: SQLite makes an index for rows that it joins, but not for those of a DISTINCT, and
   * would go through all of them for each item.
   */
  readonly rows: (items: ItemRows, joined?: boolean) => Sql
  readonly repeats?: boolean
  /** `select key`: those of an item whose row id is given; `also` has to be true besides. */
  readonly ofItem: (item: Sql, also?: readonly Sql[]) => Sql
  /** Whether that is one at most. */
  readonly single: boolean
}

export function keyRows({ source, form }: GroupKey, inZone: boolean, db: Db): KeyRows {
  if (source.kind === 'has_tag') {
    const { filter, integers } = db.dialect
    const tag = filter.value('v', 'row_id')
    const tags = knownTags(db)
    const known = tags === undefined ? sql`` : sql` and ${tag} in ${integers(tags)}`
    return {
      rows: (items) =>
        sql`select v.item as item, ${tag} as key from ${FIELD_VALUE} v where v.field = ${HAS_TAG}${known}${within('v.item', items)}`,
      ofItem: (item) =>
        sql`select ${tag} as key from ${FIELD_VALUE} v where v.item = ${item} and v.field = ${HAS_TAG}${known}`,
      single: false,
    }
  }
  if (source.kind === 'time') {
    const time = (row: string) => timePart(sql.raw(`${row}.${source.column}`), inZone)
    return {
      rows: (items) =>
        sql`select i.id as item, ${time('i')} as key from item i where i.deleted_at is null${within('i.id', items)}`,
      ofItem: (item) => sql`select ${time('o')} as key from item o where o.id = ${item}`,
      single: true,
    }
  }
  if (source.kind === 'first')
    return firstRows(source.paths.map((path) => valueRows(path, (value) => value, db)))
  const shape = (value: Sql): Sql => {
    if (form.as === 'width') return lowerBound(value, form.width)
    if (form.as !== 'bucket') return value
    return timePart(value, inZone)
  }
  return valueRows(source, shape, db)
}

/**
 * Of a value's range. The quotient is rounded: where the width has decimals, the bounds beside it are looked at. Of the
 * two ranges at zero none is made: the quotient of a value next to it is less than a double can be, which PostgreSQL refuses.
 */
function lowerBound(value: Sql, width: number): Sql {
  const { whole, per } = widthAsWhole(width)
  const range = sql`(case when abs(${value}) >= ${sql.lit(width)} then floor(${value} * 1.0 / ${sql.lit(width)}) when ${value} < 0 then -1.0 else 0.0 end)`
  const start = (n: Sql) => sql`(${n} * ${sql.lit(whole)} / ${sql.lit(per)})`
  const [before, here, next] = [start(sql`(${range} - 1)`), start(range), start(sql`(${range} + 1)`)]
  const bound =
    per === 1
      ? sql`${range} * ${sql.lit(whole)}`
      : sql`case when ${next} <= ${value} then ${next} when ${here} > ${value} then ${before} else ${here} end`
  return sql`case when abs(${value}) <= ${sql.lit(widestOf(width))} then ${bound} else ${value} end`
}

const within = (column: string, items: ItemRows): Sql =>
  items ? sql` and ${sql.raw(column)} in (select m.item from m)` : sql``

/** The values at a path, `shape` made of each. */
export function valueRows(path: ValuePath, shape: (value: Sql) => Sql, db: Db): KeyRows {
  const { select, from, conditions, first } = chain(path, shape, db)
  const multi = isMulti(path)
  // An item has each value of its own field once.
  const repeats = multi && !(path.kind === 'field' && !path.hops.length)
  return {
    repeats,
    rows: (items, joined = false) => {
      const rows = sql`${first} as item, ${select} as key from ${from} where ${sql.join(conditions, sql` and `)}`
      // Where each item is looked up, what is joined to them needs no condition on them.
      if (joined && (!repeats || !items)) return sql`select ${rows}`
      const some = items ? sql`${rows} and ${first} in (select m.item from m)` : rows
      // The limit keeps the rows together: they are found once, then joined.
      return joined
        ? sql`select ${some} limit ${sql.lit(Number.MAX_SAFE_INTEGER)}`
        : sql`select ${repeats ? sql`distinct ` : sql``}${some}`
    },
    ofItem: (item, also = []) =>
      sql`select ${select} as key from ${from} where ${sql.join([sql`${first} = ${item}`, ...conditions, ...also], sql` and `)}`,
    single: !multi,
  }
}

/** Of each item the keys of the first that has some. */
function firstRows(paths: readonly KeyRows[]): KeyRows {
  const none = (before: number, item: Sql) =>
    paths.slice(0, before).map(({ ofItem }) => sql`not exists (${ofItem(item)})`)
  return {
    repeats: paths.some(({ repeats }) => repeats),
    rows: (items) =>
      sql.join(
        paths.map(({ rows }, i) => {
          const where = i ? sql` where ${sql.join(none(i, sql`f.item`), sql` and `)}` : sql``
          return sql`select f.item as item, f.key as key from (${rows(items)}) f${where}`
        }),
        sql` union all `,
      ),
    ofItem: (item) =>
      sql.join(
        paths.map(({ ofItem }, i) => ofItem(item, none(i, item))),
        sql` union all `,
      ),
    single: paths.every(({ single }) => single),
  }
}

/** The joins from an item to the values at a path. */
function chain(path: ValuePath, shape: (value: Sql) => Sql, db: Db) {
  const { dialect } = db
  const { filter } = dialect
  const fields = path.kind === 'field' ? [...path.hops, path.field] : path.hops
  const tables: Sql[] = fields.map((_, i) => sql`${FIELD_VALUE} ${sql.raw(`v${i}`)}`)
  const conditions: Sql[] = fields.flatMap((field, i) => [
    sql`${sql.raw(`v${i}`)}.field = ${i > 0 ? filter.anyField(field.id) : field.id}`,
    ...(i > 0
      ? [sql`${sql.raw(`v${i}`)}.item = ${reached(i - 1, dialect)}${andSeen(db, sql.raw(`v${i}.item`))}`]
      : []),
  ])
  let select: Sql
  if (path.kind === 'name') {
    tables.push(sql`item n`)
    conditions.push(sql`n.deleted_at is null`)
    if (fields.length)
      conditions.push(sql`n.id = ${reached(fields.length - 1, dialect)}${andSeen(db, sql`n.id`)}`)
    select = filter.name('n', 'full_text')
  } else {
    const row = `v${fields.length - 1}`
    const kind = valueKind(path.field.type)
    conditions.push(filter.inRange(filter.withoutIndex(filter.value(row, kind), kind), kind, {}))
    select = filter.value(row, exactKind(path.field, filter))
  }
  return {
    select: shape(select),
    from: sql.join(tables, sql` cross join `),
    conditions,
    first: fields.length ? sql.raw('v0.item') : sql.raw('n.id'),
  }
}

const reached = (i: number, { filter }: Dialect): Sql =>
  filter.withoutIndex(filter.value(`v${i}`, 'row_id'), 'row_id')

/**
 * A statement over the items: one row for each item and combination of its keys, as `r` with k0, k1, … and `x`. Over all
 * items the values drive, in the order of items, so that what is looked up lies side by side (the limit keeps the
 * order). `r` is made once, or each mention of a column would look it up.
 */
export function withGroups(
  { filter }: Dialect,
  items: ItemRows,
  keys: readonly KeyRows[],
  value?: KeyRows,
): Sql {
  const byValue = !items && value !== undefined
  const columns: Sql[] = []
  const joins: Sql[] = []
  let repeats = false
  for (const [i, each] of [...keys, ...(value && !byValue ? [value] : [])].entries()) {
    const name = sql.raw(i < keys.length ? `k${i}` : 'x')
    if (each.single) columns.push(sql`(${each.ofItem(sql`m.item`)}) as ${name}`)
    else {
      joins.push(
        filter.joinOf(`j${i}`, sql`m.item`, { rows: () => each.rows(items, true), ofItem: each.ofItem }),
      )
      columns.push(sql`${sql.raw(`j${i}`)}.key as ${name}`)
      repeats ||= each.repeats ?? false
    }
  }
  if (byValue) columns.push(sql`m.key as x`)
  const list = columns.length ? sql`, ${sql.join(columns)}` : sql``
  const join = joins.length ? sql.join(joins, sql``) : sql``
  const goesOn = filter.goesOn(sql`m.item`, 1)
  const combined = sql`select m.item as item${list} from m${join}${goesOn ? sql` where ${goesOn}` : sql``}`
  // Not `select distinct` at once, for which SQLite makes no index of what it joins either.
  const r = repeats
    ? sql`c as materialized (${combined}), r as materialized (select distinct * from c)`
    : sql`r as materialized (${combined})`
  if (byValue)
    return sql`with m as materialized (select v.item as item, v.key as key from (${value.rows(undefined)}) v order by v.item limit ${sql.lit(Number.MAX_SAFE_INTEGER)}), ${r}`
  return sql`with m as materialized (${items ?? LIVE}), ${r}`
}

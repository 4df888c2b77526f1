import { type Static, Type } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { Together } from '#src/domain/together.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { ItemFilter } from '#src/operations/schemas/inputs.ts'
import { Ulid } from '#src/operations/schemas/answers.ts'
import { NarrowingView } from '#src/operations/views/view-schemas.ts'
import {
  AsOf,
  type AskedBase,
  planAt,
  planned,
  readFilterAt,
  withBaseAt,
} from '#src/operations/items/base-at.ts'
import type { Db } from '#src/sql/query.ts'
import { aggregatePast } from '#src/storage/past/aggregate-past.ts'
import type { Group } from '#src/storage/aggregate/groups.ts'
import { type Aggregate, aggregate, idsOfGroups } from '#src/storage/aggregate/aggregate.ts'
import { deletedKeys, deletedOnPaths } from '#src/domain/deleted-met.ts'
import { deletedOnPathsOf, type PartOfBase } from '#src/storage/aggregate/deleted-on-paths.ts'
import type { ValuePath } from '#src/filter/meaning/value-path.ts'
import { bindGroupKey, type GroupKey, pathsOfKey } from '#src/storage/aggregate/group-key.ts'
import { type AnsweredKey, keyWords } from '#src/storage/aggregate/key-words.ts'
import { bindMetric, FUNCTIONS, type Metric } from '#src/storage/aggregate/metric.ts'
import { type GroupOrder, sortGroups } from '#src/storage/aggregate/sort-groups.ts'
import { BUCKETS } from '#src/storage/aggregate/time-bucket.ts'
import { Reply } from '#src/domain/reply.ts'

const MAX_KEYS = 3
/** Of which an item's first is taken. */
const MAX_PATHS = 20
const MAX_METRICS = 10
const MAX_GROUPS = 1000
/** Five hops between names of 200 characters each. */
const MAX_PATH = 2500
/** Keys of an order: the count, the key, and metrics. */
const MAX_SORT = 4
const LARGEST_FIRST: readonly GroupOrder[] = [{ by: 'count', descending: true }]
const closed = { additionalProperties: false } as const

const Path = (description: string) => Type.String({ minLength: 1, maxLength: MAX_PATH, description })

const GroupBy = Type.Union(
  [
    Type.String({
      minLength: 1,
      maxLength: MAX_PATH,
      description: '<Tag>.<field>, <Tag>.<reference>-><Tag>.<field> or ->name, name, or has_tag',
      inTools: 'Tag.field, Tag.reference->…, name or has_tag',
    }),
    Type.Object(
      {
        by: Type.String({
          minLength: 1,
          maxLength: MAX_PATH,
          description:
            'A Date or DateTime field, created_at or updated_at (bucket); a Number (width); a String (fold)',
          inTools: 'A date (bucket), a Number (width) or a String (fold)',
        }),
        bucket: Type.Optional(
          Type.Unsafe<(typeof BUCKETS)[number]>({
            enum: [...BUCKETS],
            description: 'Calendar period',
            inTools: '',
          }),
        ),
        width: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            description: 'Ranges of a Number so wide; the key is the lower bound',
            inTools: 'The key is the lower bound',
          }),
        ),
        fold: Type.Optional(
          Type.Boolean({
            description:
              'Case, accents, blanks and punctuation do not count; the key is the commonest spelling. Finds duplicates',
            inTools: 'Spellings count as one: finds duplicates',
          }),
        ),
      },
      closed,
    ),
    Type.Object(
      {
        first: Type.Array(Type.String({ minLength: 1, maxLength: MAX_PATH }), {
          minItems: 1,
          maxItems: MAX_PATHS,
          description: 'Paths of one kind: of each item the first where it has a value',
          inTools: 'Of each item the first with a value',
        }),
      },
      closed,
    ),
  ],
  { description: 'A field to group by, or how its values are put together', inTools: '' },
)

/** Five alike: a tool says it once. */
const Metric = Type.String({ minLength: 1, maxLength: MAX_PATH, description: '<Tag>.<field>', inTools: '' })

const MetricInput = Type.Object(
  {
    count: Type.Optional(Type.Boolean()),
    ...Object.fromEntries(FUNCTIONS.map((name) => [name, Type.Optional(Metric)])),
  } as Record<'count', ReturnType<typeof Type.Optional<ReturnType<typeof Type.Boolean>>>> &
    Record<(typeof FUNCTIONS)[number], ReturnType<typeof Type.Optional<ReturnType<typeof Path>>>>,
  {
    ...closed,
    description: 'Exactly one of them, of "<Tag>.<field>"',
    inTools: 'One of them, of a Tag.field',
  },
)

const input = Type.Object(
  {
    filter: Type.Optional(ItemFilter),
    view_id: Type.Optional(NarrowingView),
    as_of: AsOf,
    group_by: Type.Optional(
      Type.Array(GroupBy, { maxItems: MAX_KEYS, description: 'Without it all items are one group' }),
    ),
    metrics: Type.Optional(
      Type.Array(MetricInput, {
        maxItems: MAX_METRICS,
        description: 'Worked out for each group',
        inTools: '',
      }),
    ),
    sort: Type.Optional(
      Type.Array(
        Type.Object(
          {
            by: Type.Union(
              [
                Type.Literal('key'),
                Type.Literal('count'),
                Type.Integer({ minimum: 0, maximum: MAX_METRICS - 1 }),
              ],
              {
                description: 'key, count, or the index of a metric. What has no value comes last',
                inTools: 'Or the index of a metric',
              },
            ),
            direction: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
          },
          closed,
        ),
        {
          maxItems: MAX_SORT,
          description: 'Default: largest count first. Direction: asc, for count and metrics desc',
          inTools: 'Default: largest first; asc by key, desc else',
        },
      ),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_GROUPS,
        description: 'At most this many groups',
        inTools: 'Groups',
      }),
    ),
    min_count: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Only groups of at least this many items',
        inTools: 'Items of a group',
      }),
    ),
    ids: Type.Optional(
      Type.Boolean({
        description: 'Also up to 100 item ids of each group, oldest first',
        inTools: 'Also up to 100 of each',
      }),
    ),
    time_zone: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'In which moments have their day, e.g. Europe/Vienna',
        inTools: 'IANA name',
      }),
    ),
  },
  closed,
)

const Key = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
  Type.Object({ item_id: Ulid, name: Type.Union([Type.String(), Type.Null()]) }),
  Type.Object({ tag_id: Ulid, name: Type.String() }),
])

export const aggregateItems = defineOperation({
  name: 'aggregateItems',
  summary: 'Count items by group, and work out sums, averages, least, greatest and distinct values.',
  description:
    'A key is the value: of a Select the variant’s name, of a reference {item_id, name}, null for no value and for one kept from another type of the field (`outdated` is true of it). An item with several values (MultiSelect, MultiReference) counts in each.',
  tool_description:
    'A key is a variant’s name, {item_id, name} of a reference, null for no value; several values count each.',
  access: 'user',
  in_part: true,
  effect: 'read',
  rest: 'POST /api/items/aggregate',
  tool: 'aggregate_items',
  input,
  output: Type.Object({
    groups: Type.Array(
      Type.Object({
        key: Type.Array(Key),
        count: Type.Integer({ minimum: 0 }),
        metrics: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])),
        ids: Type.Optional(Type.Array(Ulid)),
      }),
    ),
    total_items: Type.Integer({ minimum: 0, description: 'Items that satisfy the filter' }),
    total_groups: Type.Integer({ minimum: 0 }),
    truncated: Type.Boolean({ description: 'There are more groups than limit' }),
  }),
  errors: ['NotFound'],
  example: {
    input: {
      filter: { has_tag: 'Task' },
      group_by: ['Task.status', { by: 'Task.due', bucket: 'month' }],
      metrics: [{ sum: 'Task.estimate' }],
      limit: 20,
    },
  },
  run: (context, given) => withBaseAt(context, given.as_of, (asked) => aggregateAt(asked, given)),
})

type Given = Static<typeof input>

async function aggregateAt(asked: AskedBase, given: Given): Promise<Reply> {
  const { context, catalog, past } = asked
  const { db } = context
  const parts = new Together()
  const read = await parts.read(() => readFilterAt(asked, given.filter, given.view_id))
  const groups = await parts.read(() => bind(given, catalog))
  parts.done()
  const said = await planned(asked, read)
  const plan = planAt(asked, said.plan)
  const { order, ...bound } = groups!
  const wanted = { plan, ...bound }
  const warnings = [...asked.warnings, ...(read?.warnings ?? []), ...said.warnings]
  const paths = [...bound.keys.flatMap(pathsOfKey), ...bound.metrics.flatMap(pathsOfMetric)]
  const told = async (found: Aggregate, from: Db, idsOf: IdsOf, parts: readonly PartOfBase[]) => {
    const { deleted, beyond, ...answer } = await answerOf(given, {
      found,
      order,
      keys: bound.keys,
      db: from,
      idsOf,
    })
    const met = await deletedOnPathsOf(parts, paths)
    const all = [...warnings, ...beyond, ...deletedKeys(deleted), ...deletedOnPaths(met.size)]
    return Reply.of(answer, all.length ? { warnings: all } : undefined)
  }
  if (past) return aggregatePast(db, past, wanted, (found) => told(found, past.db, found.idsOf, found.parts))
  const idsOf = (groups: readonly Group[]) => idsOfGroups(db, wanted, groups)
  return told(await aggregate(db, wanted), db, idsOf, [{ db, plan }])
}

const pathsOfMetric = (metric: Metric): ValuePath[] => (metric.of === 'count' ? [] : [metric.path])

type IdsOf = (groups: readonly Group[]) => Promise<Map<Group, string[]>>

interface Found {
  found: Aggregate
  order: readonly GroupOrder[]
  keys: readonly GroupKey[]
  /** Where what the keys refer to has its names. */
  db: Db
  idsOf: IdsOf
}

async function answerOf(
  given: Given,
  { found: { groups: all, total_items }, order, keys, db, idsOf }: Found,
) {
  const found = all.filter(({ count }) => count >= (given.min_count ?? 0))
  const words = await Promise.all(keys.map((key, i) => keyWords(db, key, i, found)))
  sortGroups(found, order, words)
  const shown = found.slice(0, given.limit ?? MAX_GROUPS)
  const ids = given.ids ? await idsOf(shown) : undefined
  const groups = shown.map((group) => ({
    key: group.keys.map((raw, i): AnsweredKey => words[i]!.answer(raw)),
    count: group.count,
    metrics: group.metrics.map((value) => (isBeyond(value) ? null : value)),
    ...(ids && { ids: ids.get(group)! }),
  }))
  return {
    groups,
    total_items,
    total_groups: found.length,
    truncated: shown.length < found.length,
    deleted: words.reduce((sum, each) => sum + each.deleted, 0),
    beyond: beyondNumbers(given, shown),
  }
}

/** JSON's readers know no number beyond those of doubles. */
const isBeyond = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value)

/** The warnings that sums are beyond all numbers, in groups that are shown: null there is not no value. */
const beyondNumbers = ({ metrics = [] }: Given, shown: readonly Group[]): string[] =>
  metrics.flatMap((metric, i) => {
    const groups = shown.filter((group) => isBeyond(group.metrics[i])).length
    if (!groups) return []
    const where = shown.length === 1 ? '' : `, in ${groups} of ${shown.length} groups`
    return [
      `metrics[${i}]: the sum of ${metric.sum} is beyond the largest number there is, ${Number.MAX_VALUE}${where}: null stands for it`,
    ]
  })

/** @throws BadRequest with every fault */
async function bind(given: Given, catalog: TagCatalog) {
  const problems: Problem[] = []
  const keys: GroupKey[] = []
  const metrics: Metric[] = []
  for (const [i, each] of (given.group_by ?? []).entries()) {
    const key = await bindGroupKey(each, `group_by[${i}]`, catalog)
    if ('message' in key) problems.push(key)
    else keys.push(key)
  }
  for (const [i, each] of (given.metrics ?? []).entries()) {
    const metric = await bindMetric(each, `metrics[${i}]`, catalog)
    if ('message' in metric) problems.push(metric)
    else metrics.push(metric)
  }
  const order = (given.sort ?? []).map(({ by, direction }, i): GroupOrder => {
    if (typeof by === 'number' && by >= (given.metrics ?? []).length)
      problems.push({ path: `sort[${i}].by`, message: `there is no metric ${by}; they count from 0` })
    return { by, descending: (direction ?? (by === 'key' ? 'asc' : 'desc')) === 'desc' }
  })
  if (problems.length) throw invalid(problems)
  return {
    keys,
    metrics,
    order: order.length ? order : LARGEST_FIRST,
    time_zone: canonical(catalog.time.time_zone),
  }
}

const canonical = (zone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone

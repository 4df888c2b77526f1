import type { CallerClient } from '#src/domain/caller.ts'
import type { RequestTime } from '#src/filter/language/relative-time.ts'
import { planOfLasting } from '#src/filter/meaning/lasting-filter.ts'
import { mapLeaves } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { type Db, query } from '#src/sql/query.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { lookedAtSight } from '#src/storage/sight/read-sight.ts'
import { narrowedDb, planWithin, type Sight } from '#src/storage/sight/sight.ts'
import { isAny, wordsThatCount } from '#src/storage/words/settle-any.ts'

const CACHE_KEY = 'live plans'
/** More plans are not kept on one connection, nor more characters of their filters. */
const MOST_PLANS = 2000
const MOST_TEXT = 4_000_000

/** A filter with ids in place of names. */
export interface CachedFilter {
  /** JSON text. */
  filter: string
  /** Whether it, or the limit, has relative times. */
  timely: boolean
  /** By whose limit it is looked at; undefined: by none. */
  limited?: CallerClient | undefined
}

/** What was read of tags, and the plans that were made by it, while no tag changes. */
interface Kept {
  stamp: string
  tags: ReadonlyMap<string, unknown>
  plans: Map<string, FilterPlan>
  sights: Map<string, Sight>
  text: number
}

/** Under which what is read of tags is remembered for one who sees all of them. */
const READ_OF_TAGS = ['tags', 'tag names', 'tag text fields', 'tag reference fields']
const OF_TAGS = ['tag_created', 'tag_updated', 'tag_deleted', 'tag_restored', 'tag_purged']
const newestOfTags = query((_: object, sql) =>
  sql.selectNoFrom((e) =>
    OF_TAGS.map((type) =>
      e
        .selectFrom('audit_event')
        .select('event_id')
        .where('event_type', '=', type)
        .orderBy('event_id', 'desc')
        .limit(1)
        .as(type),
    ),
  ),
)

/** Plans of filters that are looked at again and again: made once until a tag changes. */
export class Plans {
  private readonly db: Db
  private readonly kept: Kept

  private constructor(db: Db, kept: Kept) {
    this.db = db
    this.kept = kept
  }

  static async of(db: Db): Promise<Plans> {
    const stamp = Object.values((await db.get(newestOfTags, {})) ?? {}).join()
    const known = db.committed?.get(CACHE_KEY) as Kept | undefined
    if (known?.stamp !== stamp) {
      const kept: Kept = { stamp, tags: new Map(), plans: new Map(), sights: new Map(), text: 0 }
      db.committed?.set(CACHE_KEY, kept)
      return new Plans(db, kept)
    }
    // Dropped with every change of anything; of tags it is still true.
    for (const [key, value] of known.tags)
      if (value !== undefined && !db.cache.has(key)) db.cache.set(key, value)
    return new Plans(db, known)
  }

  async plan(kept: CachedFilter, time: RequestTime): Promise<FilterPlan> {
    const { plans, sights } = this.kept
    const key = keyOf(kept, time, kept.filter)
    const known = plans.get(key)
    if (known) return known
    const sight = await this.sight(kept, time)
    const plan = sight
      ? await this.seen(kept, sight, time)
      : await this.made(kept.filter, tagCatalog({ db: this.db, ...time }))
    if (plans.size >= MOST_PLANS || this.kept.text > MOST_TEXT) {
      plans.clear()
      sights.clear()
      this.kept.text = 0
    }
    plans.set(key, plan)
    this.kept.text += key.length
    return plan
  }

  /** The plan by a catalog of its own. */
  async made(filter: string, catalog: TagCatalog): Promise<FilterPlan> {
    return withWords(this.db, await planOfLasting(JSON.parse(filter), catalog))
  }

  private async seen({ filter }: CachedFilter, sight: Sight, time: RequestTime): Promise<FilterPlan> {
    const db = narrowedDb(this.db, sight)
    const catalog = tagCatalog({ db, ...time })
    const fields = await catalog.textFields()
    const plan = await withWords(db, await planOfLasting(JSON.parse(filter), catalog))
    return planWithin(sight, await mapLeaves(plan, (leaf) => (isAny(leaf) ? { ...leaf, fields } : leaf)))
  }

  /** What the one sees who follows it; undefined: everything. */
  async sight(kept: Omit<CachedFilter, 'filter'>, time: RequestTime): Promise<Sight | undefined> {
    const { limited } = kept
    if (!limited) return undefined
    const key = keyOf(kept, time, '')
    const known = this.kept.sights.get(key)
    if (known) return known
    const sight = await lookedAtSight(this.db, limited, time)
    const { filter, plan } = sight
    const whole = {
      ...sight,
      plan: await withWords(this.db, plan),
      filter: filter && (await withWords(this.db, filter)),
    }
    this.kept.sights.set(key, whole)
    return whole
  }

  /** What was read of tags is kept for the next look. */
  keep(): void {
    this.kept.tags = new Map(READ_OF_TAGS.map((key) => [key, this.db.cache.get(key)]))
  }
}

function keyOf(
  { timely, limited }: Omit<CachedFilter, 'filter'>,
  { now, time_zone }: RequestTime,
  text: string,
): string {
  const by = limited ? `${limited.kind} ${limited.id}` : ''
  return timely ? `${by} ${now.getTime()} ${time_zone} ${text}` : `${by} ${text}`
}

const withWords = (db: Db, plan: FilterPlan): Promise<FilterPlan> =>
  mapLeaves(plan, (leaf) => (isAny(leaf) ? wordsThatCount(db, leaf) : leaf))

import type { RequestTime } from '#src/filter/language/relative-time.ts'
import { planOfLasting } from '#src/filter/meaning/lasting-filter.ts'
import { mapLeaves } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { TagCatalog } from '#src/filter/meaning/tag-catalog.ts'
import { type Db, query } from '#src/sql/query.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { wordsThatCount } from '#src/storage/words/settle-any.ts'

const KEPT = 'live plans'
/** More plans are not kept on one connection, nor more characters of their filters. */
const MOST_PLANS = 2000
const MOST_TEXT = 4_000_000

/** A filter with ids in place of names. */
export interface KeptFilter {
  /** JSON text. */
  filter: string
  /** Whether it has relative times. */
  timely: boolean
}

/** What was read of tags, and the plans that were made by it, while no tag changes. */
interface Kept {
  stamp: string
  tags: ReadonlyMap<string, unknown>
  plans: Map<string, FilterPlan>
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
    const known = db.committed?.get(KEPT) as Kept | undefined
    if (known?.stamp !== stamp) {
      const kept: Kept = { stamp, tags: new Map(), plans: new Map(), text: 0 }
      db.committed?.set(KEPT, kept)
      return new Plans(db, kept)
    }
    // Dropped with every change of anything; of tags it is still true.
    for (const [key, value] of known.tags)
      if (value !== undefined && !db.cache.has(key)) db.cache.set(key, value)
    return new Plans(db, known)
  }

  async plan({ filter, timely }: KeptFilter, time: RequestTime): Promise<FilterPlan> {
    const { plans } = this.kept
    const key = timely ? `${time.now.getTime()} ${time.time_zone} ${filter}` : filter
    const known = plans.get(key)
    if (known) return known
    const plan = await this.made(filter, tagCatalog({ db: this.db, ...time }))
    if (plans.size >= MOST_PLANS || this.kept.text > MOST_TEXT) {
      plans.clear()
      this.kept.text = 0
    }
    plans.set(key, plan)
    this.kept.text += key.length
    return plan
  }

  /** The plan by a catalog of its own. */
  async made(filter: string, catalog: TagCatalog): Promise<FilterPlan> {
    const plan = await planOfLasting(JSON.parse(filter), catalog)
    return mapLeaves(plan, (leaf) => (leaf.kind === 'any' ? wordsThatCount(this.db, leaf) : leaf))
  }

  /** What was read of tags is kept for the next look. */
  keep(): void {
    this.kept.tags = new Map(READ_OF_TAGS.map((key) => [key, this.db.cache.get(key)]))
  }
}

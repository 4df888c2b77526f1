import { afterEach, describe, expect, it } from 'vitest'
import { Random } from '#bench/random.ts'
import { type CallerClient, NOBODY } from '#src/domain/caller.ts'
import type { StoredLimit } from '#src/domain/limit.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { type Transactional, withinTransaction } from '#src/engine/transaction.ts'
import { goesByTime, planOfLasting } from '#src/filter/meaning/lasting-filter.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import { type GivenLimit, keptLimit } from '#src/operations/account/kept-limit.ts'
import type { SqlContext, SqlOperation, Step } from '#src/runtime/operation.ts'
import { runSql } from '#src/runtime/sql-runner.ts'
import type { Db } from '#src/sql/query.ts'
import { insertAccount } from '#src/storage/accounts/accounts.ts'
import { insertKey } from '#src/storage/accounts/api-keys.ts'
import { newestSeen } from '#src/storage/live/log-window.ts'
import { type Effect, type Followed, netEffects } from '#src/storage/live/net-effect.ts'
import { matchingItems } from '#src/storage/search/matching-items.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { limitedDb } from '#src/storage/sight/read-sight.ts'
import { withinSight } from '#src/storage/sight/sight.ts'
import { type Base, openBase } from '#test/support/base.ts'
import { type BaseState, baseState } from '#test/support/base-state.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'
import { RandomChanges } from '#test/support/random-changes.ts'
import { runs } from '#test/support/runs.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

// More on demand: LIVE_ROUNDS=500 LIVE_SEED=7 npx vitest run --project facet test/live-property.test.ts
const ROUNDS = runs(TEST_ENGINE === 'sqlite' ? 30 : 15, 60, 'LIVE_ROUNDS')
const SEED = Number(process.env['LIVE_SEED'] ?? 1)
const SEEDS = [SEED * 10, SEED * 10 + 1]
const TIMEOUT = 300_000
const MOST = 10_000

/** One who follows a filter and adds up what is told. */
interface Follower extends Followed {
  after: string
  members: Set<number>
}

class Play {
  readonly base: Base & { close(): void | Promise<void> }
  readonly random: Random
  readonly db: Db
  now = Date.parse('2026-01-31T09:30:00.000Z')
  private readonly user_id = ulidSource()(Date.parse('2026-01-31T09:30:00.000Z'))
  private readonly ids = ulidSource()

  constructor(base: Play['base'], random: Random) {
    this.base = base
    this.random = random
    this.db = Object.create(base.db, { committed: { value: new Map() } }) as Db
  }

  /** Whose the keys are that see a part. */
  async addUser(): Promise<void> {
    const email = 'part@example.org'
    await insertAccount(this.base.db, {
      user_id: this.user_id,
      email,
      email_key: email,
      display_name: null,
      password_hash: null,
      email_proven_at: null,
      created_at: this.time().now.toISOString(),
      role: 'editor',
    })
  }

  async call(operation: SqlOperation | Step, input: object): Promise<void> {
    const db = this.base.db as Transactional
    this.now += 1 + this.random.below(3)
    const time = this.now
    const caller = { ...NOBODY, address: '127.0.0.1' }
    const context = { db, caller, now: new Date(time), time_zone: 'UTC', newId: () => this.ids(time) }
    try {
      await withinTransaction(db, db.dialect.begin.write, () =>
        runSql(operation, context, input as Record<string, unknown>),
      )
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
  }

  time = () => ({ now: new Date(this.now), time_zone: 'UTC' })

  /** By the search that a key with that limit makes. */
  async found({ filter, limited }: Followed): Promise<Set<number>> {
    const db = limited ? await limitedDb(this.db, limited, this.time()) : this.db
    const plan = await planOfLasting(JSON.parse(filter), tagCatalog({ db, ...this.time() }))
    return new Set(await matchingItems(db, plan))
  }

  /** A key that sees a part; undefined where that is none. */
  async limit(state: BaseState): Promise<{ limited: CallerClient; limit: StoredLimit } | undefined> {
    const { random, db } = this
    const tags = Object.keys(state.tags).filter((id) => state.tags[id]!.live)
    const tag_ids = random.chance(0.7) && tags.length ? [random.pick(tags)] : undefined
    const given = {
      ...(tag_ids && { tag_ids }),
      ...((!tag_ids || random.chance(0.5)) && { filter: this.filter(state, 2) }),
    }
    const key_id = this.ids(this.now)
    try {
      const { limited_to } = await keptLimit(
        { db, ...this.time() } as SqlContext,
        given as GivenLimit,
        this.user_id,
      )
      const key = { key_id, user_id: this.user_id, name: 'part', scope: 'write' as const, prefix: 'facet_' }
      const created_at = this.time().now.toISOString()
      await insertKey(this.base.db, { ...key, key_hash: key_id, created_at, expires_at: null, limited_to })
      return {
        limited: { kind: 'key', id: key_id, name: 'part' },
        limit: JSON.parse(limited_to) as StoredLimit,
      }
    } catch (error) {
      if (error instanceof ServiceError) return undefined
      throw error
    }
  }

  /** Undefined where the filter is none. */
  async follow(
    given: object,
    part?: { limited: CallerClient; limit: StoredLimit },
  ): Promise<Follower | undefined> {
    const limited = part?.limited
    const db = limited ? await limitedDb(this.db, limited, this.time()) : this.db
    try {
      const { filter, plan } = await readFilter(given, tagCatalog({ db, ...this.time() }))
      withinSight(db, plan)
      const kept = resolvedFilter(filter)
      const followed: Followed = {
        filter: JSON.stringify(kept),
        timely: goesByTime(kept) || goesByTime(part?.limit),
        limited,
        time_zone: 'UTC',
        moment: this.now,
      }
      return { ...followed, after: await newestSeen(db), members: await this.found(followed) }
    } catch (error) {
      if (error instanceof ServiceError) return undefined
      throw error
    }
  }

  filter(state: BaseState, depth = 0): object {
    const { random } = this
    const tags = Object.keys(state.tags).filter((id) => state.tags[id]!.live)
    const tag = () => (tags.length ? random.pick(tags) : 'Tag 1')
    const nested = () => this.filter(state, depth + 1)
    const own: (() => object)[] = [
      () => ({ has_tag: tag() }),
      () => ({ [`${tag()}.n`]: { gte: random.below(4) } }),
      () => ({ [`${tag()}.kind`]: random.pick(['open', 'done', 'late']) }),
      () => ({ [`${tag()}.text`]: { contains: random.pick(['a', 'b', 'Ä']) } }),
      () => ({ [`${tag()}.list`]: { contains: 'open' } }),
      () => ({ [`${tag()}.${random.pick(['n', 'to', 'list', 'kind'])}`]: { is_null: random.chance(0.5) } }),
      () => ({ [`${tag()}.n`]: { outdated: random.chance(0.5) } }),
      () => ({ [`${tag()}.to`]: { dangling: random.chance(0.5) } }),
      () => ({ search: { text: random.pick(['a', 'one', 'Ärger']), in: ['name', 'description', 'values'] } }),
      () => ({ search: { text: 'two arger open', match: 'any', in: ['name', 'values'] } }),
      () => ({ name: random.pick(['One', 'Two']) }),
      () => ({ updated_at: { gte: { now: 'PT0.020S' } } }),
      () => ({ updated_at: { lt: '2026-01-31T09:30:00.100Z' } }),
      () => ({ created_at: { gte: { now: '-PT0.050S' } } }),
      () => ({ changed_between: [{ now: '-PT0.060S' }, { now: 'PT0S' }] }),
      () => ({ [`${tag()}.extra`]: { lte: { today: 0 } } }),
    ]
    const others: (() => object)[] = [
      () => ({ [`${tag()}.to->name`]: random.pick(['One', 'Two', 'Three']) }),
      () => ({ [`${tag()}.to->${tag()}.n`]: { gte: 1 } }),
      () => ({ [`${tag()}.to->${tag()}.to->has_tag`]: tag() }),
      () => ({ [`<-${tag()}.to`]: nested() }),
      () => ({ [`<-${tag()}.to`]: { count: { gte: 2 } } }),
      () => ({ [`<-${tag()}.to`]: { filter: nested(), count: { eq: 0 } } }),
      () => ({ not: nested() }),
      () => ({ and: [nested(), nested()] }),
      () => ({ or: [nested(), nested()] }),
    ]
    return random.pick(depth < 3 && random.chance(0.5) ? others : own)()
  }

  /** Tells a follower what has happened since it was told last. */
  async tell(follower: Follower): Promise<void> {
    const { after, filter } = follower
    const told = await netEffects(this.db, {
      after,
      followed: [follower],
      now: new Date(this.now),
      most: MOST,
    })
    const [effects] = told.effects
    follower.after = told.head
    follower.moment = this.now
    follower.filter = told.filters[0]!
    const found = await this.found(follower)
    if ('count' in effects!) follower.members = found
    else this.add(follower, effects!)
    expect({ filter, members: inOrder(follower.members) }).toEqual({
      filter,
      members: inOrder(found),
    })
  }

  private add({ members, filter }: Follower, effects: readonly Effect[]): void {
    for (const { kind, item } of effects) {
      expect({ filter, item, is: members.has(item) }).toEqual({ filter, item, is: kind !== 'enter' })
      if (kind === 'enter') members.add(item)
      if (kind === 'leave') members.delete(item)
    }
  }
}

const inOrder = (items: ReadonlySet<number>) => [...items].toSorted((a, b) => a - b)

let play: Play
afterEach(() => play.base.close())

describe.each(SEEDS)('with the seed %i', (seed) => {
  it('what enters and leaves adds up to what a search finds', { timeout: TIMEOUT }, async () => {
    const base = TEST_ENGINE === 'postgres' ? await openPostgresBase() : await openBase()
    play = new Play(base, new Random(seed))
    await play.addUser()
    const changes = new RandomChanges(play.random, { purges: true })
    const followers: Follower[] = []
    let told = 0
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < 6; i++) {
        const { operation, input } = changes.next(await baseState(play.base.db))
        await play.call(operation, input)
      }
      // Each is told at times of its own, so that some have much to be told of.
      for (const follower of followers)
        if (play.random.chance(0.4)) {
          await play.tell(follower)
          told++
        }
      for (let i = 0; i < 3; i++) {
        const state = await baseState(play.base.db)
        const part = play.random.chance(0.4) ? await play.limit(state) : undefined
        const follower = await play.follow(play.filter(state), part)
        if (follower) followers.push(follower)
      }
      while (followers.length > 25) followers.splice(play.random.below(followers.length), 1)
    }
    expect(told).toBeGreaterThan(ROUNDS)
  })
})

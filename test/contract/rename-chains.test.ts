import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '#bench/random.ts'
import type { Client } from '#test/support/client.ts'
import { runs } from '#test/support/runs.ts'
import { type Service, startService } from '#test/support/service.ts'

/* oxlint-disable typescript/no-explicit-any -- answers are looked at, not typed */
const CHAINS = runs(12, 100, 'RENAME_CHAINS')
const FIELD_NAMES = ['a', 'b', 'c', 'd']
const VARIANT_NAMES = ['p', 'q', 'r']

let service: Service
let client: Client
let now = Date.parse('2026-01-31T09:30:00.000Z')

beforeAll(async () => {
  service = await startService({ clock: () => (now += 10) })
  client = await service.user()
})
afterAll(() => service.close())

/** A field, or a variant of the field whose number it has, and the name that it has now. */
interface Named {
  name: string
  of?: number
}

/** A view that says something of a field, and perhaps of a variant of it; `gone`: of one that is there no more. */
interface Mention {
  view_id: string
  field: Named
  variant?: Named
  gone?: 'field' | 'variant'
}

interface Move {
  named: Named
  from: string
  to: string
}

interface Change {
  change_id: string
  moves: Move[]
  undoes?: Change
  undone?: boolean
}

/** A tag whose fields and variants are named again and again, and what it is by now: who has which name is all. */
class Chain {
  private readonly random: Random
  private readonly fields: Named[] = ['a', 'b', 'c'].map((name) => ({ name }))
  private readonly variants: Named[] = [
    { name: 'p', of: 0 },
    { name: 'q', of: 0 },
    { name: 'p', of: 1 },
    { name: 'q', of: 1 },
  ]
  private readonly changes: Change[] = []
  private readonly moments: { at: string; item: unknown }[] = []
  private readonly mentions: Mention[] = []
  private tag_id = ''
  private item_id = ''

  constructor(seed: number) {
    this.random = new Random(seed)
  }

  async play(steps: number): Promise<void> {
    await this.begin()
    for (let i = 0; i < steps; i++) {
      if (this.changes.length && this.random.chance(0.6)) await this.undo(this.random.pick(this.changes))
      else await this.rename()
      await this.look()
    }
    for (const change of this.changes.toReversed()) {
      await this.undo(change)
      await this.look()
    }
    for (const { at, item } of this.moments) await this.lookBack(at, item)
  }

  private async begin(): Promise<void> {
    const fields = { ...this.schema(), d: 'Number', a: { type: 'Select', variants: ['p', 'q', 'r'] } }
    const tag = await client.ok('POST', '/api/tags', { name: `Chain ${now}`, fields })
    this.tag_id = tag.tag_id
    for (const field of this.fields) await this.mention({ field })
    for (const variant of this.variants) await this.mention({ field: this.fields[variant.of!]!, variant })
    await this.mention({ field: { name: 'd' }, gone: 'field' })
    await this.mention({ field: this.fields[0]!, variant: { name: 'r', of: 0 }, gone: 'variant' })
    await client.ok('PUT', `/api/tags/${this.tag_id}`, { fields: this.schema() })
    const tags = [{ tag_ref: { Existing: this.tag_id }, field_values: this.values() }]
    this.item_id = (await client.ok('POST', '/api/items', { name: 'I', tags })).item_id
    await this.look()
  }

  private async mention(mention: Omit<Mention, 'view_id'>): Promise<void> {
    const { field, variant } = mention
    const filter = { [`${this.tag_id}.${field.name}`]: variant ? { match: variant.name } : { exists: true } }
    const { view_id } = await client.ok('POST', '/api/views', { name: 'V', icon: '✅', filter })
    this.mentions.push({ ...mention, view_id })
  }

  private variantsOf = (field: number) => this.variants.filter(({ of }) => of === field)

  private schema() {
    const variants = (field: number) => this.variantsOf(field).map(({ name }) => name)
    return Object.fromEntries([
      [this.fields[0]!.name, { type: 'Select', variants: variants(0) }],
      [this.fields[1]!.name, { type: 'MultiSelect', variants: variants(1) }],
      [this.fields[2]!.name, 'Number'],
    ])
  }

  private values() {
    return Object.fromEntries<unknown>([
      [this.fields[0]!.name, { variant: this.variants[0]!.name }],
      [this.fields[1]!.name, this.variantsOf(1).map(({ name }) => name)],
      [this.fields[2]!.name, 7],
    ])
  }

  private isFree = (name: string, { of }: Named) =>
    (of === undefined ? this.fields : this.variantsOf(of)).every((each) => each.name !== name)

  private async rename(): Promise<void> {
    const chosen = this.random.pick([
      [this.random.pick(this.fields)],
      [this.random.pick(this.variants)],
      [this.random.pick(this.fields), this.random.pick(this.variants)],
    ])
    const moves = chosen.map((named): Move => {
      const names = named.of === undefined ? FIELD_NAMES : VARIANT_NAMES
      const free = names.filter((name) => this.isFree(name, named))
      return { named, from: named.name, to: this.random.pick(free) }
    })
    const body: Record<string, object> = {}
    for (const { named, from, to } of moves)
      if (named.of === undefined) body['rename_fields'] = { [from]: to }
      else body['rename_variants'] = { [this.fields[named.of]!.name]: { [from]: to } }
    const { status, headers } = await client.send('PUT', `/api/tags/${this.tag_id}`, body)
    expect(status).toBe(200)
    for (const { named, to } of moves) named.name = to
    this.changes.push({ change_id: headers.get('x-change-id')!, moves })
  }

  private async undo(change: Change): Promise<void> {
    const fits =
      !change.undone &&
      change.moves.every(({ named, from, to }) => named.name === to && this.isFree(from, named))
    const { status, body } = await client.post('/api/changes/undo', { change_ids: [change.change_id] })
    expect(status, JSON.stringify(body)).toBe(fits ? 200 : 409)
    if (!fits) return
    expect(body.undone_events).toBe(1)
    const moves = change.moves.map(({ named, from, to }) => ({ named, from: to, to: from }))
    for (const { named, to } of moves) named.name = to
    change.undone = true
    if (change.undoes) change.undoes.undone = false
    this.changes.push({ change_id: body.change_id, moves, undoes: change })
  }

  private async look(): Promise<void> {
    const tag = await client.ok('GET', `/api/tags/${this.tag_id}`)
    expect(tag.fields).toEqual(this.schema())
    const item = await client.ok('GET', `/api/items/${this.item_id}`)
    expect(item.data[this.tag_id]).toMatchObject({
      field_values: this.values(),
      schema_version: tag.schema_version,
    })
    for (const each of this.mentions) await this.lookAt(each)
    this.moments.push({ at: new Date((now += 10)).toISOString(), item })
  }

  /** What is gone keeps its name, marked while another has it. */
  private async lookAt({ view_id, field, variant, gone }: Mention): Promise<void> {
    const { filter } = await client.ok('GET', `/api/views/${view_id}`)
    const named = (each: Named, isGone: boolean) =>
      isGone && !this.isFree(each.name, each) ? `${each.name} (earlier)\u{FDD0}` : each.name
    expect(filter).toEqual({
      [`${this.tag_id}.${named(field, gone === 'field')}`]: variant
        ? { match: named(variant, gone === 'variant') }
        : { exists: true },
    })
  }

  private async lookBack(as_of: string, item: any): Promise<void> {
    expect(await client.ok('GET', `/api/items/${this.item_id}?as_of=${as_of}`)).toEqual(item)
    const filter = { has_tag: this.tag_id }
    const [found] = await client.ok('POST', '/api/items/search', { filter, as_of })
    expect(found).toMatchObject({ tags: item.data, updated_at: item.updated_at })
  }
}

it.each(Array.from({ length: CHAINS }, (_, i) => i + 1))(
  'names that go and come back leave what the log tells of them: chain %i',
  { timeout: 60_000 },
  (seed) => new Chain(seed).play(2 + (seed % 5)),
)

import { describe, expect, it } from 'vitest'
import { Random } from '#bench/random.ts'
import { EVERYWHERE } from '#src/storage/words/counts.ts'
import { rankItems, type WeighedWord } from '#src/storage/words/rank-items.ts'
import { ITSELF } from '#src/storage/words/score.ts'
import { placesOf, type Postings } from '#src/storage/words/word-hits.ts'
import type { Section, WordIndex } from '#src/storage/words/word-index.ts'

const SIZE = 400
const SECTIONS = 6

function sectionOf(random: Random, part: number): Section {
  const numbers = (most: number) => Uint16Array.from({ length: SIZE }, () => 1 + random.below(most))
  const gone = new Uint8Array(SIZE / 8)
  for (let i = 0; i < 20; i++) gone[random.below(gone.length)]! |= 1 << random.below(8)
  return {
    documents: {
      items: Float64Array.from({ length: SIZE }, (_, at) => part * SIZE + at + 1),
      name_lengths: numbers(40),
      lengths: [numbers(6), numbers(80), numbers(9)],
    },
    size: SIZE,
    gone,
    gone_before: gone,
    gone_since: [],
    part,
    version: 1,
  }
}

/** Of a word that so much of all documents has. */
function postingsOf(random: Random, share: number, summed: boolean): Postings {
  const having = Array.from({ length: SIZE }, (_, at) => at).filter(() => random.chance(share))
  const bytes = Uint8Array.from(having, () => 1 + random.below(255))
  const combinations = new Uint32Array(8)
  for (const byte of bytes) combinations[placesOf(byte)]!++
  const documents = Uint32Array.from(having)
  if (!summed) return { documents, bytes, weight: ITSELF, combinations }
  const sums = () => Uint32Array.from(having, () => random.below(3) * ITSELF)
  return { documents, sums: [sums(), sums(), sums()], combinations }
}

function worldOf(seed: number): { index: WordIndex; alternatives: WeighedWord[][] } {
  const random = new Random(seed)
  const sections = Array.from({ length: SECTIONS }, (_, part) => sectionOf(random, part))
  const shares = [0.01, 0.05, 0.2, 0.4, 0.9, 1]
  const alternatives = Array.from({ length: 1 + random.below(2) }, () =>
    shares.map((share): WeighedWord => {
      const summed = random.chance(0.3)
      const hits = sections.map(() => (random.chance(0.9) ? postingsOf(random, share, summed) : undefined))
      const having = hits.reduce((sum, each) => sum + (each?.documents.length ?? 0), 0)
      return { hits: { sections: hits, having }, having }
    }),
  )
  const weights = { items: SIZE * SECTIONS, averages: [3500, 40_000, 4000] as const }
  return { index: { sections, waiting: [], weights, left: 0 }, alternatives }
}

type Found = readonly (readonly [item: number, score: number])[]

function inOrder({ items, scores }: ReturnType<typeof rankItems>): Found {
  return Array.from(items, (item, at) => [item, scores[at]!] as const).toSorted(
    (a, b) => b[1] - a[1] || a[0] - b[0],
  )
}

describe('the best items alone', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('are those of all with their scores (seed %i)', (seed) => {
    for (const mask of [EVERYWHERE, 3]) {
      const { index, alternatives } = worldOf(seed)
      const { weights } = index
      const all = inOrder(rankItems(index, alternatives, weights, { mask }))
      expect(all.length).toBeGreaterThan(500)
      for (const best of [1, 7, 60])
        for (const at_most of [Infinity, all[40]![1], all[300]![1]]) {
          // Asked twice: what was seen of a word at first leaves out more then.
          for (let turn = 0; turn < 2; turn++) {
            const some = inOrder(rankItems(index, alternatives, weights, { mask, wanted: { best, at_most } }))
            const below = all.filter(([, score]) => score < at_most)
            const last = below[best - 1]?.[1] ?? 0
            const wanted = all.filter(([, score]) => score <= at_most && score >= last)
            expect(some.filter(([, score]) => score >= last)).toEqual(wanted)
          }
        }
    }
  })

  it('leave gone documents out', () => {
    const { index, alternatives } = worldOf(1)
    const found = inOrder(rankItems(index, alternatives, index.weights, { mask: EVERYWHERE }))
    const isGone = (item: number) => {
      const at = (item - 1) % SIZE
      return (index.sections[Math.floor((item - 1) / SIZE)]!.gone![at >>> 3]! & (1 << (at & 7))) !== 0
    }
    expect(found.filter(([item]) => isGone(item))).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { createItem } from '#src/operations/items/create-item.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { findWordWork } from '#src/operations/service/upkeep-steps.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { takeInSome, Turns } from '#src/work/word-indexer.ts'
import { openBase } from '#test/support/base.ts'

describe('the word index takes in what waits', () => {
  const decided = (...looks: number[]) => {
    const turns = new Turns()
    return looks.map((waiting) => turns.isDue(waiting))
  }

  it('when that is much, or no more comes', () => {
    expect(decided(100, 100, 2047, 2047, 2048, 0)).toEqual([false, false, false, true, true, false])
  })

  it('when there are few whose texts are long', () => {
    const turns = new Turns()
    expect([2 ** 22 - 1, 2 ** 22].map((bytes) => turns.isDue(5, bytes))).toEqual([false, true])
  })

  it('after a large change once no other has followed it', () => {
    expect(decided(5000, 2952)).toEqual([false, true])
    expect(decided(6000, 12_000, 12_001, 9953)).toEqual([false, false, true, true])
  })

  it('after a minute of large changes all the same', () => {
    const looks = Array.from({ length: 14 }, (_, i) => 6000 * (i + 1))
    expect(decided(...looks)).toEqual(looks.map((_, i) => i === 12))
  })
})

describe('the words of a text', () => {
  it('are long where values are', async () => {
    const base = await openBase()
    try {
      const tag = await base.run(createTag, { name: 'Note', fields: { text: 'String' } })
      const long = 'long '.repeat(100_000)
      const field_values = { text: long }
      const tags = [{ tag_ref: { Existing: tag.tag_id }, field_values }]
      await base.run(createItem, { name: 'One', tags })
      await base.run(createItem, { name: 'Two', description: long })
      const { waiting, bytes } = await base.runStep(findWordWork, {})
      expect(waiting).toBe(2)
      expect(bytes).toBeGreaterThanOrEqual(2 * long.length)
      expect(bytes).toBeLessThan(2 * long.length + 100)
    } finally {
      base.close()
    }
  })

  it('are entered a thousand at a time, and are found when all are in', async () => {
    const base = await openBase()
    try {
      const words = Array.from({ length: 5500 }, (_, i) => `w${i.toString(36)}`)
      const { item_id } = await base.run(createItem, { name: 'Long', description: words.join(' ') })
      const steps: string[] = []
      const search = (word: string) =>
        base.run(searchItems, { filter: { search: { text: word, match: 'any' } } })
      const entered = await takeInSome({
        clock: Date.now,
        run: (step, input) => {
          steps.push(step.name)
          return base.runStep(step, input)
        },
        giveWay: async () => expect(await search(words[0]!)).toMatchObject([{ item_id }]),
      })
      expect(entered).toBe(1)
      // The name is a word too.
      expect(steps).toEqual(['planEntering', ...Array<string>(6).fill('enterWords'), 'finishWords'])
      for (const word of [words[0]!, words.at(-1)!, 'long'])
        expect(await search(word)).toMatchObject([{ item_id }])
    } finally {
      base.close()
    }
  })

  it('wait while another process enters others, which counts as killed after a minute', async () => {
    const base = await openBase()
    try {
      await base.run(createItem, { name: 'First' })
      let now = Date.now()
      const take = (giveWay?: () => Promise<unknown>) =>
        takeInSome({ run: base.runStep, clock: () => now, giveWay })
      const killed = () => Promise.reject(new Error('killed'))
      await expect(take(killed)).rejects.toThrow('killed')
      now += 59_000
      expect(await take()).toBe(0)
      now += 2000
      expect(await take()).toBe(0) // what is left of it goes
      expect(await take()).toBe(1)
      expect(
        await base.run(searchItems, { filter: { search: { text: 'first', match: 'any' } } }),
      ).toHaveLength(1)
    } finally {
      base.close()
    }
  })
})

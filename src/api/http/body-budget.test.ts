import { describe, expect, it } from 'vitest'
import { BodyBudget } from '#src/api/http/body-budget.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('room for large bodies', () => {
  it('is bounded by account and in all; who finds none waits for it', async () => {
    const budget = new BodyBudget({ each: 10, all: 15, wait: 1000 })
    const begun: string[] = []
    const take = (user: string, bytes: number) =>
      budget.take(user, bytes).then((release) => (begun.push(`${user} ${bytes}`), release))
    const first = await take('a', 8)
    const own = take('a', 3)
    const second = await take('b', 7)
    const third = take('c', 9)
    await tick()
    expect(begun).toEqual(['a 8', 'b 7'])
    first()
    first() // once only
    await own
    expect(begun).toEqual(['a 8', 'b 7', 'a 3'])
    second()
    await third
    expect(begun).toEqual(['a 8', 'b 7', 'a 3', 'c 9'])
  })

  it('is there for one body of any size, where nothing else is under way', async () => {
    const budget = new BodyBudget({ each: 10, all: 15, wait: 1000 })
    const release = await budget.take('a', 100)
    release()
    expect(await budget.take('b', 100)).toBeTypeOf('function')
  })

  it('is refused to who has waited too long: with 429 for their own bodies, with 503 for those of others', async () => {
    const budget = new BodyBudget({ each: 10, all: 15, wait: 20 })
    await budget.take('a', 10)
    await expect(budget.take('a', 10)).rejects.toMatchObject({ code: 'TooManyRequests' })
    await expect(budget.take('b', 10)).rejects.toMatchObject({ code: 'ServiceUnavailable' })
    await budget.take('b', 5)
  })
})

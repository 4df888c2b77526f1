import { describe, expect, it } from 'vitest'
import { BodyBudget } from '#src/api/http/body-budget.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('room for large bodies', () => {
  it('of one account goes by what it announces: the next one waits for its turn', async () => {
    const budget = new BodyBudget({ each: 10, all: 15, wait: 1000 })
    const begun: string[] = []
    const open = (user: string, bytes: number) =>
      budget.open(user, bytes).then((body) => (begun.push(`${user} ${bytes}`), body))
    const first = await open('a', 8)
    const own = open('a', 3)
    await open('b', 7)
    await open('c', 9)
    await tick()
    expect(begun).toEqual(['a 8', 'b 7', 'c 9'])
    first.release()
    first.release() // once only
    await own
    expect(begun).toEqual(['a 8', 'b 7', 'c 9', 'a 3'])
  })

  it('of all goes by what has arrived: a request that announces and sends nothing takes none from others', async () => {
    const budget = new BodyBudget({ each: 100, all: 15, wait: 1000 })
    const [a, b, c] = [await budget.open('a', 100), await budget.open('b', 100), await budget.open('c', 10)]
    expect([a.arrive(1), b.arrive(1), c.arrive(10)]).toEqual([undefined, undefined, undefined])
  })

  it('lets one body go on where there is none, so that those that are half there end one after the other', async () => {
    const budget = new BodyBudget({ each: 100, all: 15, wait: 1000 })
    const [a, b, c] = [await budget.open('a', 20), await budget.open('b', 20), await budget.open('c', 20)]
    expect([a.arrive(7), b.arrive(7), a.arrive(7), a.arrive(5)]).toEqual(Array.from({ length: 4 }))
    const order: string[] = []
    const waiting = [b, c].map((body, i) => body.arrive(10)!.then(() => order.push('bc'[i]!)))
    await tick()
    expect(order).toEqual([])
    a.release()
    await waiting[0]
    expect(order).toEqual(['b'])
    b.release()
    await waiting[1]
    c.release()
    const d = await budget.open('d', 15)
    expect(d.arrive(15)).toBeUndefined()
  })

  it('is there for one body of any size, where nothing else is under way', async () => {
    const budget = new BodyBudget({ each: 10, all: 15, wait: 1000 })
    const body = await budget.open('a', 100)
    expect(body.arrive(100)).toBeUndefined()
    body.release()
    expect((await budget.open('b', 100)).arrive(100)).toBeUndefined()
  })

  it('is refused to those who have waited too long: with 429 for their own bodies, with 503 for those of others', async () => {
    const budget = new BodyBudget({ each: 10, all: 15, wait: 20 })
    const [a, b, c] = [await budget.open('a', 10), await budget.open('b', 10), await budget.open('c', 10)]
    await expect(budget.open('a', 10)).rejects.toMatchObject({ code: 'TooManyRequests' })
    expect([a.arrive(10), b.arrive(10)]).toEqual([undefined, undefined])
    await expect(c.arrive(10)).rejects.toMatchObject({ code: 'ServiceUnavailable' })
  })

  it('that one waits for and leaves is not taken', async () => {
    const budget = new BodyBudget({ each: 10, all: 10, wait: 1000 })
    const [a, b, c] = [await budget.open('a', 10), await budget.open('b', 10), await budget.open('c', 10)]
    expect([a.arrive(9), b.arrive(9)]).toEqual([undefined, undefined])
    const left = c.arrive(9)
    c.release()
    await left
    a.release()
    b.release()
    const d = await budget.open('d', 10)
    const e = await budget.open('e', 10)
    expect([d.arrive(10), e.arrive(10)]).toEqual([undefined, undefined])
  })
})

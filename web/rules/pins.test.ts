import { describe, expect, it } from 'vitest'
import { pinsFrom, pinsText, toggledPin } from '#web/rules/pins.ts'

const [a, b] = ['01K00000000000000000000001', '01K00000000000000000000002'] as const

describe('pins', () => {
  it('are ids in order, each once, and nothing else that a preference may hold', () => {
    expect(pinsFrom(`${b} ${a} ${b} x <b>`)).toEqual([b, a])
    expect(pinsFrom('')).toEqual([])
    expect(pinsFrom(pinsText([b, a]))).toEqual([b, a])
  })

  it('come last when they are new, and go when they are there', () => {
    expect(toggledPin([a], b)).toEqual([a, b])
    expect(toggledPin([a, b], a)).toEqual([b])
  })
})

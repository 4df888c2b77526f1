import { describe, expect, it } from 'vitest'
import { SessionWatch } from '#src/auth/session-watch.ts'

describe('SessionWatch', () => {
  it('notifies each listener of its session once', () => {
    const watch = new SessionWatch()
    const told: string[] = []
    watch.onEnd('a', () => told.push('first of a'))
    watch.onEnd('a', () => told.push('second of a'))
    watch.onEnd('b', () => told.push('b'))
    watch.ended(['a', 'unknown'])
    watch.ended(['a'])
    expect(told).toEqual(['first of a', 'second of a'])
  })

  it('tells nobody who has taken back its listener', () => {
    const watch = new SessionWatch()
    const told: string[] = []
    const takeBack = watch.onEnd('a', () => told.push('gone'))
    watch.onEnd('a', () => told.push('here'))
    takeBack()
    watch.ended(['a'])
    takeBack()
    expect(told).toEqual(['here'])
  })
})

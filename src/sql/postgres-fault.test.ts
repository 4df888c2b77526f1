import { expect, it } from 'vitest'
import { isConnectionLoss, isPoolBusy } from '#src/sql/postgres-fault.ts'

it('a pool whose connections are all at work is busy, not lost', () => {
  const waited = new Error('timeout exceeded when trying to connect')
  expect([isPoolBusy(waited), isConnectionLoss(waited)]).toEqual([true, false])
})

for (const fault of [
  new Error('Connection terminated unexpectedly'),
  Object.assign(new Error('read'), { code: 'ECONNRESET' }),
])
  it(`'${fault.message}' is a loss`, () => {
    expect([isPoolBusy(fault), isConnectionLoss(fault)]).toEqual([false, true])
  })

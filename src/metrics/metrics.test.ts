import { expect, it } from 'vitest'
import { Reading } from '#src/metrics/instruments.ts'
import { Metrics } from '#src/metrics/metrics.ts'

it('leaves out what cannot be read, and what cannot be written down', async () => {
  const metrics = new Metrics()
  metrics.add(
    'facet_unread',
    'Cannot be read.',
    new Reading('gauge', async () => {
      throw new Error('not today')
    }),
  )
  const unknown = { hash: null as unknown as string }
  metrics.add(
    'facet_unwritten',
    'Has a label that is none.',
    new Reading('gauge', async () => [{ labels: unknown, value: 1 }]),
  )
  metrics.add('facet_known', 'Is known.', new Reading('gauge', async () => [{ value: 7 }]))
  expect(await metrics.text()).toBe('# HELP facet_known Is known.\n# TYPE facet_known gauge\nfacet_known 7\n')
})

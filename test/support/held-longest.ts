import { parsePrometheus } from '#test/support/prometheus.ts'
import type { Service } from '#test/support/service.ts'

const HELD = 'facet_engine_writer_held_seconds'

/**
 * Begins to watch for how long transactions keep others from writing. What it gives says, in seconds, which bound none
 * of them since then was above: of the metric's own bounds, so that a busy machine counts as little as it can.
 */
export async function heldLongest(service: Service): Promise<() => Promise<number>> {
  const buckets = async () => {
    const response = await fetch(`${service.metrics_url}/metrics`)
    const family = parsePrometheus(await response.text()).get(HELD)!
    return family.series
      .filter(({ name }) => name === `${HELD}_bucket`)
      .map(({ labels, value }) => ({ le: Number(labels.le!.replace('+Inf', 'Infinity')), value }))
  }
  const before = await buckets()
  return async () => {
    const grown = (await buckets()).map(({ le, value }, i) => ({ le, by: value - before[i]!.value }))
    const all = grown.at(-1)!.by
    return grown.find(({ by }) => by === all)!.le
  }
}

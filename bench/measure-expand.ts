import { oneByOne } from '#bench/one-by-one.ts'
import { median, type Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { EXPAND_MS } from '#bench/targets.ts'
import type { WorkRequest } from '#bench/works.ts'

/** What the names of references add to a page: the same searches with and without them, in turns. */
export async function measureExpand(
  report: Report,
  facet: Server,
  items: number,
  expanded: readonly WorkRequest[],
): Promise<void> {
  const plain = expanded.map((each) => ({ ...each, body: { ...(each.body as object), expand: false } }))
  const times = { plain: [] as number[], expanded: [] as number[] }
  for (const [i, each] of expanded.entries())
    for (const [name, request] of i % 2
      ? ([
          ['plain', plain[i]!],
          ['expanded', each],
        ] as const)
      : ([
          ['expanded', each],
          ['plain', plain[i]!],
        ] as const))
      times[name].push(...(await oneByOne(facet, [request])))
  report.atMost(
    {
      what: 'what the names of references add to a page, p50',
      items,
      value: median(times.expanded) - median(times.plain),
      unit: 'ms',
      raw: times,
    },
    EXPAND_MS,
  )
}

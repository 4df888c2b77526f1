import { availableParallelism } from 'node:os'
import type { Load } from '#bench/load.ts'
import { oneByOne } from '#bench/one-by-one.ts'
import { measureStreamOfTwo } from '#bench/measure-streams.ts'
import { measureBulkWait } from '#bench/measure-bulk-wait.ts'
import { measureLargeImport } from '#bench/measure-imports.ts'
import { postgresCopy, startBenchPostgres } from '#bench/postgres.ts'
import { heading, median, type Report } from '#bench/report.ts'
import { Server } from '#bench/servers.ts'
import {
  POSTGRES_RATIOS,
  POSTGRES_SEARCH_TIME,
  POSTGRES_TWO_WORDS_TIME,
  SEARCHED,
  TWO_PROCESSES,
} from '#bench/targets.ts'
import { type Work, type WorkName, type WorkRequest, WORKS } from '#bench/works.ts'

export interface EngineBench {
  report: Report
  items: number
  /** The data file of this many items. */
  data: string
  rounds: number
  wants(name: string): boolean
  apply(
    servers: Server | readonly Server[],
    work: WorkName,
    connections: number,
    seconds?: number,
  ): Promise<Load>
  /** Requests of a work, the same for both engines. */
  requests(work: WorkName): WorkRequest[]
}

/** Both engines beside each other: rates at the base size, times of single searches at the others. */
export async function measureEngines(
  bench: EngineBench,
  { base, many }: { base: boolean; many: boolean },
): Promise<void> {
  const cluster = await startBenchPostgres()
  try {
    const url = await postgresCopy(cluster, bench.data, 'bench')
    heading(`PostgreSQL beside SQLite, ${bench.items.toLocaleString('en')} items`)
    const sqlite = await Server.startFacet(bench.data)
    const postgres = await Server.startOn('postgres', url, 'bench@example.org')
    try {
      await measureSearches(bench, sqlite, postgres)
      if (base) await measureRates(bench, sqlite, postgres)
      await sqlite.stop()
      if (many && bench.wants('bulk_wait')) await measureBulkWait(bench.report, postgres, bench.items)
      if (base && bench.wants('imports'))
        await measureLargeImport(bench.report, postgres, bench.items, 'postgres')
      if (base && (bench.wants('read') || bench.wants('changes'))) await measureTwo(bench, url, postgres)
    } finally {
      await sqlite.stop()
      await postgres.stop()
    }
  } finally {
    await cluster.stop()
  }
}

/** In turns, so that a busy moment of the machine hits both. */
async function measureRates(bench: EngineBench, sqlite: Server, postgres: Server): Promise<void> {
  const { report, items, rounds, apply } = bench
  for (const { work, connections, least } of POSTGRES_RATIOS.filter((each) => bench.wants(each.work)))
    for (const count of connections) {
      const rates = new Map<Server, number[]>([
        [sqlite, []],
        [postgres, []],
      ])
      for (const server of [sqlite, postgres]) await apply(server, work, count, 0.5)
      for (let round = 0; round < rounds; round++)
        for (const server of round % 2 ? [postgres, sqlite] : [sqlite, postgres])
          rates.get(server)!.push((await apply(server, work, count)).rate)
      const of = (server: Server) => median(rates.get(server)!)
      const { title }: Work = WORKS[work]
      const figure = {
        what: `${title} (${of(postgres).toFixed(0)}/s, SQLite ${of(sqlite).toFixed(0)}/s)`,
        items,
        connections: count,
        value: of(postgres) / of(sqlite),
        unit: '×',
        raw: [...rates.values()],
      }
      if (least) report.atLeast(figure, least)
      else report.note(figure)
    }
}

/** One search at a time, the same ones on both. */
async function measureSearches(bench: EngineBench, sqlite: Server, postgres: Server): Promise<void> {
  for (const name of SEARCHED) {
    if (!bench.wants(name)) continue
    const requests = bench.requests(name)
    const times = { sqlite: await oneByOne(sqlite, requests), postgres: await oneByOne(postgres, requests) }
    const [slow, fast] = [median(times.postgres), median(times.sqlite)]
    bench.report.atMost(
      {
        what: `${WORKS[name].title} (${slow.toFixed(1)} ms, SQLite ${fast.toFixed(1)} ms)`,
        items: bench.items,
        value: slow / fast,
        unit: '×',
        raw: times,
      },
      name === 'substring_different' ? POSTGRES_TWO_WORDS_TIME : POSTGRES_SEARCH_TIME,
    )
  }
}

/** One process of the service, and two on the same database. */
async function measureTwo(bench: EngineBench, url: string, first: Server): Promise<void> {
  const second = await Server.startOn('postgres-2', url, 'bench-2@example.org')
  const rates = { one: [] as number[], two: [] as number[] }
  try {
    if (bench.wants('changes')) await measureStreamOfTwo(bench.report, { first, second }, bench.items)
    if (!bench.wants('read')) return
    for (let round = 0; round < bench.rounds; round++) {
      rates.one.push((await bench.apply(first, 'read', 50)).rate)
      rates.two.push((await bench.apply([first, second], 'read', 50)).rate)
    }
  } finally {
    await second.stop()
  }
  const cores = availableParallelism()
  const figure = {
    what: `reads by two processes (${median(rates.two).toFixed(0)}/s) to one's, ${cores} cores`,
    items: bench.items,
    connections: 50,
    value: median(rates.two) / median(rates.one),
    unit: '×',
    raw: rates,
  }
  // The load, the database and two event loops want a core each.
  if (cores >= 4) bench.report.atLeast(figure, TWO_PROCESSES)
  else bench.report.note(figure)
}

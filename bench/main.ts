import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, cpus } from 'node:os'
import { dataFile } from '#bench/data.ts'
import { measureAsOf } from '#bench/measure-as-of.ts'
import { measureLiveBulk } from '#bench/measure-live-bulk.ts'
import { measureLive } from '#bench/measure-live.ts'
import { measureAgents } from '#bench/measure-agents.ts'
import { measureBulkWait } from '#bench/measure-bulk-wait.ts'
import { measureEngines } from '#bench/measure-engines.ts'
import { measureEventLoop } from '#bench/measure-event-loop.ts'
import { measureChain } from '#bench/measure-chain.ts'
import { measureChanges } from '#bench/measure-changes.ts'
import { measureExpand } from '#bench/measure-expand.ts'
import { measureFiles, measureUploadMemory } from '#bench/measure-files.ts'
import { measureFormats, measureLargeImport } from '#bench/measure-imports.ts'
import { measureMcp } from '#bench/measure-mcp.ts'
import { measureLogins } from '#bench/measure-logins.ts'
import { measureLimits, measureProposals } from '#bench/measure-proposals.ts'
import { measureRanking } from '#bench/measure-ranking.ts'
import { measureRanked } from '#bench/measure-ranked.ts'
import { measureSessions } from '#bench/measure-sessions.ts'
import { measureListing } from '#bench/measure-listing.ts'
import type { Job, Load } from '#bench/load.ts'
import { oneByOne } from '#bench/one-by-one.ts'
import { type Options, readOptions } from '#bench/options.ts'
import { Random } from '#bench/random.ts'
import { heading, median, Report } from '#bench/report.ts'
import { sampleOf } from '#bench/sample.ts'
import { Server } from '#bench/servers.ts'
import {
  IDLE_RSS,
  RATIOS,
  READ_RATE_AT_MILLION,
  SEARCH_P50,
  SEARCH_P50_OF_MANY,
  SEARCHED,
  START_MS,
} from '#bench/targets.ts'
import { type Sample, type Work, type WorkName, type WorkRequest, WORKS } from '#bench/works.ts'

/** Where the ratios to the floor are taken. */
const BASE = 10_000
const MANY = 100_000
const MILLION = 1_000_000
/** Of each kind, for its median. */
const SEARCHES = 60
/** What is measured at the base size alone. */
const AT_BASE = ['files', 'imports']

class Bench {
  private readonly options: Options
  private readonly report: Report
  private readonly load: ChildProcess = fork('bench/load.ts')
  private sample!: Sample
  private seed = 1
  /** Reads in a second by number of items. */
  private readonly readRates = new Map<number, number>()

  constructor(options: Options, report: Report) {
    this.options = options
    this.report = report
  }

  async run(): Promise<void> {
    if (this.options.engine !== 'postgres' && this.wants('ranking')) await measureRanking(this.report)
    if (this.options.only?.every((each) => each === 'ranking')) {
      this.load.kill()
      return
    }
    if (this.options.engine !== 'postgres' && this.wants('agents')) await measureAgents(this.report)
    const { only, sizes } = this.options
    for (const items of only?.every((each) => AT_BASE.includes(each)) ? [BASE] : sizes)
      await this.measureAt(items)
    this.load.kill()
  }

  private async measureAt(items: number): Promise<void> {
    const data = await dataFile(items)
    this.sample = sampleOf(data)
    heading(`${items.toLocaleString('en')} items`)
    if (this.options.engine !== 'postgres') await this.measureFacet(data, items)
    if (this.options.engine !== 'sqlite') await this.measureEngines(data, items)
  }

  private async measureFacet(data: string, items: number): Promise<void> {
    if (items === this.options.sizes[0]) await this.measureStart(data, items)
    const facet = await Server.start('facet', data)
    const floor = await Server.start('floor', data)
    try {
      // First, while the server is idle: its memory is compared with that.
      if (items === BASE && this.wants('list')) await measureListing(this.report, facet, floor, items)
      if (items === BASE) await this.measureRatios(facet, floor)
      else await this.measureReading(facet, items)
      await this.measureSearches(facet, items)
      if (items === BASE && this.wants('mcp'))
        await measureMcp(this.report, facet, items, (work) => this.apply(facet, work, 10))
      if (items === BASE && this.wants('changes')) {
        await measureChain(this.report, data, items)
        await measureChanges(this.report, facet, items)
      }
      if (items === BASE && this.wants('sessions')) {
        const { rate } = await this.apply(facet, 'read', 10)
        await measureSessions(this.report, items, rate)
      }
      if (items === BASE && this.wants('logins'))
        await measureLogins(this.report, facet, items, () => this.apply(facet, 'read', 10))
      if (items === BASE && this.wants('live')) await measureLive(this.report, facet, items)
      if (items === BASE && this.wants('limits')) await measureLimits(this.report, facet, items)
      if (items === BASE && this.wants('proposals')) await measureProposals(this.report, facet, items)
      if (items === BASE && this.wants('files')) {
        await measureFiles(this.report, facet, items)
        await measureUploadMemory(this.report, facet, items)
      }
      if (items === BASE && this.wants('imports')) {
        await measureLargeImport(this.report, facet, items, 'sqlite')
        await measureFormats(this.report, facet, items)
      }
      if (items === MILLION) await this.measureRanked(facet, items)
      if (items === MILLION && this.wants('expand'))
        await measureExpand(this.report, facet, items, this.requests('expand'))
      if (items === MILLION && this.wants('loop')) await measureEventLoop(this.report, facet, items)
      // Last: they delete what the others look for.
      if ((items === BASE || items === MANY) && this.wants('live-bulk'))
        await measureLiveBulk(this.report, facet, items)
      if (this.wants('as-of')) await measureAsOf(this.report, facet, items)
      if (items === MANY && this.wants('bulk_wait')) await measureBulkWait(this.report, facet, items)
    } finally {
      await facet.stop()
      await floor.stop()
    }
  }

  private async measureEngines(data: string, items: number): Promise<void> {
    const bench = {
      report: this.report,
      items,
      data,
      rounds: this.options.rounds,
      wants: (name: string) => this.wants(name),
      apply: this.apply.bind(this),
      requests: (work: WorkName) => this.requests(work),
    }
    await measureEngines(bench, { base: items === BASE, many: items === MANY })
  }

  private wants(name: string): boolean {
    return !this.options.only || this.options.only.includes(name)
  }

  /** The first start after a change of the sources packs them; what counts are the others. */
  private async measureStart(data: string, items: number): Promise<void> {
    if (!this.wants('start')) return
    const starts: { started: number; rss: number }[] = []
    for (let start = 0; start <= this.options.rounds; start++) {
      const facet = await Server.startFacet(data, { account: false })
      await new Promise((resolve) => setTimeout(resolve, 1000))
      if (start > 0) starts.push({ started: facet.started, rss: facet.rss })
      await facet.stop()
    }
    const started = median(starts.map((each) => each.started))
    const rss = median(starts.map((each) => each.rss))
    this.report.atMost(
      { what: 'start to the first answer', items, value: started, unit: 'ms', raw: starts },
      START_MS,
    )
    this.report.atMost({ what: 'idle memory, all threads', items, value: rss, unit: 'MB' }, IDLE_RSS)
  }

  /** Facet and floor in turns, so that a busy moment of the machine hits both. */
  private async measureRatios(facet: Server, floor: Server): Promise<void> {
    for (const { work, connections } of RATIOS.filter((each) => this.wants(each.work)))
      for (const [count, least] of Object.entries(connections)) {
        const rates = { facet: [] as number[], floor: [] as number[] }
        const servers = { facet, floor }
        for (const server of [floor, facet]) await this.apply(server, work, Number(count), 0.5)
        for (let round = 0; round < this.options.rounds; round++)
          for (const name of round % 2 ? (['facet', 'floor'] as const) : (['floor', 'facet'] as const))
            rates[name].push((await this.apply(servers[name], work, Number(count))).rate)
        const { title, items = 1 }: Work = WORKS[work]
        const value = median(rates.facet) / median(rates.floor)
        const per = (list: number[]) => `${Math.round(median(list) * items)}/s`
        this.report.atLeast(
          {
            what: `${title} (${per(rates.facet)}, floor ${per(rates.floor)})`,
            items: BASE,
            connections: Number(count),
            value,
            unit: '×',
            raw: rates,
          },
          least,
        )
        if (work === 'read' && count === '10') this.readRates.set(BASE, median(rates.facet))
      }
    if (this.wants('create')) await this.measureEightWriters(facet)
  }

  private async measureEightWriters(facet: Server): Promise<void> {
    const { rate, p99 } = await this.apply(facet, 'create', 8)
    this.report.note({
      what: '8 writers at once',
      items: BASE,
      connections: 8,
      value: rate,
      unit: '/s',
      raw: { p99 },
    })
  }

  private async measureReading(facet: Server, items: number): Promise<void> {
    if (!this.wants('read')) return
    const rates: number[] = []
    await this.apply(facet, 'read', 10, 0.5)
    for (let round = 0; round < this.options.rounds; round++)
      rates.push((await this.apply(facet, 'read', 10)).rate)
    const rate = median(rates)
    this.report.note({ what: 'read by id', items, connections: 10, value: rate, unit: '/s', raw: rates })
    const base = this.readRates.get(BASE)
    if (items === MILLION && base)
      this.report.atLeast(
        { what: 'read by id, of its rate at 10,000', items, value: rate / base, unit: '×' },
        READ_RATE_AT_MILLION,
      )
  }

  /** One search at a time. */
  private async measureSearches(facet: Server, items: number): Promise<void> {
    const targets: Partial<Record<WorkName, number>> =
      items === MILLION ? SEARCH_P50 : items === MANY ? SEARCH_P50_OF_MANY : {}
    for (const name of SEARCHED) {
      if (!this.wants(name)) continue
      const times = await oneByOne(facet, this.requests(name))
      const figure = {
        what: `${WORKS[name].title}, p50`,
        items,
        value: median(times),
        unit: 'ms',
        raw: times,
      }
      const most = targets[name]
      if (most !== undefined) this.report.atMost(figure, most)
      else this.report.note(figure)
    }
  }

  private async measureRanked(facet: Server, items: number): Promise<void> {
    const random = new Random(this.seed++)
    await measureRanked(this.report, facet, items, {
      wants: (name) => this.wants(name),
      request: (name) => WORKS[name].request(random, this.sample),
    })
  }

  private requests(name: WorkName): WorkRequest[] {
    const random = new Random(this.seed++)
    return Array.from({ length: SEARCHES }, () => WORKS[name].request(random, this.sample))
  }

  /** Servers at once share the connections. */
  private async apply(
    servers: Server | readonly Server[],
    work: WorkName,
    connections: number,
    seconds = this.options.seconds,
  ): Promise<Load> {
    const targets = [servers].flat().map(({ url, cookie, name }) => ({ url, cookie, name }))
    const job: Job = { targets, sample: this.sample, work, connections, seconds, seed: this.seed++ }
    this.load.send(job)
    const [answer] = await once(this.load, 'message')
    const load = answer as Load
    if (load.failed) throw new Error(`${targets[0]!.name}: ${load.failed} requests of '${work}' failed`)
    return load
  }
}

if (process.argv[2] === 'web') {
  // In a process of its own, whose budgets are told as they are measured.
  const { status } = spawnSync(process.execPath, ['test/web/measure-web.ts', ...process.argv.slice(3)], {
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}
const options = readOptions()
const report = new Report()
await new Bench(options, report).run()
if (report.isEmpty)
  throw new Error('Nothing was measured: what --only asks for is not there at this --items or --engine')
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: availableParallelism() }
const path = report.save({ options, machine })
const { missed } = report
heading(missed.length ? `${missed.length} targets missed` : 'All targets met')
process.stdout.write(`Figures: ${path}\n`)

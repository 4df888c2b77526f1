import autocannon, { type Client, type Result } from 'autocannon'
import { Random } from '#bench/random.ts'
import { type Sample, type Work, type WorkName, WORKS } from '#bench/works.ts'

/** The load: a process of its own that takes jobs from the bench and answers figures. */

export interface Job {
  /** The servers, which share the connections. */
  targets: { url: string; cookie: string | null }[]
  sample: Sample
  work: WorkName
  connections: number
  seconds: number
  /** Requests, in place of seconds. */
  amount?: number
  seed: number
}

export interface Load {
  /** Requests answered with 2xx; and in a second. */
  requests: number
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Requests that were not answered with 2xx. */
  failed: number
}

/** Made before the clock runs; more than one connection sends in a round. */
const PREPARED = 40_000

process.on('message', (job: Job) => {
  void run(job).then((load) => process.send!(load))
})

async function run(job: Job): Promise<Load> {
  const { targets } = job
  const times: number[] = []
  const connections = job.connections / targets.length
  const results = await Promise.all(
    targets.map((target, i) => load(target, { ...job, connections, seed: job.seed + i * 1000 }, times)),
  )
  return summary(results, times)
}

function load(
  { url, cookie }: Job['targets'][number],
  { sample, work, connections, seconds, amount, seed }: Job,
  times: number[],
): Promise<Result> {
  const definition: Work = WORKS[work]
  const random = new Random(seed)
  const headers = { 'content-type': 'application/json', ...(cookie && { cookie }) }
  const request = () => {
    const { body, ...rest } = definition.request(random, sample)
    return { ...rest, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  }
  const few = definition.different && Array.from({ length: definition.different }, request)
  const prepared = Math.ceil(Math.min(PREPARED, amount ?? seconds * 8000) / connections)
  const setupClient = (client: Client) => client.setRequests(few || Array.from({ length: prepared }, request))
  return new Promise((resolve, reject) => {
    const most = amount === undefined ? { duration: seconds } : { amount }
    const options = { url, connections, ...most, sampleInt: 100, timeout: 60, setupClient }
    const instance = autocannon(options, (error, result) => {
      if (error) reject(error)
      else resolve(result)
    })
    instance.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds))
  })
}

function summary(results: Result[], times: number[]): Load {
  const sum = (of: (result: Result) => number) => results.reduce((total, each) => total + of(each), 0)
  const ordered = times.toSorted((a, b) => a - b)
  const at = (part: number) => ordered[Math.floor(part * (ordered.length - 1))] ?? NaN
  return {
    requests: sum((result) => result['2xx']),
    rate: sum((result) => result['2xx'] / result.duration),
    p50: at(0.5),
    p99: at(0.99),
    failed: sum((result) => result.non2xx + result.errors),
  }
}

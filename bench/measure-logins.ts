import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Load } from '#bench/load.ts'
import type { Report } from '#bench/report.ts'
import { PASSWORD, register, type Server } from '#bench/servers.ts'
import { FLOODED_LOGIN_P99, FLOODED_READ_P99 } from '#bench/targets.ts'

/** Milliseconds until the queue for passwords is as long as it gets. */
const WARM_UP = 2000
const GOOD_LOGINS = 40
const EMAIL = 'good@example.org'
/** Not the one that the flood comes from. */
const OTHER_ADDRESS = '127.0.0.2'

/** Reads, and good logins from another address, while 500 bad logins at once come from one. */
export async function measureLogins(
  report: Report,
  facet: Server,
  items: number,
  read: () => Promise<Load>,
): Promise<void> {
  await register(facet.url, EMAIL)
  const flood = fork('bench/flood.ts', [facet.url])
  await new Promise((resolve) => setTimeout(resolve, WARM_UP))
  const [reads, logins] = await Promise.all([read(), goodLogins(facet.url)])
  const stopped = once(flood, 'message')
  flood.send('stop')
  const [answered] = await stopped
  const common = { items, unit: 'ms' }
  report.atMost(
    {
      ...common,
      what: `read by id under 500 bad logins (${Math.round(reads.rate)}/s), p99`,
      connections: 10,
      value: reads.p99,
      raw: { reads, answered },
    },
    FLOODED_READ_P99,
  )
  report.atMost(
    { ...common, what: 'good login from another address meanwhile, p99', value: logins.at(-1)!, raw: logins },
    FLOODED_LOGIN_P99,
  )
}

/** How long each took, one after the other; shortest first. */
async function goodLogins(url: string): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < GOOD_LOGINS; i++) {
    const begun = performance.now()
    const status = await logIn(url)
    if (status !== 200) throw new Error(`a good login answered ${status}`)
    times.push(performance.now() - begun)
  }
  return times.toSorted((a, b) => a - b)
}

function logIn(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const options = { method: 'POST', localAddress: OTHER_ADDRESS, headers }
    const sent = request(`${url}/api/auth/login`, options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    sent.once('error', reject)
    sent.end(JSON.stringify({ email: EMAIL, password: PASSWORD }))
  })
}

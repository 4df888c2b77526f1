import { Agent, request } from 'node:http'
import type { Server } from '#bench/servers.ts'
import type { WorkRequest } from '#bench/works.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/**
 * Milliseconds of each request, one after the other. Before each something is written, so that no answer comes from
 * memory.
 */
export async function oneByOne(server: Server, requests: readonly WorkRequest[]): Promise<number[]> {
  const times: number[] = []
  for (const [i, each] of requests.entries()) {
    await send(server, { method: 'PUT', path: '/api/auth/profile', body: { display_name: `Bench ${i}` } })
    const begun = performance.now()
    await send(server, each)
    times.push(performance.now() - begun)
  }
  return times
}

function send({ url, cookie }: Server, { method, path, body }: WorkRequest): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(cookie && { cookie }) }
  return new Promise((resolve, reject) => {
    const call = request(`${url}${path}`, { method, headers, agent }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${path} answered ${response.statusCode}`)),
      )
    })
    call.on('error', reject)
    call.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

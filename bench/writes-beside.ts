import type { Server } from '#bench/servers.ts'

/** From one write of somebody else to the next. */
const PAUSE_MS = 5

/** Sends JSON as the bench's account; the answer's text. @throws where it is no success */
export async function sendTo(
  { url, cookie }: Server,
  path: string,
  body: object,
): Promise<{ text: string; headers: Headers }> {
  const response = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookie! },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return { text, headers: response.headers }
}

/** Somebody else's writes, one after the other, until they are ended; that answers milliseconds of the longest. */
export function writesBeside(server: Server): { end(): Promise<number> } {
  const under = { way: true, longest: 0 }
  const others = (async () => {
    while (under.way) {
      const begun = performance.now()
      await sendTo(server, '/items', { name: 'Beside' })
      under.longest = Math.max(under.longest, performance.now() - begun)
      await new Promise((resume) => setTimeout(resume, PAUSE_MS))
    }
  })()
  return {
    async end() {
      under.way = false
      await others
      return under.longest
    },
  }
}

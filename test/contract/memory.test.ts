import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { uploadOf } from '#bench/upload.ts'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'

describe('memory', () => {
  const SIZE = 2_000
  const COUNT = 20_000

  it('does not grow with the result or with slow readers', async () => {
    await using service = new ServiceProcess({ env: { LOG_LEVEL: 'silent' } })
    const user = new Client(await service.url())
    await user.ok('POST', '/api/auth/register', { email: 'a@b.c', password: 'correct horse' })
    const description = 'x'.repeat(SIZE)
    for (let i = 0; i < COUNT; i += 1000)
      await user.ok('POST', '/api/items/bulk', {
        items: Array.from({ length: 1000 }, (_, j) => ({ name: `${i + j}`, description })),
      })
    await read(user) // all code is loaded and warm
    const before = rss(service.child.pid!)
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, rss(service.child.pid!))), 20)
    const sizes = await Promise.all([
      read(user),
      read(user, 800),
      read(user, 800),
      read(user, 800),
      read(user, 800),
    ])
    clearInterval(watch)
    for (const size of sizes) expect(size).toBeGreaterThan(COUNT * SIZE)
    // Of 250 MB that are read; each list is read one page ahead of what goes out.
    expect(peak - before).toBeLessThan(150)
  })

  it('does not grow with a file that is sent, nor with fifty at once', async () => {
    await using service = new ServiceProcess({ env: { LOG_LEVEL: 'silent', FILE_LIMIT: '1 GiB' } })
    const user = new Client(await service.url())
    await user.ok('POST', '/api/auth/register', { email: 'a@b.c', password: 'correct horse' })
    await uploadOf(user.url, user.cookieHeader, MB)
    const before = rss(service.child.pid!)
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, rss(service.child.pid!))), 10)
    const send = (bytes: number) => uploadOf(user.url, user.cookieHeader, bytes)
    await send(200 * MB)
    const ofOne = peak - before
    await Promise.all(Array.from({ length: 50 }, () => send(3 * MB)))
    clearInterval(watch)
    // `npm run bench -- --only files` measures 5 GB.
    expect([ofOne < 40, peak - before < 64], `${ofOne}, ${peak - before} MB`).toEqual([true, true])
  })
})

const MB = 2 ** 20
/** MB. */
const rss = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Reads all items; lets the server wait first. */
function read(user: Client, wait = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${user.url}/api/items/search`,
      { method: 'POST', headers: { cookie: user.cookieHeader } },
      (response) => {
        let size = 0
        let last = ''
        setTimeout(() => {
          response.on('data', (data: Buffer) => {
            size += data.length
            last = data.toString('latin1', data.length - 1)
          })
        }, wait)
        response.on('end', () => (last === ']' ? resolve(size) : reject(new Error('the JSON is open'))))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

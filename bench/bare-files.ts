import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** What files are measured beside: a server that writes a stream to a file, and answers with one. */
const [folder = '.bench/run/bare'] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })

const server = createServer((request, response) => {
  const path = join(folder, 'file')
  const done =
    request.method === 'POST'
      ? pipeline(request, createWriteStream(path, { flush: true })).then(() => response.end('{}'))
      : pipeline(createReadStream(path), response)
  done.catch((error: unknown) => response.destroy(error as Error))
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)

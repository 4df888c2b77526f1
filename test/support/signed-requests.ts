import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import aws4 from 'aws4'

const refusal = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`

/** Before it is passed on, and before its answer is. */
export type Moment = 'before' | 'after'

export interface Passed {
  method: string
  url: URL
  body: Buffer
}

export interface Meddling {
  /** What it gives holds the request up; `after`: for good. */
  meet(moment: Moment, request: Passed): Promise<void> | undefined
  /** Of its answer only the first bytes come. */
  stalls(request: Passed): boolean
  /** What the key may not do, though it is a good one. */
  forbids(request: Passed): boolean
}

/** s3rver verifies no signatures, this does, by a library of others: it lets through what is signed with this secret, its body among it, and refuses all else. */
export async function requireSignatures(
  port: number,
  key: string,
  meddling: Meddling = { meet: () => undefined, stalls: () => false, forbids: () => false },
): Promise<Server> {
  const server = createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      const body = Buffer.concat(pieces)
      if (!isSigned(request, body, key)) return response.writeHead(403).end(refusal('SignatureDoesNotMatch'))
      const { method, url: path, headers } = request
      const met = { method: method!, url: new URL(path!, 'http://s3'), body }
      if (meddling.forbids(met)) return response.writeHead(403).end(refusal('AccessDenied'))
      await meddling.meet('before', met)
      const passed = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        const pass = () => {
          response.writeHead(answer.statusCode!, answer.headers)
          if (meddling.stalls(met))
            answer.once('data', (piece) => response.write(piece, () => answer.destroy()))
          else answer.pipe(response)
        }
        const held = meddling.meet('after', met)
        if (!held) pass()
      })
      passed.on('error', () => response.destroy())
      passed.end(body)
    })().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

function isSigned({ method, url, headers }: IncomingMessage, body: Buffer, key: string): boolean {
  const { authorization = '' } = headers
  const [, accessKeyId, names = ''] = /Credential=([^/]+)\/.*SignedHeaders=([^,]+)/.exec(authorization) ?? []
  // Whose key it is, the service behind says.
  if (accessKeyId !== key) return true
  if (createHash('sha256').update(body).digest('hex') !== headers['x-amz-content-sha256']) return false
  const signed = Object.fromEntries(names.split(';').map((name) => [name, headers[name]]))
  const again = aws4.sign(
    {
      method,
      path: url,
      service: 's3',
      region: 'us-east-1',
      host: headers.host,
      headers: signed,
      extraHeadersToInclude: { range: true },
    },
    { accessKeyId: key, secretAccessKey: key },
  )
  return again.headers['Authorization'] === authorization
}

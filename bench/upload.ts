import { randomBytes } from 'node:crypto'
import { request } from 'node:http'

const PIECE = 2 ** 20

/** Sends so many bytes as a file, of which this side never has more than a piece; its id. */
export function uploadOf(url: string, cookie: string, bytes: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = { cookie, 'content-length': bytes }
  const sent = request(`${url}/api/files?name=large.bin`, { method: 'POST', headers }, (answer) => {
    let text = ''
    answer.on('data', (data) => (text += data))
    answer.on('end', () => {
      const { file_id, message } = JSON.parse(text)
      if (file_id) resolve(file_id)
      else reject(new Error(`the upload answered ${answer.statusCode}: ${message}`))
    })
  })
  sent.on('error', reject)
  const piece = randomBytes(PIECE)
  let left = bytes
  const send = () => {
    while (left > 0) {
      const next = piece.subarray(0, left)
      left -= next.length
      if (!sent.write(next) && left) return void sent.once('drain', send)
    }
    sent.end()
  }
  send()
  return promise
}

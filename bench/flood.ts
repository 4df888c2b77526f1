import { Agent, request } from 'node:http'

/** Bad logins without pause, each for another account, in a process of its own: started with the server's address. */

const AT_ONCE = 500
const [url = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
let seq = 0
const answered = { refused: 0, turned_away: 0 }

function attempt(): void {
  const body = JSON.stringify({ email: `nobody-${seq++}@example.org`, password: 'a wrong password' })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const sent = request(`${url}/api/auth/login`, { method: 'POST', agent, headers }, (response) => {
    if (response.statusCode === 401) answered.refused++
    else answered.turned_away++
    response.resume().once('end', attempt)
  })
  sent.once('error', () => process.exit())
  sent.end(body)
}

process.once('message', () => process.send!(answered, () => process.exit()))
for (let i = 0; i < AT_ONCE; i++) attempt()

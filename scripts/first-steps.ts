/** What somebody new does first, on a service that has just started; both in milliseconds of `performance.now`. */
export interface FirstSteps {
  /** An account, and an item of it. */
  row: number
  /** A key, and by it a tool that an agent calls. */
  agent: number
}

const AGENT = { name: 'try', version: '1' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** @throws Error that says which step was answered how */
export async function takeFirstSteps(url: string): Promise<FirstSteps> {
  const account = { email: 'ada@example.org', password: 'correct horse' }
  const registered = await post(`${url}/api/auth/register`, account)
  const cookie = registered.headers.getSetCookie()[0]!.split(';', 1)[0]!
  await post(`${url}/api/items`, { name: 'First' }, { cookie })
  const row = performance.now()
  const made = await post(`${url}/api/keys`, { name: 'try', scope: 'read' }, { cookie })
  const { key } = (await made.json()) as { key: string }
  const ask = agent(url, key)
  const begun = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: AGENT }
  await ask('initialize', begun)
  const said = await ask('tools/call', {
    name: 'get_items',
    arguments: { filter: { name: { contains: 'First' } } },
  })
  if (!said.includes('First')) throw new Error(`the agent was answered ${said}`)
  return { row, agent: performance.now() }
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok)
    throw new Error(`${new URL(url).pathname} was answered ${answer.status}: ${await answer.text()}`)
  return answer
}

/** Speaks the Model Context Protocol with a key, one message after the other. */
function agent(url: string, key: string) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
  }
  let id = 0
  return async (method: string, params: object): Promise<string> => {
    const answer = await post(`${url}/api/mcp`, { jsonrpc: '2.0', id: ++id, method, params }, headers)
    const session = answer.headers.get('mcp-session-id')
    if (session) headers['mcp-session-id'] = session
    return answer.text()
  }
}

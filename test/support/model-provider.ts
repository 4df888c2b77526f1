import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { drained } from '#src/api/drained.ts'

/** One answer of the model: pieces of text, then calls of tools. */
interface Scripted {
  text?: readonly string[]
  calls?: readonly ScriptedCall[]
  /**
   * What comes in place of the end. `stall`: nothing more; `cut`: the connection breaks; `end`: the stream just ends;
   * `length`: it has written as much as it may; `window`: the conversation fills its context (Anthropic).
   */
  ending?: 'stall' | 'cut' | 'end' | 'filter' | 'length' | 'window'
  /** Why it ends, in a word that the format does not know. */
  reason?: string
  /** An event of another shape than its documentation has, before the end. */
  strange?: object
  /** Milliseconds before each piece. */
  pause?: number
  /** The first piece waits for it. */
  after?: Promise<unknown>
}
interface ScriptedCall {
  name: string
  /** A text is sent as it is: models write broken JSON too. */
  arguments: object | string
  /** Instead of one of the provider's usual form. */
  id?: string
}
interface Refusal {
  status: number
  message: string
  headers?: Record<string, string>
}
type Answer = Scripted | Refusal
type Script = Answer | ((request: ModelRequest) => Answer)

interface ModelRequest {
  path: string
  headers: IncomingMessage['headers']
  // eslint-disable-next-line typescript/no-explicit-any -- three formats; tests look into them
  body: any
  /** The client went away before the end. */
  aborted: boolean
  /** Characters of the answer that have been written. */
  sent: number
}

/** How one provider writes an answer as server-sent events. */
interface Format {
  write(answer: Scripted, send: (data: object, event?: string) => Promise<void>): Promise<void>
  end(
    answer: Scripted,
    send: (data: object, event?: string) => Promise<void>,
    raw: (text: string) => void,
  ): Promise<void>
  refusal(refusal: Refusal): object
}

const argumentsText = (call: ScriptedCall) =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
/** As models do it: not all at once. */
const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)]
let ids = 0
const newId = (prefix: string) => `${prefix}_${++ids}`

/** https://platform.openai.com/docs/api-reference/chat-streaming */
const chatCompletions: Format = {
  async write({ text = [], calls = [] }, send) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      send({
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'scripted',
        choices: [{ index: 0, delta, finish_reason }],
      })
    await chunk({ role: 'assistant', content: '' })
    for (const content of text) await chunk({ content })
    for (const [index, call] of calls.entries()) {
      await chunk({
        tool_calls: [
          {
            index,
            id: call.id ?? newId('call'),
            type: 'function',
            function: { name: call.name, arguments: '' },
          },
        ],
      })
      for (const half of halves(argumentsText(call)))
        await chunk({ tool_calls: [{ index, function: { arguments: half } }] })
    }
  },
  async end({ calls = [], ending, reason }, send, raw) {
    const ended = ending === 'length' ? 'length' : calls.length ? 'tool_calls' : 'stop'
    const finish_reason = reason ?? (ending === 'filter' ? 'content_filter' : ended)
    await send({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, delta: {}, finish_reason }],
    })
    raw('data: [DONE]\n\n')
  },
  refusal: ({ message }) => ({ error: { message, type: 'error', param: null, code: null } }),
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const responses: Format = {
  async write({ text = [], calls = [] }, send) {
    await send({
      type: 'response.created',
      response: { id: newId('resp'), object: 'response', created_at: 1, model: 'scripted', output: [] },
    })
    let output_index = 0
    if (text.length) {
      const item_id = newId('msg')
      await send({
        type: 'response.output_item.added',
        output_index,
        item: { type: 'message', id: item_id, role: 'assistant', status: 'in_progress', content: [] },
      })
      for (const delta of text)
        await send({ type: 'response.output_text.delta', item_id, output_index, content_index: 0, delta })
      const content = [{ type: 'output_text', text: text.join(''), annotations: [] }]
      await send({
        type: 'response.output_item.done',
        output_index,
        item: { type: 'message', id: item_id, role: 'assistant', status: 'completed', content },
      })
      output_index++
    }
    for (const call of calls) {
      const call_id = call.id ?? newId('call')
      const item = { type: 'function_call', id: newId('fc'), call_id, name: call.name }
      const text = argumentsText(call)
      await send({
        type: 'response.output_item.added',
        output_index,
        item: { ...item, arguments: '', status: 'in_progress' },
      })
      for (const delta of halves(text))
        await send({ type: 'response.function_call_arguments.delta', item_id: item.id, output_index, delta })
      await send({
        type: 'response.function_call_arguments.done',
        item_id: item.id,
        output_index,
        arguments: text,
      })
      await send({
        type: 'response.output_item.done',
        output_index,
        item: { ...item, arguments: text, status: 'completed' },
      })
      output_index++
    }
  },
  async end({ ending, reason: own }, send) {
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    }
    const response = { id: 'resp', object: 'response', created_at: 1, model: 'scripted', output: [], usage }
    const reason =
      own ?? (ending === 'filter' ? 'content_filter' : ending === 'length' ? 'max_output_tokens' : undefined)
    if (reason)
      await send({ type: 'response.incomplete', response: { ...response, incomplete_details: { reason } } })
    else await send({ type: 'response.completed', response: { ...response, incomplete_details: null } })
  },
  refusal: ({ message }) => ({ error: { message, type: 'error', param: null, code: null } }),
}

/** https://docs.anthropic.com/en/api/messages-streaming */
const messages: Format = {
  async write({ text = [], calls = [] }, send) {
    const event = (data: { type: string; [name: string]: unknown }) => send(data, data.type)
    await event({
      type: 'message_start',
      message: {
        id: newId('msg'),
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    })
    await event({ type: 'ping' })
    let index = 0
    if (text.length) {
      await event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
      for (const each of text)
        await event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: each } })
      await event({ type: 'content_block_stop', index })
      index++
    }
    for (const call of calls) {
      await event({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: call.id ?? newId('toolu'), name: call.name, input: {} },
      })
      for (const partial_json of halves(argumentsText(call)))
        await event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } })
      await event({ type: 'content_block_stop', index })
      index++
    }
  },
  async end({ calls = [], ending, reason }, send) {
    const ended = ending === 'length' ? 'max_tokens' : calls.length ? 'tool_use' : 'end_turn'
    const full = ending === 'window' ? 'model_context_window_exceeded' : ended
    const stop_reason = reason ?? (ending === 'filter' ? 'refusal' : full)
    await send(
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
      'message_delta',
    )
    await send({ type: 'message_stop' }, 'message_stop')
  },
  refusal: ({ message }) => ({ type: 'error', error: { type: 'api_error', message } }),
}

const FORMATS: Record<string, Format> = {
  '/v1/chat/completions': chatCompletions,
  '/v1/responses': responses,
  '/v1/messages': messages,
}

/** A provider of language models on loopback that says what it was told to say, in the format that it is asked in. */
export async function startModelProvider() {
  const queue: Script[] = []
  const requests: ModelRequest[] = []
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url: path = '', headers } = request
    const seen: ModelRequest = {
      path,
      headers,
      body: JSON.parse(Buffer.concat(chunks).toString()),
      aborted: false,
      sent: 0,
    }
    requests.push(seen)
    response.on('close', () => (seen.aborted = !response.writableFinished))
    const format = FORMATS[path]
    const script = queue.length > 1 ? queue.shift() : queue[0]
    if (!format || !script) {
      response.writeHead(404).end()
      return
    }
    await play(typeof script === 'function' ? script(seen) : script, format, response, seen)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    /** What LLM_BASE_URL takes. */
    url: `http://127.0.0.1:${port}/v1`,
    /** Everything that was asked, oldest first. */
    requests,
    /** What the next requests are answered, in order; the last answer goes on for ever. */
    say(...answers: Script[]) {
      queue.splice(0, queue.length, ...answers)
      requests.length = 0
    },
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
export type ModelProvider = Awaited<ReturnType<typeof startModelProvider>>

async function play(
  answer: Answer,
  format: Format,
  response: ServerResponse,
  seen: ModelRequest,
): Promise<void> {
  if ('status' in answer) {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(format.refusal(answer)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = async (data: object, event?: string) => {
    if (answer.pause) await new Promise((resolve) => setTimeout(resolve, answer.pause))
    const text = `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`
    if (response.destroyed) return
    seen.sent += text.length
    if (!response.write(text)) await drained(response)
  }
  await answer.after
  await format.write(answer, send)
  if (answer.strange) await send(answer.strange)
  if (answer.ending === 'stall') return
  if (answer.ending === 'cut') {
    // What was said should arrive first.
    await new Promise((resolve) => setTimeout(resolve, 50))
    response.destroy()
    return
  }
  if (answer.ending !== 'end') await format.end(answer, send, (text) => response.write(text))
  response.end()
}

import type { FastifyReply, FastifyRequest } from 'fastify'

type Done = (error: Error | null, payload?: unknown) => void

interface Ready {
  request: FastifyRequest
  reply: FastifyReply
  payload: unknown
  done: Done
}

/**
 * A hook before an answer is sent, the last of them: what is ready in one turn of the event loop goes out at its end, so
 * that who waits is woken once for all of it. To wake a client's thread costs more than to read an item (decision 53).
 */
export function sendTogether(): (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done,
) => void {
  let ready: Ready[] = []
  const flush = () => {
    const answers = ready
    ready = []
    for (const each of answers) send(each)
  }
  return (request, reply, payload, done) => {
    if (!ready.length) setImmediate(flush)
    ready.push({ request, reply, payload, done })
  }
}

/** One that cannot be sent ends itself alone. */
function send({ request, reply, payload, done }: Ready): void {
  try {
    done(null, payload)
  } catch (error) {
    request.log.error(error)
    reply.raw.destroy()
  }
}

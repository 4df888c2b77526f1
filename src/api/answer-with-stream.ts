import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenStreams } from '#src/api/open-streams.ts'
import { EventStream } from '#src/api/sse.ts'

/**
 * Answers with a stream that counts as one of its user's and ends with the session, or the key. `begin` runs before
 * the answer begins, so that anyone who sees it begin is notified of everything that they do from then on; what it answers
 * is given the stream.
 */
export async function answerWithStream(
  { open, heartbeat }: { open: OpenStreams; heartbeat: number | undefined },
  { caller }: FastifyRequest,
  reply: FastifyReply,
  begin: () => Promise<(stream: EventStream) => void>,
): Promise<void> {
  let stream: EventStream | undefined
  let ended = false
  const own = open.open(caller, () => {
    ended = true
    stream?.close()
  })
  try {
    const follow = await begin()
    reply.hijack()
    stream = new EventStream(reply.raw, { headers: reply.getHeaders(), heartbeat })
    stream.onClosed(() => own.release())
    if (ended) return stream.close()
    follow(stream)
  } catch (error) {
    own.release()
    throw error
  }
}

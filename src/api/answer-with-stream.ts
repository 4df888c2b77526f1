import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenStreams } from '#src/api/open-streams.ts'
import type { ServiceError } from '#src/domain/errors.ts'
import { EventStream } from '#src/api/sse.ts'

/**
 * Answers with a stream that counts as one of its user's and ends with the session, or the key. `begin` runs before
 * the answer begins, so that anyone who sees it begin is notified of everything that they do from then on; what it answers
 * is given the stream. One that has ended by then is 401 (503: the service stops).
 */
export async function answerWithStream(
  { open, heartbeat }: { open: OpenStreams; heartbeat: number | undefined },
  { caller }: FastifyRequest,
  reply: FastifyReply,
  begin: () => Promise<(stream: EventStream) => void>,
): Promise<void> {
  let stream: EventStream | undefined
  let ended: ServiceError | undefined
  const own = open.open(caller, (why) => {
    ended = why
    stream?.close()
  })
  try {
    const follow = await begin()
    if (ended) throw ended
    reply.hijack()
    stream = new EventStream(reply.raw, { headers: reply.getHeaders(), heartbeat })
    stream.onClosed(() => own.release())
    follow(stream)
  } catch (error) {
    own.release()
    throw error
  }
}

import { type Readable, Transform, type TransformCallback } from 'node:stream'
import { whenClosed } from '#src/api/drained.ts'
import { ServiceError } from '#src/domain/errors.ts'

/** Bytes of a body that is not worth counting. */
export const LARGE_BODY = 64 * 1024

/** The least that has to come of a large body: so many bytes in each stretch of time but the first. */
export interface Pace {
  bytes: number
  milliseconds: number
}

/** The least that has to come of a large body, but for its first five seconds: 32 KiB a second. */
export const BODY_PACE: Pace = { bytes: 5 * 32 * 1024, milliseconds: 5000 }

interface MeteredBodyOptions {
  /** Bytes have come; a promise where they have to wait for room. */
  arrive: (count: number) => Promise<void> | undefined
  pace: Pace | undefined
  /** It says that it is; else it is one once that much has come. */
  isLarge: boolean
}

/** A body on its way from the socket to its reader: counted as it comes, and ended where it comes too slowly. */
export class MeteredBody extends Transform {
  /** Its client left before its end, while it was read: not where what reads it failed first. */
  wasCutOff = false
  private readonly arrive: MeteredBodyOptions['arrive']
  private readonly pace: Pace | undefined
  private timer: NodeJS.Timeout | undefined
  private received = 0
  /** Bytes of this stretch of time. */
  private lately = 0
  private stretches = 0
  /** It waits for room, which is not its client's fault; nor is a reader that leaves what has come. */
  private waits = false

  constructor(source: Readable, { arrive, pace, isLarge }: MeteredBodyOptions) {
    // One piece waits, so that its reader gets pieces as they came.
    super({ highWaterMark: 1 })
    this.arrive = arrive
    this.pace = pace
    // Its reader may have gone when it ends.
    this.on('error', () => undefined)
    source.once('error', (error) => this.cutOff(error))
    whenClosed(source, () => {
      if (!source.readableEnded) this.cutOff(new Error('The client has left'))
    })
    if (isLarge) this.watch()
    source.pipe(this)
  }

  private cutOff(error: Error): void {
    if (this.destroyed) return
    this.wasCutOff = true
    this.destroy(error)
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.lately += chunk.length
    this.received += chunk.length
    if (this.received > LARGE_BODY) this.watch()
    const room = this.arrive(chunk.length)
    if (!room) return done(null, chunk)
    void this.whenThereIs(room, (error) => done(error, chunk))
  }

  private async whenThereIs(room: Promise<void>, done: (error: Error | null) => void): Promise<void> {
    this.waits = true
    const refusal = await room.then(
      () => null,
      (error: Error) => error,
    )
    this.waits = false
    this.stretches = 0
    done(refusal)
  }

  override _flush(done: TransformCallback): void {
    clearInterval(this.timer)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.timer)
    done(error)
  }

  private watch(): void {
    const { pace } = this
    if (!pace || this.timer || this.destroyed) return
    this.timer = setInterval(() => {
      const isSlow = !this.waits && !this.readableLength && this.stretches++ > 0 && this.lately < pace.bytes
      this.lately = 0
      if (isSlow) this.destroy(tooSlow(pace))
    }, pace.milliseconds)
    this.timer.unref()
  }
}

const tooSlow = ({ bytes, milliseconds }: Pace) =>
  new ServiceError(
    'RequestTimeout',
    `The body came too slowly: one of more than ${LARGE_BODY} bytes has to come with ${Math.round((bytes * 1000) / milliseconds)} bytes a second`,
    { suggestion: 'Send it in several requests, each with fewer bytes' },
  )

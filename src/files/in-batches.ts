/** Bytes that a batch has room for at first: most files are small. */
const LEAST = 64 * 1024

/**
 * A stream in batches of `sizeOf(how many there were)` bytes, but for the last one. They are put together in as
 * many buffers as `turns` says, one after the other, so that a large file costs what a small one does: of two, a batch is
 * good until the next but one is asked for. Nothing of the stream's own pieces is kept.
 */
export async function* inBatches(
  content: AsyncIterable<Uint8Array>,
  sizeOf: (count: number) => number,
  turns: 1 | 2,
): AsyncGenerator<Uint8Array, void> {
  const buffers = Array.from({ length: turns }, () => new Uint8Array())
  let count = 0
  let used = 0
  for await (const piece of content) {
    const wanted = sizeOf(count)
    for (let at = 0; at < piece.length;) {
      const buffer = withRoom(buffers[count % turns]!, used, piece.length - at, wanted)
      buffers[count % turns] = buffer
      const taken = Math.min(piece.length - at, wanted - used)
      buffer.set(piece.subarray(at, at + taken), used)
      at += taken
      used += taken
      if (used < wanted) continue
      yield buffer.subarray(0, used)
      count++
      used = 0
    }
  }
  if (used) yield buffers[count % turns]!.subarray(0, used)
}

/** The buffer, or a larger one with what it has, so that more of the wanted bytes have room. */
function withRoom(
  buffer: Uint8Array<ArrayBuffer>,
  used: number,
  more: number,
  wanted: number,
): Uint8Array<ArrayBuffer> {
  const needed = Math.min(used + more, wanted)
  if (buffer.length >= needed) return buffer
  const size = Math.min(wanted, Math.max(LEAST, 2 * buffer.length, needed))
  const larger = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer)
  larger.set(buffer.subarray(0, used))
  return larger
}

import { ServiceError } from '#src/domain/errors.ts'

/** Bytes. Texts that folding does not make longer may have any length that a request may. */
const MOST_GROWTH = 32 * 2 ** 20

interface Texts {
  name: string
  description: string | null
}

/**
 * How much longer folding makes the texts of one change. Some characters become eighteen, and the writer is held for as
 * long as it takes to index what they become.
 */
export class FoldedGrowth {
  private left = MOST_GROWTH

  /** @throws PayloadTooLarge */
  add(given: Texts, folded: Texts): void {
    this.left -= Math.max(0, size(folded) - size(given))
    if (this.left >= 0) return
    throw new ServiceError(
      'PayloadTooLarge',
      `For searches ligatures and syllables are taken apart, and the texts of this call would grow by more than ${MOST_GROWTH} bytes`,
      { suggestion: 'Write fewer of the items at once, in several calls' },
    )
  }
}

const size = ({ name, description }: Texts) =>
  Buffer.byteLength(name) + (description === null ? 0 : Buffer.byteLength(description))

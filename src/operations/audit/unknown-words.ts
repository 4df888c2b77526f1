import { SOURCES } from '#src/domain/caller.ts'
import { didYouMean } from '#src/domain/message-words.ts'
import { parseUlid } from '#src/domain/ulid.ts'

/** More warnings than these help nobody. */
const MOST = 20
/** Characters of a word that a warning shows. */
const MAX_SHOWN = 200

/** What a question about the past asks for that no event and no change can have: it selects nothing, and says so. */
export class UnknownWords {
  readonly warnings: string[] = []

  /** `what` is what the place names: an event type, a tag. */
  add(path: string, word: string, what: string, known: readonly string[] = []): void {
    if (this.warnings.length >= MOST) return
    const advice = known.length ? `; ${didYouMean(word, known)}` : ''
    this.warnings.push(`${path}: there is no ${what} '${word.slice(0, MAX_SHOWN).toWellFormed()}'${advice}`)
  }

  /** Notes those of some words that are not known. */
  check(path: string, words: readonly string[], what: string, known: readonly string[]): void {
    for (const [i, word] of words.entries())
      if (!known.includes(word)) this.add(`${path}[${i}]`, word, what, known)
  }

  /** An e-mail address is no account's id, and no account is looked up by it here. */
  checkId(path: string, id: string | undefined, what: string): void {
    if (id !== undefined && parseUlid(id) === null) this.add(path, id, what)
  }

  checkIds(path: string, ids: readonly string[], what: string): void {
    for (const [i, id] of ids.entries()) this.checkId(`${path}[${i}]`, id, what)
  }

  checkSource(source: string | undefined, path = 'source'): void {
    if (source !== undefined && !(SOURCES as readonly string[]).includes(source))
      this.add(path, source, 'source', SOURCES)
  }
}

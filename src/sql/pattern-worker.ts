import { parentPort } from 'node:worker_threads'
import { matchesPattern } from '#src/domain/pattern.ts'
import { PRIORITY, yieldToOthers } from '#src/process/thread-priority.ts'

/** Where does the pattern match? */
export type Question = [seq: number, pattern: string, texts: readonly (string | null)[]]
/** Positions of texts. */
export type Answer = [seq: number, matching: number[]]

yieldToOthers(PRIORITY.behind)
parentPort!.on('message', ([seq, pattern, texts]: Question) => {
  const matching = texts.flatMap((text, i) => (text !== null && matchesPattern(pattern, text) ? [i] : []))
  parentPort!.postMessage([seq, matching] satisfies Answer)
})

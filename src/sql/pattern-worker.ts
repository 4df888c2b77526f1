import { parentPort } from 'node:worker_threads'
import { type TextTest, textHolds } from '#src/domain/text-test.ts'
import { PRIORITY, yieldToOthers } from '#src/process/thread-priority.ts'

/** Of which texts does the test hold? */
export type Question = [seq: number, test: TextTest, texts: readonly (string | null)[]]
/** Positions of texts. */
export type Answer = [seq: number, matching: number[]]

yieldToOthers(PRIORITY.behind)
parentPort!.on('message', ([seq, test, texts]: Question) => {
  const holds = textHolds(test)
  const matching = texts.flatMap((text, i) => (text !== null && holds(text) ? [i] : []))
  parentPort!.postMessage([seq, matching] satisfies Answer)
})

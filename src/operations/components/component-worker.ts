import { type Failure, toFailure } from '#src/engine/failure.ts'
import { compileComponent } from '#src/operations/components/compile-component.ts'
import { PRIORITY, yieldToOthers } from '#src/process/thread-priority.ts'

/** The code. */
export type Question = string
/** What it compiles to, or why it does not. */
export type Answer = { js: string } | { failure: Failure }

// What it starts has its priority too.
yieldToOthers(PRIORITY.behind)
process.on('message', (code: Question) => void answer(code))

async function answer(code: Question): Promise<void> {
  let told: Answer
  try {
    told = { js: await compileComponent(code) }
  } catch (error) {
    told = { failure: toFailure(error) }
  }
  // The service may have ended meanwhile.
  process.send?.(told, undefined, undefined, () => {})
}

import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Ends a run with one plain line, `N passed, N failed`, for people and for programs that read the output; before it
 * every test that passed only when it was tried again, with what went wrong before: a race to be mended.
 */
export default class PlainSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    const retried: string[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        count[test.result().state]++
        if (test.diagnostic()?.flaky) retried.push(afterRetry(test))
      }
      count.failed += module.errors().length
    }
    count.failed += unhandled.length
    const skipped = count.skipped + count.pending
    process.stdout.write(
      `\n${retried.join('')}${count.passed} passed, ${count.failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`,
    )
  }
}

function afterRetry(test: TestCase): string {
  const faults = (test.result().errors ?? []).map(({ message }) => `  ${message.replaceAll('\n', '\n  ')}\n`)
  return `passed only when tried again: ${test.module.relativeModuleId} > ${test.fullName}\n${faults.join('')}`
}

import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with one plain line, `N passed, N failed`, for people and for programs that read the output; before it
 * the files that took longest. Files that failed go into the file that FAILED_FILES names, one a line.
 */
export default class PlainSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    const failed = new Set<string>()
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++
      count.failed += module.errors().length
      if (!module.ok()) failed.add(module.relativeModuleId)
    }
    count.failed += unhandled.length
    const { FAILED_FILES } = process.env
    if (FAILED_FILES) writeFileSync(FAILED_FILES, [...failed].map((each) => `${each}\n`).join(''))
    const skipped = count.skipped + count.pending
    if (modules.length > SLOWEST) process.stdout.write(slowest(modules))
    process.stdout.write(
      `\n${count.passed} passed, ${count.failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`,
    )
  }
}

/** So many files are named where there are more. */
const SLOWEST = 20

function slowest(modules: readonly TestModule[]): string {
  const seconds = (module: TestModule) => module.diagnostic().duration / 1000
  const lines = modules
    .toSorted((a, b) => seconds(b) - seconds(a))
    .slice(0, SLOWEST)
    .map(
      (each) => `${seconds(each).toFixed(1).padStart(7)} s  ${each.project.name} ${each.relativeModuleId}\n`,
    )
  const all = modules.reduce((sum, each) => sum + seconds(each), 0)
  return `\nthe slowest of ${modules.length} files, which took ${all.toFixed(0)} s one after the other:\n${lines.join('')}`
}

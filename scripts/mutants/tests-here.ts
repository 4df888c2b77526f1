import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { chai, expect as vitestExpect } from 'vitest'

// What a test file imports as `vitest` in a process of mutants: its tests are put down, and carried out again and again.

type Body = (...values: never[]) => unknown
interface Test {
  name: string
  body: () => unknown
}
type Hook = () => unknown
export interface Suite {
  name: string
  parent: Suite | undefined
  beforeAll: Hook[]
  afterAll: Hook[]
  beforeEach: Hook[]
  afterEach: Hook[]
  children: (Suite | Test)[]
}

const newSuite = (name: string, parent?: Suite): Suite => ({
  name,
  parent,
  beforeAll: [],
  afterAll: [],
  beforeEach: [],
  afterEach: [],
  children: [],
})

let current = newSuite('')
/** Where the snapshots of the file are that is carried out. */
let place = ''
let finishing: Hook[] = []

/** The tests of one file. */
export async function testsOf(file: string): Promise<Suite> {
  current = newSuite(file)
  const suite = current
  await import(file)
  return suite
}

export const isSuite = (each: Suite | Test): each is Suite => 'children' in each

/** Carries out one test with what belongs before and after it. @throws as it fails */
export async function carryOut(suite: Suite, test: Test, file: string): Promise<void> {
  place = dirname(file)
  const around = [suite]
  while (around[0]!.parent) around.unshift(around[0]!.parent)
  finishing = []
  try {
    for (const { beforeEach } of around) for (const hook of beforeEach) await hook()
    await test.body()
  } finally {
    for (const hook of finishing) await hook()
    for (const { afterEach } of around.toReversed()) for (const hook of afterEach) await hook()
  }
}

/** `(name, options?, body)` and `(name, body, timeout?)`. */
const bodyOf = (given: readonly unknown[]): Body => given.find((each) => typeof each === 'function') as Body

function addTest(name: unknown, ...given: unknown[]): void {
  const body = bodyOf(given)
  current.children.push({ name: String(name), body: () => body() })
}

function addSuite(name: unknown, ...given: unknown[]): void {
  const outer = current
  current = newSuite(String(name), outer)
  outer.children.push(current)
  bodyOf(given)()
  current = outer
}

type Add = typeof addTest
const each =
  (add: Add) =>
  (rows: readonly unknown[]) =>
  (name: unknown, ...given: unknown[]): void => {
    const body = bodyOf(given)
    for (const row of rows)
      add(`${String(name)} ${JSON.stringify(row)}`, () =>
        body(...((Array.isArray(row) ? row : [row]) as never[])),
      )
  }
const nothing = Object.assign(() => {}, { each: () => () => {} })

function registering(add: Add) {
  const own = Object.assign((name: unknown, ...given: unknown[]) => add(name, ...given), {
    each: each(add),
    skipIf: (is: unknown) => (is ? nothing : own),
    runIf: (is: unknown) => (is ? own : nothing),
  })
  return own
}

export const it: ReturnType<typeof registering> & Record<string, unknown> = registering(addTest) as never
export const test = it
export const describe: ReturnType<typeof registering> & Record<string, unknown> = registering(
  addSuite,
) as never
export const beforeAll = (hook: Hook) => void current.beforeAll.push(hook)
export const afterAll = (hook: Hook) => void current.afterAll.push(hook)
export const beforeEach = (hook: Hook) => void current.beforeEach.push(hook)
export const afterEach = (hook: Hook) => void current.afterEach.push(hook)
export const onTestFinished = (hook: Hook) => void finishing.push(hook)
export const inject = (name: string): unknown => JSON.parse(process.env['MUTANTS_PROVIDED'] ?? '{}')[name]

const clocks = { date: Date.now, performance: performance.now }
let ahead = 0
/** Clocks alone, which stand still: what the tests of these folders want of it. */
export const vi = {
  useFakeTimers() {
    // Whole milliseconds: a sum of fractions misses a bound by its last digit.
    const [date, since] = [clocks.date(), Math.floor(clocks.performance.call(performance))]
    Date.now = () => date + ahead
    performance.now = () => since + ahead
  },
  advanceTimersByTime: (milliseconds: number) => void (ahead += milliseconds),
  useRealTimers() {
    ahead = 0
    Date.now = clocks.date
    performance.now = clocks.performance
  },
}

// The one of vitest wants a test of its own.
chai.util.addMethod(chai.Assertion.prototype, 'toMatchFileSnapshot', function (this: object, name: string) {
  vitestExpect(chai.util.flag(this, 'object')).toBe(readFileSync(resolve(place, name), 'utf8'))
})
export const expect = Object.assign(vitestExpect, { poll })

/** Patient, as the one of vitest is. */
function poll(look: () => unknown, { timeout = 1000, interval = 50 } = {}): unknown {
  const until = Date.now() + timeout
  const attempt = async (assert: (subject: unknown) => unknown): Promise<void> => {
    for (;;)
      try {
        return void (await assert(await look()))
      } catch (fault) {
        if (Date.now() > until) throw fault
        await new Promise((resume) => setTimeout(resume, interval))
      }
  }
  const asserting = (negated: boolean): unknown =>
    new Proxy(
      {},
      {
        get: (_, name: string) =>
          name === 'not'
            ? asserting(!negated)
            : (...wanted: unknown[]) =>
                attempt((subject) => {
                  const assertion = vitestExpect(subject)
                  return (
                    (negated ? assertion.not : assertion) as never as Record<
                      string,
                      (...wanted: unknown[]) => unknown
                    >
                  )[name]!(...wanted)
                }),
      },
    )
  return asserting(false)
}

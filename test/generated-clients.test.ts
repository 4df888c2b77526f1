import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApi } from '#src/api/http/openapi/openapi.ts'
import { operations } from '#src/operations/index.ts'

/** Below the repository, so that the compiler finds its libraries. */
const FOLDER = resolve('.generated', String(process.pid))
const COMPILE = [
  '--ignoreConfig --noEmit --strict --noUncheckedIndexedAccess --skipLibCheck --target es2024 --lib es2024,dom,dom.iterable,dom.asynciterable',
  '--module esnext --moduleResolution bundler --allowImportingTsExtensions --types node',
].flatMap((line) => line.split(' '))

const run = (...args: string[]) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe', timeout: 110_000 })

describe('what is generated from the document of the API', () => {
  beforeAll(() => {
    mkdirSync(FOLDER, { recursive: true })
    const document = join(FOLDER, 'openapi.json')
    writeFileSync(document, JSON.stringify(openApi(operations)))
    run('test/support/generate-clients.ts', document, FOLDER)
    copyFileSync('test/generated/program.txt', join(FOLDER, 'program.ts'))
  })
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

  it('compiles with a program that uses all of it', () => {
    let told = ''
    try {
      run('node_modules/typescript/bin/tsc', ...COMPILE, join(FOLDER, 'program.ts'))
    } catch (error) {
      told = String((error as { stdout?: string }).stdout)
    }
    expect(told).toBe('')
  })

  it('knows no patternProperties, which generators do not read', () => {
    expect(JSON.stringify(openApi(operations))).not.toContain('patternProperties')
  })
})

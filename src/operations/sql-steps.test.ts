import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sqlSteps } from '#src/operations/sql-steps.ts'

const STEPS = import.meta.dirname
const COMMANDS = join(STEPS, '../cli')

const textsOf = async (folder: string): Promise<string[]> => {
  const texts: string[] = []
  for await (const path of glob('**/*.ts', { cwd: folder }))
    if (!path.endsWith('.test.ts')) texts.push(await readFile(join(folder, path), 'utf8'))
  return texts
}

it('every step is listed, or called by a command alone', async () => {
  const defined = (await textsOf(STEPS)).flatMap((text) =>
    Array.from(text.matchAll(/defineStep\(\{\s*name: '(\w+)'/g), ([, name]) => name!),
  )
  expect(defined.length).toBeGreaterThan(100)
  const listed = new Set(sqlSteps.map(({ name }) => name))
  const commands = (await textsOf(COMMANDS)).join('\n')
  expect(defined.filter((name) => !listed.has(name) && !commands.includes(name))).toEqual([])
})

import { describe, expect, it } from 'vitest'
import type { ServiceError } from '#src/domain/errors.ts'
import { compileComponent } from '#src/operations/components/compile-component.ts'

describe('a component', () => {
  it('becomes one module that imports react alone and exports it as default', async () => {
    const js = await compileComponent(`
      import { useState } from 'react'
      interface Props { n?: number }
      const Row = ({ n = 1 }: Props) => <li>{n}</li>
      export default function List() {
        const [count] = useState<number>(2)
        return <><h1>größer 😀</h1><Row n={count} /></>
      }`)
    expect([...js.matchAll(/import .* from "(.*)"/g)].map(([, from]) => from)).toEqual(['react', 'react'])
    expect(js).toMatch(/export \{\s*List as default\s*\}/)
    expect(js).toContain('größer 😀')
    expect(js).not.toContain('interface')
  })

  it('may leave react out', async () => {
    expect(await compileComponent('export default () => <b>hi</b>')).toContain('createElement("b"')
  })

  const refused: [code: string, message: RegExp][] = [
    ['export default () => <b>hi</i>', /^code: line 1, column 29: Unexpected closing "i" tag/],
    ['const a = 1\nconst ü = {"😀": <b}\n', /^code: line 2, column 20: /],
    ['import x from "lodash"\nexport default () => x', /^code: line 1, column 15: cannot import 'lodash'/],
    ['import x from "https://example.org/x.js"\nexport default () => x', /cannot import 'https:/],
    ['import x from "/etc/passwd"\nexport default () => x', /cannot import '\/etc\/passwd'/],
    ['import "./style.css"\nexport default () => null', /cannot import '.\/style.css'/],
    ['export * from "node:fs"\nexport default () => null', /cannot import 'node:fs'/],
    ['export default () => { void import("react-dom") }', /cannot import 'react-dom'/],
    ['export default () => { void import(String(1)) }', /^code: line 1, column 29: /],
    ['const fs = require("fs")\nexport default () => fs', /cannot import 'fs'/],
    ['export default () => require(String(1))', /^code: line 1, column 22: /],
    ['export const Named = () => null', /must export the component/],
    ['', /must export the component/],
  ]
  for (const [code, message] of refused)
    it(`is refused: ${code.slice(0, 60)}`, async () => {
      await expect(compileComponent(code)).rejects.toThrow(message)
    })

  it('names every fault', async () => {
    const error: ServiceError = await compileComponent(
      'import a from "a"\nimport b from "b"\nexport default a + b',
    ).then(
      () => expect.fail('compiled'),
      (error: ServiceError) => error,
    )
    expect(error.details?.errors).toHaveLength(2)
  })

  it('of blocks within blocks, which the compiler would indent into gigabytes, is refused', async () => {
    const code = `${'{'.repeat(49_000)}${'}'.repeat(49_000)}\nexport default () => null`
    await expect(compileComponent(code)).rejects.toThrow('code: is too deeply nested to be compiled')
  })

  it('whose output is many times as long as its code is refused', async () => {
    const code = `${'{'.repeat(199)}${'a;'.repeat(40_000)}${'}'.repeat(199)}\nexport default () => null`
    await expect(compileComponent(code)).rejects.toThrow('code: compiles to more than 1000000 characters')
  })

  it('that takes too long is given up, and the next one compiles', async () => {
    const code = `export default ${'()=>'.repeat(24_000)}null`
    await expect(compileComponent(code, { maxTime: 50 })).rejects.toThrow('code: takes too long')
    expect(await compileComponent('export default () => null')).toContain('default')
  })

  it('that breaks the compiler is refused, and the next one compiles', async () => {
    await expect(compileComponent(`export default ${'('.repeat(99_000)}`)).rejects.toThrow(/^code: /)
    expect(await compileComponent('export default () => null')).toContain('default')
  })
})

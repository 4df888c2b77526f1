import { readdir, readFile, readlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { ServiceError } from '#src/domain/errors.ts'
import { compileComponent } from '#src/operations/components/compile-component.ts'
import { childProcesses } from '#test/support/child-processes.ts'

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

  it('may import on several lines, and export more', async () => {
    const code = `import {\n  useState,\n  useMemo as memo\n} from 'react'\nimport 'react'
      export const a = memo\nexport { useState as default, a as "a from b" }\nexport * from 'react'`
    expect(await compileComponent(code)).toContain('useState as default')
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
    [
      'export default () => { void import("react-dom") }',
      /^code: line 1, column 29: cannot import while it runs/,
    ],
    ['export default () => { void import("react") }', /cannot import while it runs/],
    ['export default () => { void import(String(1)) }', /^code: line 1, column 29: /],
    ['const fs = require("fs")\nexport default () => fs', /^code: line 1, column 12: cannot use require/],
    ['export default () => require(String(1))', /^code: line 1, column 22: /],
    ['const load = require\nexport default () => load("fs")', /cannot use require/],
    ['export default () => { require.resolve("fs") }', /cannot use require/],
    ['import fs = require("node:fs")\nexport default () => fs', /cannot use require/],
    [
      'export default () => new Worker(new URL("./x.js", import.meta.url))',
      /^code: line 1, column 5\d: .*import.meta/,
    ],
    ['export { a as "b from c" } from "lodash"\nexport default () => null', /cannot import 'lodash'/],
    ['export * as all from "./secret.json"\nexport default () => null', /cannot import '.\/secret.json'/],
    ['import { "use state" as use } from "lodash"\nexport default () => use', /cannot import 'lodash'/],
    [
      'import {\n  a,\n  b\n} from "lodash"\nexport default a + b',
      /^code: line 4, column 8: cannot import 'lodash'/,
    ],
    ['import x from "./a.txt" with { type: "bytes" }\nexport default () => x', /cannot import '.\/a.txt'/],
    ['export const Named = () => null', /must export the component/],
    ['', /must export the component/],
  ]
  for (const [code, message] of refused)
    it(`is refused: ${code.slice(0, 60)}`, async () => {
      await expect(compileComponent(code)).rejects.toThrow(message)
    })

  describe('cannot look at files', () => {
    const readable = `${'../'.repeat(12)}proc/self/environ`
    for (const load of [
      `const n = 'n'; import(\`${readable.slice(0, -1)}\${n}\`, { with: { type: 'bytes' } })`,
      `const n = 'n'; import(\`${readable.slice(0, -1)}\${n}\`)`,
      `const n = 'package'; require(\`./\${n}.json\`)`,
      `const n = 'package'; import('./' + n + '.json')`,
      `const n = 'package'; new Worker(new URL(\`./\${n}.json\`, import.meta.url))`,
    ])
      it(`by ${load}`, async () => {
        const said = await compileComponent(`${load}\nexport default () => null`).catch(String)
        expect(said).toMatch(/cannot import|cannot use require|import\.meta/)
        expect(said).not.toMatch(/PATH|No loader|facet|[A-Za-z0-9+/]{100}/)
      })

    it('because the compiler has no environment and is in an empty folder', async () => {
      const seen: Record<string, unknown>[] = []
      const ended: true[] = []
      // A compiler of other tests may be there.
      const others = new Set(await childProcesses(process.pid))
      const code = `export default ${'()=>'.repeat(24_000)}null`
      const compiling = compileComponent(code, { maxTime: 1000 })
        .catch(() => {})
        .then(() => ended.push(true))
      // On a busy machine its process comes later.
      while (!seen.length && !ended.length)
        for (const pid of await childProcesses(process.pid)) {
          const link = await readlink(`/proc/${pid}/exe`).catch(() => '')
          if (!link.endsWith('/esbuild') || others.has(pid)) continue
          const folder = await readlink(`/proc/${pid}/cwd`)
          const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
          seen.push({ environment, files: await readdir(folder) })
        }
      await compiling
      if (process.platform === 'linux') expect(seen).toEqual([{ environment: '', files: [] }])
    })
  })

  it('may speak of imports in its texts', async () => {
    const js = await compileComponent(
      "/*! a\nimport x from 'y'\n*/\nconst text = `a\nimport x from 'lodash'\nrequire('fs')\n`\n" +
        "const raw = String.raw`\nexport * from 'fs'\n`\nexport default () => <p title={raw}>{text} import('x')</p>",
    )
    expect(js).toContain('lodash')
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

import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { FairQueue } from '#src/domain/fair-queue.ts'
import { userOf } from '#src/domain/caller.ts'
import { ComponentProcess } from '#src/operations/components/component-process.ts'
import { defineOperation } from '#src/runtime/operation.ts'

/** Characters. */
const MAX_CODE = 100_000
const MAX_TITLE = 200
const ID_LENGTH = 26
/** One at a time: a component that keeps the compiler busy keeps nobody else's from coming next. */
const compiler = new FairQueue({ at_once: 1, max_wait: 30_000, what: 'components' })
const components = new ComponentProcess()

export const renderReact = defineOperation({
  name: 'renderReact',
  summary: 'Show something as a React component: a chart, a table, a form, in place of long text.',
  description:
    'The code is one TSX module with the component as its default export. It may import from react and from nothing ' +
    'else; it gets no props and reaches no network, so write the data into it. It runs in a sandboxed frame.',
  tool_description:
    'One TSX module with the component as its default export. It imports from react alone, gets no props and reaches no network: write the data into it.',
  access: 'user',
  effect: 'compose',
  tool: 'render_react',
  hints: { readOnly: true, idempotent: true },
  input: Type.Object(
    {
      code: Type.String({ minLength: 1, maxLength: MAX_CODE, description: 'TSX' }),
      css: Type.Optional(Type.String({ maxLength: MAX_CODE, description: 'Styles that go with it' })),
      title: Type.Optional(Type.String({ maxLength: MAX_TITLE, description: 'What it shows' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    id: Type.String({ description: 'The same for the same code and styles' }),
    title: Type.Union([Type.String(), Type.Null()]),
    js: Type.String({
      description: 'One ES module; its default export is the component; react stays an import',
    }),
    css: Type.String(),
  }),
  example: {
    input: {
      code: 'export default () => <p className="done">12 of 30 tasks are done</p>',
      css: '.done { color: green }',
      title: 'Progress',
    },
  },
  async run({ caller }, { code, css = '', title = null }) {
    const js = await compiler.run(userOf(caller), () => components.compile(code))
    const id = createHash('sha256').update(js).update('\0').update(css).digest('hex').slice(0, ID_LENGTH)
    return { id, title, js, css }
  },
})

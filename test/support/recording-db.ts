import type { Dialect } from '#src/sql/dialect.ts'
import { bindParameters, type CompiledSql, type Db } from '#src/sql/query.ts'

type Answer = (asked: CompiledSql) => readonly unknown[]

/** A connection without a base: what it is asked is written down, what it answers is given. */
export function recordingDb(dialect: Dialect, answer: Answer): Db & { asked: CompiledSql[] } {
  const asked: CompiledSql[] = []
  const put = async <Row>(statement: CompiledSql): Promise<Row[]> => {
    asked.push(statement)
    return [...answer(statement)] as Row[]
  }
  const refuse = () => {
    throw new Error('a recording connection reads only')
  }
  const all: Db['all'] = (query, values) => {
    const compiled = query.for(dialect)
    return put({ sql: compiled.sql, parameters: bindParameters(compiled, values) })
  }
  return {
    asked,
    dialect,
    cache: new Map(),
    hints: new Map(),
    room: { texts: 0 },
    all,
    get: async (query, values) => (await all(query, values))[0],
    select: (given) => put('compile' in given ? given.compile() : given),
    run: refuse,
    enqueue: refuse,
    enqueueCompiled: refuse,
  }
}

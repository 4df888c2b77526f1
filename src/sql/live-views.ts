import {
  createQueryId,
  type Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type RawNode,
  type RootOperationNode,
  sql,
  TableNode,
} from 'kysely'
import type { CompiledSql } from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Tables that may have rows of deleted items for a while, and the views that show those of the others. */
const VIEWS = { field_value: 'live_value', item_text: 'live_text', item_trigram: 'live_trigram' } as const

const isTable = (name: string): name is keyof typeof VIEWS => Object.hasOwn(VIEWS, name)

/** Such a table in SQL that is written as text: named so, it is found when the view is to take its place. */
export const FIELD_VALUE = sql.raw('field_value')
export const ITEM_TEXT = sql.raw('item_text')
export const ITEM_TRIGRAM = sql.raw('item_trigram')

/** Puts the views in the tables' places. */
class ViewsForTables extends OperationNodeTransformer {
  protected override transformTable(node: TableNode): TableNode {
    const { name } = node.table.identifier
    return isTable(name) ? TableNode.create(VIEWS[name]) : node
  }

  protected override transformRaw(node: RawNode): RawNode {
    const [text, ...others] = node.sqlFragments
    if (others.length || !isTable(text!)) return super.transformRaw(node)
    return { ...node, sqlFragments: [VIEWS[text]] }
  }
}

/** The table that a statement changes. */
function changed(node: RootOperationNode): string | undefined {
  let table: unknown
  if (node.kind === 'InsertQueryNode') table = node.into
  if (node.kind === 'UpdateQueryNode') table = node.table
  if (node.kind === 'DeleteQueryNode') table = node.from.froms[0]
  return (table as TableNode | undefined)?.table?.identifier.name
}

const reachesAll = (table = '') => isTable(table) || table === 'waiting_text'

const views = new ViewsForTables()

/** What writes to one of the tables, or keeps what the trigram index has, is to reach all their rows. */
export const readsViews: KyselyPlugin = {
  transformQuery: ({ node }) => (reachesAll(changed(node)) ? node : views.transformNode(node)),
  transformResult: async ({ result }) => result,
}

/** The statement as another builder compiles it; where its text alone is known it stays as it is. */
export function recompiled(compiled: CompiledSql, builder: Kysely<Tables>): CompiledSql {
  if (!compiled.query) return compiled
  const executor = builder.getExecutor()
  const id = createQueryId()
  return executor.compileQuery(executor.transformQuery(compiled.query, id), id)
}

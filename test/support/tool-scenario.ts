/** What earlier steps have kept: ids by name. */
export type Kept = Record<string, string>

/** A call of one tool, and of the REST route that is its twin. */
export interface ToolStep {
  tool: string
  args(kept: Kept): Record<string, unknown>
  /** Path parameters in it are taken out of the arguments; undefined: only tools do this. */
  rest?: [method: string, path: string]
  /** What to remember of the answer. */
  keep?(value: never, kept: Kept): void
  /** The call fails, and the text says so. */
  fails?: RegExp
  /** The arguments themselves are not of the schema's form. */
  malformed?: true
  /** The chat has no such tool. */
  notInChat?: true
}

const step = (
  tool: string,
  rest: ToolStep['rest'] | undefined,
  args: ToolStep['args'],
  more: Omit<ToolStep, 'tool' | 'args' | 'rest'> = {},
): ToolStep => ({ tool, args, ...(rest && { rest }), ...more })

const as = (name: string) => (value: { item_id?: string; tag_id?: string; view_id?: string }, kept: Kept) => {
  kept[name] = (value.item_id ?? value.tag_id ?? value.view_id)!
}
const TASK_FIELDS = {
  title: 'String',
  due: 'Date',
  effort: 'Number',
  urgent: 'Boolean',
  project: 'Reference',
  status: { type: 'Select', variants: ['open', { name: 'done', fields: { finished_on: 'Date' } }] },
  labels: { type: 'MultiSelect', variants: ['home', 'work'] },
}
const NOWHERE = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'

/** A working day that uses every tool, and every tool also wrongly. Each step goes on from those before. */
export const TOOL_SCENARIO: readonly ToolStep[] = [
  // Tags
  step('add_tag', ['POST', '/api/tags'], () => ({ name: 'Task', fields: TASK_FIELDS }), { keep: as('task') }),
  step('add_tag', ['POST', '/api/tags'], () => ({ name: 'Bug', fields: {}, extends: ['Task'] }), {
    keep: as('bug'),
  }),
  step('add_tag', ['POST', '/api/tags'], () => ({ name: 'Task', fields: {} }), { fails: /'Task'/ }),
  step('add_tag', ['POST', '/api/tags'], () => ({ nam: 'x', fields: {} }), {
    fails: /did you mean 'name'/,
    malformed: true,
  }),
  step('get_tag', ['GET', '/api/tags/{tag_id}'], ({ task }) => ({ tag_id: task })),
  step('get_tag', ['GET', '/api/tags/{tag_id}'], () => ({ tag_id: NOWHERE }), { fails: /not found/ }),
  step('edit_tag', ['PUT', '/api/tags/{tag_id}'], ({ bug }) => ({
    tag_id: bug,
    description: 'A fault',
    fields: { severity: 'Number' },
  })),
  step('edit_tag', ['PUT', '/api/tags/{tag_id}'], ({ bug }) => ({ tag_id: bug, fields: { a: 'Nummer' } }), {
    fails: /Number/,
  }),
  step('get_tags', ['POST', '/api/tags/search'], () => ({ limit: 10, filter: { name: { contains: 'a' } } })),
  step('get_tags', ['POST', '/api/tags/search'], () => ({
    limit: 10,
    count: true,
    sort: [{ by: 'name', direction: 'desc' }],
  })),
  step('get_tags', ['POST', '/api/tags/search'], () => ({ limit: -1 }), {
    fails: /limit: must be at least 0/,
    malformed: true,
  }),

  // Items
  step('add_item', ['POST', '/api/items'], () => ({ name: 'House', description: '<p>All of it</p>' }), {
    keep: as('house'),
  }),
  step(
    'add_item',
    ['POST', '/api/items'],
    ({ house }) => ({
      name: 'Paint the door',
      tags: [
        {
          tag_ref: { Existing: 'Task' },
          field_values: {
            due: '2026-02-01',
            effort: 2.5,
            project: house,
            status: { variant: 'open' },
            labels: ['home'],
          },
        },
      ],
    }),
    { keep: as('paint') },
  ),
  step('add_item', ['POST', '/api/items'], () => ({ name: 'x', tags: [{ tag_ref: { Existing: 'Taks' } }] }), {
    fails: /Taks.*[^]*'Task'/,
  }),
  step(
    'add_item',
    ['POST', '/api/items'],
    () => ({ name: 'x', tags: [{ tag_ref: { Existing: 'Task' }, field_values: { efort: 1 } }] }),
    { fails: /did you mean 'effort'/i },
  ),
  step('bulk_add_items', ['POST', '/api/items/bulk'], () => ({
    items: ['One', { name: 'Two', tags: [{ tag_ref: { Existing: 'Task' } }] }],
  })),
  step('bulk_add_items', ['POST', '/api/items/bulk'], () => ({ items: ['Fine', { name: ' ' }] }), {
    fails: /items\[1\]\.name/,
    malformed: true,
  }),
  step('get_item', ['GET', '/api/items/{item_id}'], ({ paint }) => ({ item_id: paint })),
  step('get_item', ['GET', '/api/items/{item_id}'], () => ({ item_id: NOWHERE }), { fails: /not found/ }),
  step('edit_item', ['PUT', '/api/items/{item_id}'], ({ paint }) => ({
    item_id: paint,
    name: 'Paint the doors',
    description: null,
  })),
  step('edit_item', ['PUT', '/api/items/{item_id}'], ({ paint }) => ({ item_id: paint, name: '' }), {
    fails: /name: must not be empty/,
    malformed: true,
  }),
  step('get_items', ['POST', '/api/items/search'], () => ({ limit: 10, sort: [{ by: 'created_at' }] })),
  step('get_items', ['POST', '/api/items/search'], () => ({
    limit: 2,
    count: true,
    sort: [{ by: 'name', direction: 'desc' }],
    filter: { or: [{ has_tag: 'Task' }, { search: 'HOUSE' }] },
  })),
  step('get_items', ['POST', '/api/items/search'], () => ({
    limit: 10,
    sort: [{ by: 'name' }],
    filter: { 'Task.project->name': { starts_with: 'H' } },
  })),
  step('get_items', ['POST', '/api/items/search'], () => ({
    limit: 10,
    filter: { 'Task.status': { match: 'opne' } },
  })),
  step(
    'get_items',
    ['POST', '/api/items/search'],
    () => ({ filter: { 'Tsk.due': { lt: '2026-01-01' } }, limit: 5 }),
    { fails: /Tag 'Tsk' not found[^]*Task/ },
  ),
  step('get_items', ['POST', '/api/items/search'], () => ({ filter: {}, limit: 5 }), {
    fails: /Filter object cannot be empty/,
  }),

  // Filters
  step('validate_filter', ['POST', '/api/filters/validate'], () => ({
    filter: { 'Task.due': { lt: '2026-02-01' } },
  })),
  step('validate_filter', ['POST', '/api/filters/validate'], () => ({ filter: { and: [] } })),
  step('validate_filter', ['POST', '/api/filters/validate'], () => ({}), {
    fails: /filter: is required/,
    malformed: true,
  }),
  step('explain_query', ['POST', '/api/filters/explain'], () => ({
    filter: { and: [{ has_tag: 'Task' }, { 'Task.effort': { gt: 1 } }] },
  })),
  step('explain_query', ['POST', '/api/filters/explain'], () => ({ filter: { nonsense: 1 } }), {
    fails: /Unknown filter/,
  }),

  // Tags on items
  step(
    'apply_tag_to_item',
    ['POST', '/api/items/{item_id}/tags'],
    ({ house }) => ({
      item_id: house,
      tag: { tag_ref: { New: { name: 'Place', fields: { city: 'String' } } }, field_values: { city: 'Ulm' } },
    }),
    { keep: as('place') },
  ),
  step(
    'apply_tag_to_item',
    ['POST', '/api/items/{item_id}/tags'],
    ({ house }) => ({ item_id: house, tag: { tag_ref: { Existing: 'Place' } } }),
    { fails: /already/ },
  ),
  step('update_tag_field_values', ['PUT', '/api/items/{item_id}/tags/{tag_id}'], ({ paint, task }) => ({
    item_id: paint,
    tag_id: task,
    field_values: { effort: 3 },
    merge: true,
  })),
  step(
    'update_tag_field_values',
    ['PUT', '/api/items/{item_id}/tags/{tag_id}'],
    ({ paint, task }) => ({ item_id: paint, tag_id: task, field_values: { status: { variant: 'opne' } } }),
    { fails: /open/ },
  ),
  step('remove_tag_from_item', ['DELETE', '/api/items/{item_id}/tags/{tag_id}'], ({ house, place }) => ({
    item_id: house,
    tag_id: place,
  })),
  step(
    'remove_tag_from_item',
    ['DELETE', '/api/items/{item_id}/tags/{tag_id}'],
    ({ house, place }) => ({ item_id: house, tag_id: place }),
    { fails: /Place/ },
  ),

  // Bulk
  step('bulk_apply_tag', ['POST', '/api/items/bulk-apply-tag'], () => ({
    filter: { name: { in: ['One', 'Two'] } },
    tag: { tag_ref: { Existing: 'Bug' }, field_values: { severity: 1 } },
    dry_run: true,
  })),
  step('bulk_apply_tag', ['POST', '/api/items/bulk-apply-tag'], () => ({
    filter: { name: { in: ['One', 'Two'] } },
    tag: { tag_ref: { Existing: 'Bug' }, field_values: { severity: 1 } },
  })),
  step('bulk_apply_tag', ['POST', '/api/items/bulk-apply-tag'], () => ({ filter: { search: '' }, tag: {} }), {
    fails: /tag\.tag_ref: is required/,
  }),
  step('bulk_update_field_values', ['POST', '/api/items/bulk-update-fields'], ({ bug }) => ({
    filter: { has_tag: 'Bug' },
    tag_id: bug,
    field_values: { severity: 2 },
    merge: true,
  })),
  step(
    'bulk_update_field_values',
    ['POST', '/api/items/bulk-update-fields'],
    () => ({ filter: { has_tag: 'Bug' }, tag_id: 'Bug', field_values: { severity: 'high' } }),
    { fails: /severity: expected a number/ },
  ),
  step('bulk_remove_tag', ['POST', '/api/items/bulk-remove-tag'], () => ({
    filter: { name: 'One' },
    tag_id: 'Bug',
  })),
  step(
    'bulk_remove_tag',
    ['POST', '/api/items/bulk-remove-tag'],
    () => ({ filter: { name: 'One' }, tag_id: 'Bog' }),
    { fails: /Bog/ },
  ),

  // Views
  step(
    'create_view',
    ['POST', '/api/views'],
    () => ({
      name: 'Open',
      filter: { 'Task.status': { match: 'open' } },
      settings: { sort_by: 'name' },
      shared: true,
      position: 1.5,
    }),
    { keep: as('view') },
  ),
  step('create_view', ['POST', '/api/views'], () => ({ name: 'Odd', filter: { 'Task.nothing': 1 } })),
  step('create_view', ['POST', '/api/views'], () => ({ name: 'x', filter: { has_tag: 'Tsk' } }), {
    fails: /Tag 'Tsk' not found/,
  }),
  step('get_view', ['GET', '/api/views/{view_id}'], ({ view }) => ({ view_id: view })),
  step('get_view', ['GET', '/api/views/{view_id}'], () => ({ view_id: NOWHERE }), {
    fails: /View .* not found/,
  }),
  step('list_views', ['GET', '/api/views'], () => ({ limit: 1 })),
  step('list_views', ['GET', '/api/views'], () => ({ shared: true, sort: 'position' })),
  step('list_views', ['GET', '/api/views'], () => ({ after: 'nonsense', limit: 1 }), { fails: /cursor/ }),
  step('update_view', ['PUT', '/api/views/{view_id}'], ({ view }) => ({
    view_id: view,
    name: 'Open tasks',
    icon: '✅',
    filter: { has_tag: 'Task' },
  })),
  step(
    'update_view',
    ['PUT', '/api/views/{view_id}'],
    ({ view }) => ({ view_id: view, name: 'x', icon: '✅' }),
    { fails: /filter: is required/, malformed: true },
  ),
  step('add_item', ['POST', '/api/items'], ({ view }) => ({ name: 'In view', view_id: view })),
  step('delete_view', ['DELETE', '/api/views/{view_id}'], ({ view }) => ({ view_id: view })),
  step('delete_view', ['DELETE', '/api/views/{view_id}'], ({ view }) => ({ view_id: view }), {
    fails: /not found/,
  }),

  // Audit, deletion and what comes after
  step('get_outdated_item_tags', ['GET', '/api/items/outdated'], ({ bug }) => ({ tag_id: bug, limit: 10 })),
  step('get_outdated_item_tags', ['GET', '/api/items/outdated'], () => ({ tag_id: 'Bog', limit: 10 }), {
    fails: /Bog/,
  }),
  step('delete_item', ['DELETE', '/api/items/{item_id}'], ({ house }) => ({ item_id: house })),
  step('delete_item', ['DELETE', '/api/items/{item_id}'], ({ house }) => ({ item_id: house }), {
    fails: /not found/,
  }),
  step('list_deleted_items', undefined, () => ({ limit: 10 })),
  step('list_deleted_items', undefined, () => ({ limit: 'all' }), {
    fails: /limit: expected a whole number/,
    malformed: true,
  }),
  step('list_deleted_items', undefined, () => ({ search: 'HOUSE', deleted_after: '2026-01-01', limit: 10 })),
  step('bulk_restore_items', ['POST', '/api/items/restore'], () => ({
    filter: { name: 'House' },
    dry_run: true,
  })),
  step('bulk_restore_items', ['POST', '/api/items/restore'], ({ house }) => ({ item_ids: [house] })),
  step('bulk_restore_items', ['POST', '/api/items/restore'], ({ house }) => ({ item_ids: [house] }), {
    fails: /no deleted item has the id/,
  }),
  step('delete_item', ['DELETE', '/api/items/{item_id}'], ({ house }) => ({ item_id: house })),
  step('restore_item', ['POST', '/api/items/{item_id}/restore'], ({ house }) => ({ item_id: house })),
  step('restore_item', undefined, ({ house, task }) => ({ item_id: house, tag_id: task }), {
    fails: /exactly one of item_id and tag_id/,
  }),
  step('preview_tag_update', ['POST', '/api/tags/{tag_id}/preview'], ({ bug }) => ({
    tag_id: bug,
    fields: { more: 'DateTime' },
  })),
  step(
    'preview_tag_update',
    ['POST', '/api/tags/{tag_id}/preview'],
    ({ bug }) => ({ tag_id: bug, name: 'Task' }),
    {
      fails: /exists already/,
    },
  ),
  step('migrate_tag_values', ['POST', '/api/tags/{tag_id}/migrate'], ({ bug }) => ({
    tag_id: bug,
    dry_run: true,
  })),
  step('migrate_tag_values', ['POST', '/api/tags/{tag_id}/migrate'], () => ({ tag_id: NOWHERE }), {
    fails: /Tag .* not found/,
  }),
  step('get_tag', undefined, () => ({ tag_id: 'Bug' })),
  step('upsert_items', ['POST', '/api/items/bulk'], () => ({ match_by: 'name', items: ['Upserted'] })),
  step('upsert_items', ['POST', '/api/items/bulk'], () => ({ match_by: 'nmae', items: ['Upserted'] }), {
    fails: /expected 'name' or '<Tag>.<field>'/,
  }),
  step('add_item', ['POST', '/api/items'], () => ({ name: 'Twice' }), { keep: as('twice') }),
  step('merge_items', ['POST', '/api/items/{item_id}/merge'], ({ house, twice }) => ({
    item_id: house,
    from: [twice],
    prefer: 'newest',
  })),
  step(
    'merge_items',
    ['POST', '/api/items/{item_id}/merge'],
    ({ house }) => ({ item_id: house, from: [house] }),
    {
      fails: /from\[0\]: is the item that stays/,
    },
  ),
  step('delete_tag', ['DELETE', '/api/tags/{tag_id}'], ({ place }) => ({ tag_id: place })),
  step('delete_tag', ['DELETE', '/api/tags/{tag_id}'], ({ place }) => ({ tag_id: place }), {
    fails: /not found/,
  }),
  step('aggregate_items', ['POST', '/api/items/aggregate'], () => ({
    group_by: ['Task.status'],
    metrics: [{ sum: 'Task.effort' }],
  })),
  step('aggregate_items', ['POST', '/api/items/aggregate'], () => ({ group_by: ['Task.statsu'] }), {
    fails: /did you mean 'Task.status'/,
  }),
  step('get_backlinks', ['GET', '/api/items/{item_id}/backlinks'], ({ house }) => ({
    item_id: house,
    limit: 10,
  })),
  step('get_backlinks', ['GET', '/api/items/{item_id}/backlinks'], () => ({ item_id: NOWHERE, limit: 10 }), {
    fails: /not found/,
  }),
  step('restore_item', ['POST', '/api/tags/{tag_id}/restore'], ({ place }) => ({ tag_id: place })),
  step('bulk_delete_items', ['POST', '/api/items/bulk-delete'], () => ({
    filter: { name: { starts_with: 'Paint' } },
    dry_run: true,
  })),
  step('bulk_delete_items', ['POST', '/api/items/bulk-delete'], () => ({
    filter: { name: { starts_with: 'Paint' } },
  })),
  step(
    'bulk_delete_items',
    ['POST', '/api/items/bulk-delete'],
    () => ({ filter: { search: '' }, dryrun: true }),
    // What it does not know, the service says; a listed schema does not.
    { fails: /did you mean 'dry_run'/ },
  ),
  step('query_audit_log', ['POST', '/api/audit-log'], () => ({ limit: 100 })),
  step('query_audit_log', ['POST', '/api/audit-log'], ({ paint }) => ({
    item_ids: [paint!],
    event_types: ['item_deleted'],
  })),
  step('query_audit_log', ['POST', '/api/audit-log'], () => ({ after: 'yesterday' }), {
    fails: /after: expected an ISO 8601/,
  }),

  // Changes
  step('get_item_history', ['GET', '/api/items/{item_id}/history'], ({ paint }) => ({
    item_id: paint,
    limit: 10,
  })),
  step('get_item_history', ['GET', '/api/items/{item_id}/history'], () => ({ item_id: NOWHERE, limit: 10 }), {
    fails: /not found/,
  }),
  step('propose_changes', undefined, ({ house }) => ({
    operations: [{ operation: 'updateItem', input: { item_id: house, name: 'Proposed' } }],
    message: 'It has a better name',
  })),
  step(
    'propose_changes',
    ['POST', '/api/proposals'],
    () => ({ operations: [{ operation: 'purgeDeleted', input: {} }] }),
    { fails: /'purgeDeleted' cannot be proposed/ },
  ),
  step('list_proposals', undefined, () => ({ state: 'open' })),
  step('list_proposals', undefined, () => ({ state: 'closed' }), {
    fails: /state/,
    malformed: true,
  }),
  step('list_changes', ['POST', '/api/changes/search'], () => ({ operation: 'createTag', limit: 10 })),
  step('list_changes', ['POST', '/api/changes/search'], () => ({ after_time: 'yesterday', limit: 10 }), {
    fails: /after_time: expected an ISO 8601/,
  }),
  step('undo_changes', ['POST', '/api/changes/undo'], () => ({
    filter: { after_time: '2099-01-01' },
    dry_run: true,
  })),
  step('undo_changes', ['POST', '/api/changes/undo'], () => ({ change_ids: [NOWHERE] }), {
    fails: /Change '.*' not found/,
  }),
  step('batch', ['POST', '/api/batch'], () => ({
    operations: [
      { operation: 'createItem', input: { name: 'Shed' }, as: 'shed' },
      { operation: 'updateItem', input: { item_id: { $: 'shed' }, name: 'The shed' } },
    ],
  })),
  step('batch', ['POST', '/api/batch'], () => ({ operations: [{ operation: 'createItm', input: {} }] }), {
    fails: /Did you mean 'createItem'/,
  }),

  // Files
  step('prepare_upload', undefined, () => ({ name: 'plan.pdf' })),
  step('prepare_upload', ['POST', '/api/files/prepare'], () => ({ name: 'folder/' }), {
    fails: /name: must not be blank/,
  }),
  step('get_file', ['POST', '/api/files/{file_id}/open'], () => ({ file_id: NOWHERE }), {
    fails: /File '.*' not found/,
  }),

  // Exports
  step('export_items', undefined, () => ({ format: 'csv' })),
  step('export_items', ['POST', '/api/items/export/prepare'], () => ({ format: 'csv', fields: ['nam'] }), {
    fails: /did you mean 'name'/,
  }),

  // Components
  step('render_react', undefined, () => ({ code: 'export default () => <b>hi</b>', title: 'Hi' })),
  step('render_react', undefined, () => ({ code: 'export default () => <b>hi</i>' }), {
    fails: /line 1, column \d+/,
  }),

  // For good
  step('purge_deleted_items', ['POST', '/api/items/purge'], () => ({ dry_run: true }), { notInChat: true }),
  step('purge_deleted_items', ['POST', '/api/items/purge'], () => ({}), { notInChat: true }),
  step('purge_deleted_items', ['POST', '/api/items/purge'], () => ({ older_than: 'long ago' }), {
    fails: /older_than/,
    notInChat: true,
  }),
]

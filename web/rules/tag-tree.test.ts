import { expect, it } from 'vitest'
import { tagTree, withExtending } from '#web/rules/tag-tree.ts'

const tag = (tag_id: string, ...bases: string[]) => ({ tag_id, name: tag_id, extends: bases })
const ALL = [tag('a'), tag('b', 'a'), tag('c', 'b', 'd'), tag('d'), tag('e', 'gone')]

it('puts tags under those that they extend', () => {
  const names = (nodes: ReturnType<typeof tagTree>): unknown[] =>
    nodes.map(({ tag: { name }, below }) => (below.length ? [name, names(below)] : name))
  expect(names(tagTree(ALL))).toEqual([['a', [['b', ['c']]]], ['d', ['c']], 'e'])
})

it('knows what extends a tag, however far', () => {
  expect([...withExtending(ALL, 'a')]).toEqual(['a', 'b', 'c'])
  expect([...withExtending(ALL, 'e')]).toEqual(['e'])
})

import { describe, expect, it } from 'vitest'
import { joinLists } from '#src/json/join.ts'

describe('joinLists', () => {
  it('makes one array of several, as text or as bytes', () => {
    expect(joinLists(['[1]', '["[",2]', '[{}]'])).toBe('[1,"[",2,{}]')
    const bytes = joinLists([Buffer.from('["ä"]'), Buffer.from('[2]'), Buffer.from('[[]]')])
    expect(bytes).toBeInstanceOf(Buffer)
    expect(String(bytes)).toBe('["ä",2,[]]')
  })

  it('takes text and bytes together', () => {
    const lists = () => ['["ä"]', Buffer.from('[2]'), '["ö",[]]']
    expect(String(joinLists(lists()))).toBe('["ä",2,"ö",[]]')
    expect(String(joinLists([Buffer.from('["ü"]'), ...lists()]))).toBe('["ü","ä",2,"ö",[]]')
  })

  it('leaves one as it is, and takes none for an empty one', () => {
    const only = Buffer.from('[1]')
    expect(joinLists([only])).toBe(only)
    expect(joinLists([])).toBe('[]')
  })
})

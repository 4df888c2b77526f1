import { Fragment } from 'react'
import css from '#web/parts/marked.module.css'

/** A piece of a text and what was sought in it, in UTF-16 units. */
export interface Snippet {
  text: string
  marks: readonly (readonly number[])[]
}

/** A piece of an item's text, with what was sought marked. */
export function Marked({ snippet: { text, marks } }: { snippet: Snippet }) {
  const ends = marks.map(([, to]) => to ?? 0)
  return (
    <small className={css.snippet}>
      {marks.map(([from, to], i) => (
        <Fragment key={from}>
          {text.slice(i ? ends[i - 1] : 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(ends.at(-1) ?? 0)}
    </small>
  )
}

import { wordChanges } from '#web/rules/change-words.ts'
import css from '#web/parts/word-changes.module.css'

/** Two texts as one: what went is struck out, what came is marked. */
export function WordChanges({ before, after }: { before: string; after: string }) {
  return (
    <p className={css.words}>
      {wordChanges(before, after).map(({ text, kind }, i) => {
        // oxlint-disable react/no-array-index-key -- parts of one text, in their order
        if (kind === 'gone') return <del key={i}>{text}</del>
        return kind === 'new' ? <ins key={i}>{text}</ins> : <span key={i}>{text}</span>
        // oxlint-enable react/no-array-index-key
      })}
    </p>
  )
}

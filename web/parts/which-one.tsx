import css from '#web/parts/which-one.module.css'

interface WhichOneProps {
  id: string
  /** What it may be, in full. */
  choices: readonly string[]
  /** Which one keys have gone to; -1: none. */
  at: number
  onTake: (index: number) => void
}

/** What was typed may be several things: they are offered under the input, which keeps the focus and hears the keys. */
export function WhichOne({ id, choices, at, onTake }: WhichOneProps) {
  return (
    <div id={id} role="listbox" aria-label="Which one?" className={css.choices}>
      {choices.map((words, i) => (
        <div
          key={words}
          id={whichId(id, i)}
          role="option"
          aria-selected={i === at}
          className={css.choice}
          onMouseDown={(event) => {
            event.preventDefault()
            onTake(i)
          }}
        >
          {words}
        </div>
      ))}
    </div>
  )
}

export const whichId = (id: string, index: number): string => `${id}-${index}`

const ACTIVE = 'a[href], button:not(:disabled)'

/** What leads on from each line of the lists on the page, in their order. */
const linesOfPage = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('main li')].flatMap((line) => {
    const first = [...line.querySelectorAll<HTMLElement>(ACTIVE)].find(
      (each) => each.closest('li') === line && each.offsetParent !== null,
    )
    return first ? [first] : []
  })

/** To the next line of a list, or to the one before; from elsewhere to the first one. */
export function goAlongList(by: 1 | -1): void {
  const lines = linesOfPage()
  const here = document.activeElement?.closest('li')
  const at = lines.findIndex((each) => each.closest('li') === here)
  const next = at < 0 ? lines[0] : lines[at + by]
  next?.focus()
}

type Input = HTMLInputElement | HTMLTextAreaElement

const inputsOf = (form: HTMLFormElement): Input[] =>
  [...form.elements].filter(
    (each): each is Input => each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement,
  )

/** Remembers what a form holds as it is sent; the answer empties it but for what was typed since. */
export function resetSent(form: HTMLFormElement): () => void {
  const sent = new Map(inputsOf(form).map((input) => [input, input.value]))
  return () => {
    const later = inputsOf(form)
      .filter((input) => sent.get(input) !== input.value)
      .map((input) => [input, input.value] as const)
    form.reset()
    for (const [input, value] of later) input.value = value
  }
}

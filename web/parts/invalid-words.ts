type Input = HTMLInputElement | HTMLTextAreaElement

/** Browsers cut off what is pasted, without a word: it is kept whole, and refused in these. */
export function tooLongWords({ length }: string, most: number | undefined): string | undefined {
  if (most === undefined || length <= most) return undefined
  return `At most ${most.toLocaleString()} characters: it has ${length.toLocaleString()}`
}

/** Why a browser would not send an input, in words of our own. */
export function invalidWords(input: Input, label: string): string {
  const { validity, value } = input
  if (validity.valueMissing) return `${label} is wanted`
  if (validity.typeMismatch && input.type === 'email')
    return 'An e-mail address has the form name@example.org'
  if (validity.typeMismatch) return 'An address begins with https:// or http://'
  if (validity.tooShort) return `At least ${input.minLength} characters: it has ${value.length}`
  if (validity.customError) return input.validationMessage
  return input.title || 'This cannot be read'
}

/** The first of a form that is not right is where one goes on. */
export function isFirstInvalid(input: Input): boolean {
  const first =
    input.form && [...input.form.elements].find((each) => each.matches('input:invalid, textarea:invalid'))
  return !first || first === input
}

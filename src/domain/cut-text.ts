/** As much of a text as may be shown; what is left out is an ellipsis, and no character is halved. */
export const cutText = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text

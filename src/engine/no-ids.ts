/** For a read, which makes none. */
export function noIds(): never {
  throw new Error('a read makes no ids')
}

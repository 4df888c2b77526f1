import { badRequest } from '#src/domain/errors.ts'

/** @throws BadRequest: the command takes none of these words */
export function refuseSurplus(command: string, [surplus]: readonly string[]): void {
  if (surplus !== undefined) throw badRequest(`${command} does not take '${surplus}'`)
}

import { plainName } from '#web/rules/plain-name.ts'

/** A name that somebody gave, where a person decides by it: it changes nothing of what stands around it (UAX #9). */
export function Name({ of }: { of: string }) {
  return <bdi>{plainName(of)}</bdi>
}

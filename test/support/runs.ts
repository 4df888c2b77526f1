/** `npm run test:all`, which goes before a release: everything on both engines, and more of what chance decides. */
export const TEST_ALL = Boolean(process.env['TEST_ALL'])

/**
 * How often something is tried that chance decides: `few` times by `npm test`, `many` times by `npm run test:all`, or
 * as often as the environment variable of that name says.
 */
export function runs(few: number, many: number, variable?: string): number {
  const given = variable && process.env[variable]
  return given ? Number(given) : TEST_ALL ? many : few
}

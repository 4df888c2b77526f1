import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { routesOf } from '#src/api/http/operation-routes.ts'
import { unlistedRoutes } from '#src/api/http/unlisted-routes.ts'
import type { Operation } from '#src/runtime/operation.ts'

/** Method and path of every route there is: those of the operations and those of the two tables. */
export const knownRoutes = (operations: readonly Operation[]): string[] => [
  ...operations.flatMap(routesOf).map(({ method, path }) => `${method} ${path}`),
  ...[describedRoutes, unlistedRoutes].flatMap((table) => Object.values(table).flatMap(Object.keys)),
]

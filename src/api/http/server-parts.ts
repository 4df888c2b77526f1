import type { FastifyInstance } from 'fastify'
import type { WebApp } from '#src/api/web/web-app.ts'
import type { Config } from '#src/config/config.ts'
import type { Runtime } from '#src/runtime/call.ts'
import type { JsonThread } from '#src/json/json-thread.ts'
import type { Operation } from '#src/runtime/operation.ts'

/** A part of the interface that is no list of operations: registers its routes on the server. */
export type HttpPart = (app: FastifyInstance, parts: ServerParts) => void

/** What the HTTP interface is made of. */
export interface ServerParts {
  config: Config
  runtime: Runtime
  operations: readonly Operation[]
  web: WebApp
  /** Reads what comes in. */
  json: JsonThread
  /** Other interfaces on the same socket: MCP, chat. */
  others?: readonly HttpPart[]
  /** Milliseconds between the signs of life on event streams. */
  heartbeat?: number | undefined
}

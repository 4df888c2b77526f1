import type { FastifyRequest } from 'fastify'

const BEARER = /^bearer +([\x21-\x7e]+) *$/i

/** The token of `Authorization: Bearer <token>`. */
export const bearerOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1]

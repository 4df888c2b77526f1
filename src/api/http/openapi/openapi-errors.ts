import { Type } from 'typebox'
import { errorBody, STATUS } from '#src/api/http/error-response.ts'
import { type ErrorCode, type ErrorDetails, ServiceError } from '#src/domain/errors.ts'

const Problem = Type.Object({
  path: Type.String({ description: 'Where, e.g. `items[3].tags[0].field_values.priority`' }),
  message: Type.String(),
  suggestion: Type.Optional(Type.String({ description: 'How to do it right' })),
})

/** The body of every failure. */
export const ErrorSchema = Type.Object(
  {
    error: Type.Unsafe<ErrorCode>({ type: 'string', enum: Object.keys(STATUS) }),
    message: Type.String({ description: 'For people' }),
    path: Type.String({ description: 'The path as requested, without the query' }),
    suggestion: Type.Optional(Type.String({ description: 'How to do it right' })),
    details: Type.Optional(
      Type.Object(
        { errors: Type.Optional(Type.Array(Problem, { description: 'Every fault of the input' })) },
        { additionalProperties: true },
      ),
    ),
  },
  { title: 'Error' },
)

interface ErrorExample {
  description: string
  message: string
  suggestion?: string
  details?: ErrorDetails
  headers?: Record<string, string>
}

const EXAMPLES: Readonly<Record<ErrorCode, ErrorExample>> = {
  BadRequest: {
    description: 'The input is not valid; every fault is named',
    message: 'name: is required',
    details: { errors: [{ path: 'name', message: 'is required' }] },
  },
  Unauthorized: {
    description:
      'No session, an expired one, or one that owes its second factor; or a key that is unknown or has ended',
    message: 'Not signed in',
    suggestion: 'Sign in with POST /api/auth/login',
  },
  Forbidden: {
    description:
      'A write from another site, a key that does not reach this, or a registration that is not open',
    message: "Requests from 'https://other.example' are not allowed",
    suggestion: 'Add the origin to CORS_ORIGINS',
  },
  NotFound: {
    description: 'It does not exist, or is deleted',
    message: "Item '01JJXZ5T7GQ3M8K4B9R2C6D0EF' not found",
  },
  MethodNotAllowed: {
    description: 'The path answers to other methods',
    message: '/api/auth/login does not answer to GET',
    suggestion: 'Use POST',
    headers: { Allow: 'The methods' },
  },
  RequestTimeout: {
    description: 'A body of more than 64 KiB came too slowly',
    message: 'The body came too slowly: one of more than 65536 bytes has to come with 32768 bytes a second',
    suggestion: 'Send it in several requests, each with fewer bytes',
  },
  Conflict: { description: 'It is there already', message: "A tag named 'Task' exists already" },
  Gone: {
    description: 'It was there, and was removed',
    message: "The file '01JJXZ5T7GQ3M8K4B9R2C6D0EF' was removed",
  },
  PreconditionFailed: {
    description: 'It is not in a state that If-Match names',
    message: 'It has been changed since it was read',
    suggestion: 'Look at details.current, and try again with its updated_at',
  },
  PayloadTooLarge: {
    description: 'The body is larger than BODY_LIMIT, or than 64 KiB where no session is needed',
    message: 'The request body is larger than 33554432 bytes',
    details: { limit: 33_554_432 },
  },
  UnsupportedMediaType: {
    description: 'The body is no JSON',
    message: "A body of type 'text/xml' cannot be read",
    suggestion: 'Send JSON with Content-Type: application/json',
  },
  RangeNotSatisfiable: {
    description: 'There are no such bytes',
    message: 'The file has 1024 bytes, none of which were asked for',
    headers: { 'Content-Range': 'How many there are' },
  },
  UnprocessableEntity: {
    description: 'The Idempotency-Key belongs to another request',
    message: "The Idempotency-Key (idempotency_key) 'a1' belongs to another request",
    suggestion: 'Take a new key for each request, and the same one only to send the same request again',
  },
  TooManyRequests: {
    description: 'Too often; try again later',
    message: 'Too many failed sign-ins',
    details: { retry_after: 60 },
    headers: {
      'Retry-After': 'Seconds to wait',
      'RateLimit-Policy': 'With RATE_LIMIT: requests allowed (q) in how many seconds (w)',
      RateLimit: 'With RATE_LIMIT: how many are left (r), and in how many seconds all are there again (t)',
    },
  },
  InternalServerError: { description: 'A fault of the service', message: 'Something went wrong on our side' },
  ServiceUnavailable: {
    description: 'Shutting down, or the database is out of reach',
    message: 'The service is shutting down',
  },
  InsufficientStorage: {
    description: 'There is no room where files are kept',
    message: 'There is no room for this file: nothing was kept',
    suggestion: 'Free space where FILES leads, and send it again',
  },
}

/** One response for each error code, named like it. */
export function errorResponses(schema: object): Record<string, object> {
  return Object.fromEntries(
    (Object.entries(EXAMPLES) as [ErrorCode, ErrorExample][]).map(
      ([code, { description, message, headers, ...rest }]) => [
        code,
        {
          description,
          ...(headers && { headers: headersOf(headers) }),
          content: {
            'application/json': {
              schema,
              example: errorBody(new ServiceError(code, message, rest), '/api/items'),
            },
          },
        },
      ],
    ),
  )
}

const headersOf = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

/** References to the responses for these codes, by status. */
export const errorReferences = (codes: Iterable<ErrorCode>): Record<string, object> =>
  Object.fromEntries(
    [...new Set(codes)].map((code) => [STATUS[code], { $ref: `#/components/responses/${code}` }]),
  )

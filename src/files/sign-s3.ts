import { createHash, createHmac } from 'node:crypto'

export interface S3Credentials {
  region: string
  access_key_id: string
  secret_access_key: string
}

interface S3Request {
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body: Uint8Array | undefined
  now: Date
}

/**
 * The headers of a request to S3, its signature among them: AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html), over the hash of the body.
 */
export function signedHeaders(
  { region, access_key_id, secret_access_key }: S3Credentials,
  { method, url, headers, body = new Uint8Array(), now }: S3Request,
): Record<string, string> {
  const time = now.toISOString().replace(/[:-]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const payload = sha256(body)
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
  }
  const names = Object.keys(signed).sort()
  const canonical = [
    method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${signed[name]!.trim()}`),
    '',
    names.join(';'),
    payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret_access_key}`)
  const signature = createHmac('sha256', key).update(text).digest('hex')
  const { host: _, ...sent } = signed
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${access_key_id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

/** As S3 wants it: everything but the unreserved characters of RFC 3986. */
export const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

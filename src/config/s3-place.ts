import type { S3Config, S3Place, S3Service } from '#src/config/config.ts'

/** Null: the text does not lead to S3, or by `..` out of the bucket: addresses resolve such parts, names of objects do not. */
export function readS3Place(text: string): S3Place | null {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/i.exec(text) ?? []
  if (prefix.split('/').some((part) => part === '.' || part === '..')) return null
  return bucket === undefined ? null : { bucket, prefix: prefix.replace(/^\/+|\/+$/g, '') }
}

/** Whether it is meant to, well or not. */
export const namesS3 = (text: string): boolean => /^s3:/i.test(text)

export const s3Address = ({ bucket, prefix }: S3Place): string => `s3://${bucket}${prefix && `/${prefix}`}`

/** The settings without which nothing opens a bucket, as far as they are not set. */
export const missingForS3 = ({ access_key_id, secret_access_key }: S3Service): string[] => [
  ...(access_key_id ? [] : ['S3_ACCESS_KEY_ID']),
  ...(secret_access_key ? [] : ['S3_SECRET_ACCESS_KEY']),
]

export const s3ConfigOf = (service: S3Service, { bucket, prefix }: S3Place): S3Config => ({
  kind: 's3',
  bucket,
  prefix,
  endpoint: service.endpoint,
  region: service.region,
  access_key_id: service.access_key_id ?? '',
  secret_access_key: service.secret_access_key ?? '',
})

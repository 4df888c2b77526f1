import type { Config } from '#src/config/config.ts'

/** What lets its bearer send or fetch one file. The token is in the query, which is never logged. */
export const fileUrl = ({ public_url }: Pick<Config, 'public_url'>, token: string): string =>
  `${public_url}/api/file-urls?token=${token}`

const CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether there was no room for what was to be written: the disk's, a quota's, or that of one file. */
export const isDiskFull = (error: unknown): boolean =>
  CODES.has((error as Partial<NodeJS.ErrnoException>).code ?? '')

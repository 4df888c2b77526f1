/** Where what runs by itself says what went wrong. */
export interface WorkLog {
  warn(details: object, message: string): void
}

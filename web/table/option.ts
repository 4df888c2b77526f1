import type { ReactNode } from 'react'

/** Something that a list offers. */
export interface Option {
  /** A variant's name, or the id of an item. */
  value: string
  text: string
  look?: ReactNode
  what?: string | undefined
  /** Makes the item first. */
  create?: () => Promise<string>
}

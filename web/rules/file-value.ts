import { elementsOf, type FileElement, MAX_FILES } from '#src/domain/file-values.ts'

export { elementsOf, MAX_FILES }
export type { FileElement }

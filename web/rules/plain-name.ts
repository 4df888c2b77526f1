export { plainName } from '#src/domain/names.ts'

export { plainName } from '#src/domain/plain-name.ts'

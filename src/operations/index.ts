import { changePassword } from '#src/operations/account/change-password.ts'
import { login } from '#src/operations/account/login.ts'
import { logout } from '#src/operations/account/logout.ts'
import { register } from '#src/operations/account/register.ts'
import type { Operation } from '#src/operations/operation.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'

/** Every operation of the service. */
export const operations: readonly Operation[] = [...sqlOperations, changePassword, login, logout, register]

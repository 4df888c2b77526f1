import { Type } from 'typebox'
import { admit, Terms } from '#src/operations/account/invitation/admission.ts'
import { defineOperation } from '#src/operations/operation.ts'

export const checkAdmission = defineOperation({
  name: 'checkAdmission',
  summary: 'Refuses who may not make an account, before anything costly is done.',
  access: 'internal',
  effect: 'read',
  input: Type.Object({
    terms: Terms,
    email: Type.String(),
    invitation_hash: Type.Union([Type.String(), Type.Null()]),
  }),
  output: Type.Null(),
  async run(context, { terms, ...who }) {
    await admit(context, terms, who)
    return null
  },
})

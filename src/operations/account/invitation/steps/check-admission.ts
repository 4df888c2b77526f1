import { admit, type Terms } from '#src/operations/account/invitation/admission.ts'
import { defineStep } from '#src/operations/step.ts'

interface Applicant {
  terms: Terms
  email: string
  invitation_hash: string | null
}

/** Refuses who may not make an account, before anything costly is done. */
export const checkAdmission = defineStep({
  name: 'checkAdmission',
  effect: 'read',
  async run(context, { terms, ...who }: Applicant) {
    await admit(context, terms, who)
    return null
  },
})

import { z } from 'zod'
import { nowhere } from '../../base/index.ts'
import { wireDiagnostic } from '../diagnostics.ts'
import { describeValue } from '../excerpt.ts'
import { raise } from '../issues.ts'
import { uuid } from '../schema.ts'
import { hiddenCharacter, userNameOf } from '../user-name.ts'

/** Accepts `text@text` without blanks. Only sending mail could show whether the address exists. */
const email = z.string().transform((source, context): string => {
  const hidden = hiddenCharacter(source)
  if (hidden !== undefined) return raise(context, wireDiagnostic('hidden-character', hidden, nowhere))
  const address = userNameOf(source)
  const at = address.lastIndexOf('@')
  if (at > 0 && at < address.length - 1 && address.length <= 254 && !/\s/.test(address)) return address
  const data = { expected: 'an e-mail address', found: describeValue(source) }
  return raise(context, wireDiagnostic('bad-format', data, nowhere))
})

/** Body of `POST /api/rbac/policy/apply`. Adds to a user's policies, or replaces them with `override`. */
export const policyApply = z
  .object({
    emails: z.array(email).min(1),
    policyUUIDs: z.array(uuid()),
    override: z.boolean().optional(),
  })
  .meta({ id: 'PolicyApply', description: 'Which policies to give to which users.' })

export type PolicyApply = z.output<typeof policyApply>

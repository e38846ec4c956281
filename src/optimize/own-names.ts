import { throwIfErrors, nowhere } from '../base/index.ts'
import { optimizeDiagnostic } from './diagnostics.ts'
import type { Lint } from './lint.ts'
import { lints as standardLints } from './lints/index.ts'
import { nameFault, type Rule } from './rule.ts'
import { rules as standardRules } from './rules/index.ts'

function faultsOf(
  what: string,
  own: readonly { readonly name: string }[],
  standard: readonly { readonly name: string }[],
) {
  const taken = new Set(standard.map(({ name }) => name))
  return own.flatMap(({ name }) => {
    const why = nameFault(name) ?? (taken.has(name) ? 'there is one of that name' : undefined)
    taken.add(name)
    return why === undefined ? [] : [optimizeDiagnostic('bad-name', { what, name, why }, nowhere)]
  })
}

/** Throws SluiceError `optimize/bad-name` if a user's rule or lint has an invalid name, or one that is in use. */
export function checkNames(rules: readonly Rule[], lints: readonly Lint[]): void {
  throwIfErrors([...faultsOf('rule', rules, standardRules), ...faultsOf('lint', lints, standardLints)])
}

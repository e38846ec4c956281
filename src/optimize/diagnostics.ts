import { defineDiagnostics } from '../base/index.ts'

export const optimizeDiagnostic = defineDiagnostics('optimize', {
  'unsound-rule': (d: { rule: string; faults: readonly string[] }) => ({
    message: `The rule \`${d.rule}\` makes a plan that must not run: ${d.faults.join('; ')}.`,
    why: 'A rule keeps the columns, the rows and their order, and the data scope of every table. Without it the query runs: `disabledRules`.',
  }),
  'failed-rule': (d: { rule: string; cause: string }) => ({
    message: `The rule \`${d.rule}\` failed: ${d.cause}`,
    why: 'Without it the query runs: `disabledRules`.',
  }),
  'failed-lint': (d: { lint: string; cause: string }) => ({
    message: `The lint \`${d.lint}\` failed: ${d.cause}`,
    why: 'The query is not affected. `disabledLints` leaves it out.',
    severity: 'warning',
  }),
  'bad-name': (d: { what: string; name: string; why: string }) => ({
    message: `No ${d.what} can be named \`${d.name}\`: ${d.why}.`,
  }),
})

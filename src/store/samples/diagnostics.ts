import { defineDiagnostics } from '../../base/index.ts'

export const sampleDiagnostic = defineDiagnostics('samples', {
  'bad-regex': (d: { label: string; pattern: string; reason: string }) => ({
    message: `The pattern \`${d.pattern}\` for the label \`${d.label}\` is not a valid regular expression: ${d.reason}`,
  }),
})

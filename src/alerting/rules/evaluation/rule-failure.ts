import { SluiceError, defineDiagnostics, nowhere } from '../../../base/index.ts'

const definitions = {
  'duplicate-labels': ({ kind }: { kind: 'alerts' | 'series' }) => ({
    message: `Two ${kind} of the rule have equal labels. Keep the labels that tell them apart.`,
  }),
  'limit-exceeded': (d: { limit: number; found: number; kind: 'alerts' | 'series' }) => ({
    message: `The rule has ${d.found} ${d.kind}; the limit of its group is ${d.limit}.`,
  }),
  'duplicate-sample': ({ series }: { series: string }) => ({
    message: `Another rule of the group has written ${series} with another value. Give one of them another name or label.`,
  }),
  'no-log-queries': (_: object) => ({ message: 'Log queries are not available here.' }),
}

const ruleDiagnostic = defineDiagnostics('rules', definitions)

/** Makes the error of a failed evaluation of a rule. */
export function ruleFailure<K extends keyof typeof definitions>(
  what: K,
  data: Parameters<(typeof definitions)[K]>[0],
): SluiceError {
  return new SluiceError([ruleDiagnostic(what, data as never, nowhere)])
}

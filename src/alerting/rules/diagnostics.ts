import { SluiceError, defineDiagnostics, nowhere } from '../../base/index.ts'
import { quoteText } from '../../lang/promql/index.ts'

type Kind = 'alerts' | 'series'

const definitions = {
  'duplicate-labels': ({ kind }: { kind: Kind }) => ({
    message: `Two ${kind} of the rule have equal labels. Keep the labels that tell them apart.`,
  }),
  'limit-exceeded': (d: { limit: number; found: number; kind: Kind }) => ({
    message: `The rule has ${d.found} ${d.kind}; the limit of its group is ${d.limit}.`,
  }),
  'labels-too-long': (d: { limit: number }) => ({
    message: `The labels of the rule's alerts have more than ${d.limit} characters in all. Keep fewer or shorter labels.`,
  }),
  'duplicate-sample': ({ series }: { series: string }) => ({
    message: `Another rule of the group has written ${series} with another value. Give one of them another name or label.`,
  }),
  'duplicate-file': ({ name }: { name: string }) => ({
    message: `Two rule files are named ${quoteText(name)}. Give each file once.`,
  }),
  'not-a-vector': ({ type }: { type: string }) => ({
    message: `The result of a rule must be a vector or a scalar, not a ${type}.`,
  }),
  'no-log-queries': (_: object) => ({ message: 'Log queries are not available here.' }),
  'no-stats': (_: object) => ({
    message:
      'The log query of a rule must end with `stats`; only filters, sorting, limits, `math` and renaming may follow.',
    why: 'Each result of `stats` is a series; rows have no value.',
  }),
  'not-a-number': (d: { name: string; value: string }) => ({
    message: `The result \`${d.name}\` is not a number: ${quoteText(d.value)}.`,
  }),
  'bad-parameter': ({ name, reason }: { name: string; reason: string }) => ({
    message: `invalid parameter ${quoteText(name)}: ${reason}`,
  }),
}

export const ruleDiagnostic = defineDiagnostics('rules', definitions)

/** Creates an error without a position, about a rule or about a request for rules. */
export function ruleFailure<K extends keyof typeof definitions>(
  what: K,
  data: Parameters<(typeof definitions)[K]>[0],
): SluiceError {
  return new SluiceError([ruleDiagnostic(what, data as never, nowhere)])
}

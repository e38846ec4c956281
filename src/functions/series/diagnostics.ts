import { SluiceError, defineDiagnostics, type Origin } from '../../base/index.ts'

/** Errors at run time of metric queries, with Prometheus's messages. */
export const seriesDiagnostic = defineDiagnostics('series', {
  'same-labels': () => ({
    message: 'vector cannot contain metrics with the same labelset',
    why: 'After this operation two series carry equal labels at one time, so their values cannot be told apart.',
  }),
  'duplicate-series': (d: { group: string; side: string; examples: string }) => ({
    message: `found duplicate series for the match group ${d.group} on the ${d.side} hand-side of the operation: [${d.examples}];many-to-many matching not allowed: matching labels must be unique on one side`,
  }),
  'many-to-one': () => ({
    message: 'multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)',
  }),
  'grouping-not-unique': () => ({
    message: 'multiple matches for labels: grouping labels must ensure unique matches',
  }),
  'bad-label-of-function': (d: { name: string; fn: string; role: 'source' | 'destination' }) => ({
    message: `invalid ${d.role} label name in ${d.fn}(): ${d.name.toWellFormed()}`,
  }),
  'bad-label-name': (d: { name: string; fn: string }) => ({
    message: d.fn === '' ? `invalid label name ${quote(d.name)}` : `invalid label name in ${d.fn}(): ${quote(d.name)}`,
  }),
  'too-many-labels': (d: { fn: string; limit: number }) => ({
    message: `${d.fn} would make a series of more than ${d.limit} labels`,
  }),
  'labels-too-long': (d: { fn: string; limitChars: number }) => ({
    message: `${d.fn} would make a series whose labels have more than ${d.limitChars} characters`,
    why: 'Names and values of all labels count.',
  }),
  'bad-regex': (d: { fn: string; pattern: string }) => ({
    message: `invalid regular expression in ${d.fn}(): ${d.pattern}`,
  }),
  'bad-parameter': (d: { text: string }) => ({ message: d.text }),
  'extension-not-allowed': (d: { extension: string; allowed: string; fn: string }) => ({
    message: `${d.extension} modifier can only be used with: ${d.allowed} - not with ${d.fn}`,
  }),
  'bad-duration': (d: { text: string }) => ({ message: d.text }),
  'info-conflict': (d: { text: string }) => ({ message: d.text }),
  'too-many-steps': () => ({
    message:
      'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)',
  }),
  'bad-step': () => ({
    message: 'zero or negative query resolution step widths are not accepted. Try a positive integer',
  }),
  'bad-ends': () => ({ message: 'end timestamp must not be before start time' }),
  'bad-range-type': (d: { type: string }) => ({
    message: `invalid expression type ${JSON.stringify(d.type)} for range query, must be Scalar or instant Vector`,
  }),
  'too-many-samples': (d: { limit: number }) => ({
    message: 'query processing would load too many samples into memory in query execution',
    why: `The limit is ${d.limit} samples at once. A shorter range, a longer step or more selective matchers need fewer.`,
  }),
})

/** Quotes a string. A lone surrogate, which stores a byte that is not valid UTF-8, is shown as that byte. */
function quote(text: string): string {
  const quoted = JSON.stringify(text)
  return quoted.replace(/\\udc([89a-f][0-9a-f])/g, (_, byte: string) => `\\x${byte}`)
}

/** Throws an error with a diagnostic of this module. */
export function failSeries<K extends Parameters<typeof seriesDiagnostic>[0]>(
  what: K,
  data: Parameters<typeof seriesDiagnostic<K>>[1],
  origin: Origin,
): never {
  throw new SluiceError([seriesDiagnostic(what, data, origin)])
}

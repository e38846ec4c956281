import { ROW_WORK, work } from '../../../base/index.ts'
import { compareText } from '../../../data/index.ts'
import {
  ExpansionFault,
  GoMap,
  GoStruct,
  onStrings,
  queryEscape,
  SAMPLE,
  type FunctionTable,
  type GoList,
  type GoValue,
} from '../../../functions/go-template/index.ts'
import type { TemplateSample } from '../data.ts'
import type { AlertContext } from './context.ts'

/** Label in which Prometheus puts the result of a query that returns a string. */
const STRING_VALUE = '__value__'

function field(sample: GoValue, name: string): GoValue {
  return sample instanceof GoStruct ? (sample.fields.get(name) ?? null) : null
}

function labelOf(sample: GoValue, name: string): string {
  const labels = field(sample, 'Labels')
  const value = labels instanceof GoMap ? labels.get(name) : ''
  return typeof value === 'string' ? value : ''
}

function graphPage(expression: string, tab: 0 | 1): string {
  return `/graph?g0.expr=${queryEscape(expression)}&g0.tab=${tab}`
}

/** Returns the path of a URL, or the text itself if it is a path already. */
function pathOf(url: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] ?? ''
}

export const queryFunctions: FunctionTable<AlertContext> = {
  args: {
    parameters: [],
    rest: 'any',
    call: (values) => new GoMap(values.map((value, i) => [`arg${i}`, value] as const)),
  },
  query: {
    parameters: ['string'],
    call: ([text], { query }) => query(text as string),
  },
  first: {
    parameters: ['samples'],
    call: ([samples]) => {
      const first = (samples as GoList)[0]
      if (first === undefined)
        throw new ExpansionFault('first of an empty list; check with `if` that the query found a series')
      return first
    },
  },
  value: { parameters: ['sample'], call: ([sample = null]) => field(sample, 'Value') },
  label: { parameters: ['string', 'sample'], call: ([name, sample = null]) => labelOf(sample, name as string) },
  strvalue: { parameters: ['sample'], call: ([sample = null]) => labelOf(sample, STRING_VALUE) },
  sortByLabel: {
    parameters: ['string', 'samples'],
    call: ([name, samples]) => {
      work(ROW_WORK * (samples as GoList).length)
      const keyed = (samples as GoList).map((sample) => ({ sample, key: labelOf(sample, name as string) }))
      return keyed.sort((a, b) => compareText(a.key, b.key)).map(({ sample }) => sample)
    },
  },
  graphLink: onStrings(1, (expression = '') => graphPage(expression, 0)),
  tableLink: onStrings(1, (expression = '') => graphPage(expression, 1)),
  externalURL: { parameters: [], call: (_, { data }) => data.externalUrl },
  pathPrefix: { parameters: [], call: (_, { data }) => pathOf(data.externalUrl) },
  labels: { parameters: [], call: (_, { data }) => GoMap.ofLabels(data.labels) },
}

/** Converts the answer to a query to a template value. */
export function samplesValue(samples: readonly TemplateSample[]): GoList {
  return samples.map(({ labels, value }) => {
    const fields: readonly (readonly [string, GoValue])[] = [
      ['Labels', GoMap.ofLabels(labels)],
      ['Value', value],
    ]
    return new GoStruct(SAMPLE, fields, { isPointer: true })
  })
}

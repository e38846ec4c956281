import { defineDiagnostics } from '../../base/index.ts'

function orList(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

function near(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [] : [`Did you mean ${orList(words)}?`]
}

/** Diagnostics for JSON pipelines that have the right structure but no valid meaning. */
export const jsonDiagnostic = defineDiagnostics('json', {
  'unknown-operator': (d: { name: string; near: readonly string[]; known: readonly string[] }) => ({
    message: d.name === '' ? 'A filter needs an operator `op`.' : `There is no operator \`${d.name}\`.`,
    why: [...near(d.near), `The operators are ${orList(d.known)}.`],
  }),
  'wrong-value': (d: { operator: string; expected: string }) => ({
    message: `The operator \`${d.operator}\` needs ${d.expected} as its value.`,
  }),
  'missing-key': (d: { where: string }) => ({ message: `${d.where} needs a \`key\`: the name of a column.` }),
  'unknown-processor': (d: { name: string; near: readonly string[] }) => ({
    message:
      d.name === '' ? 'A processor needs an `op`: the name of a function.' : `There is no processor \`${d.name}\`.`,
    why: [...near(d.near), 'Processors are the stats functions, the scalar functions and `toStartOfInterval`.'],
  }),
  'two-aggregates': (d: { first: string; second: string }) => ({
    message: `One selector cannot hold two aggregates, \`${d.first}\` and \`${d.second}\`.`,
    why: 'Aggregate in a nested `from`, then aggregate its alias.',
  }),
  'bad-interval': (d: { text: string }) => ({
    message: `\`${d.text}\` is not an interval.`,
    why: 'Write a whole number and a unit, such as `300 seconds`, `5 minutes`, `1 hour`, `1 day`.',
  }),
  'not-grouped': (d: { name: string }) => ({
    message: `The column \`${d.name}\` is neither aggregated nor named in \`groupBy\`.`,
    why: 'A group has many values of it. Add it to `groupBy`, or give its selector an aggregate such as `max`.',
  }),
  'aggregate-as-key': (d: { name: string }) => ({
    message: `The aggregate \`${d.name}\` cannot be a key to group by.`,
    why: 'Aggregate in a nested `from`, then group by its alias.',
  }),
  'condition-without-aggregate': (_: Record<never, never>) => ({
    message: '`conditionFilter` and `windowSpec` need an aggregate in `processors`.',
  }),
  'duplicate-name': (d: { name: string }) => ({
    message: `Two results have the name \`${d.name}\`.`,
    why: 'Give one of them another `alias`.',
  }),
  'two-sources': (d: { members: readonly string[] }) => ({
    message: `A pipeline has one source, but ${orList(d.members)} are given together.`,
  }),
  'missing-side': (d: { member: string; side: string }) => ({
    message: `\`${d.member}\` needs \`${d.side}\`.`,
    why: 'An empty object counts as not given; a pipeline over all records is, for example, `{"domain": "logs"}`.',
  }),
  'missing-parameter': (d: { name: string; known: readonly string[]; near: readonly string[] }) => ({
    message: `The parameter \`${d.name}\` has no value.`,
    why: [
      ...near(d.near),
      d.known.length === 0 ? 'Values are passed with the query.' : `There are values for ${orList(d.known)}.`,
    ],
  }),
  'unused-parameter': (d: { name: string; used: readonly string[] }) => ({
    message: `A value is given for the parameter \`${d.name}\`, which the query does not have.`,
    why: d.used.length === 0 ? 'It has no parameters.' : `It has ${orList(d.used)}.`,
  }),
  'bad-parameter': (d: { name: string; reason: string }) => ({
    message: `The value of the parameter \`${d.name}\` cannot be used here: ${d.reason}.`,
  }),
  'parameter-as-name': (d: { name: string }) => ({
    message: `The parameter \`${d.name}\` cannot be used here.`,
    why: 'A parameter is a value: of a filter, of `args`, `scalar`, `limit`, `offset`, `sample` or `timeOffset`.',
  }),
  'missing-member': (d: { what: string; member: string }) => ({ message: `${d.what} needs \`${d.member}\`.` }),
  'missing-on': (_: Record<never, never>) => ({
    message: 'A join needs at least one pair in `onConditions`; only a cross join does without.',
  }),
  'unknown-word': (d: { what: string; name: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `There is no ${d.what} \`${d.name}\`.`,
    why: [...near(d.near), `Known are ${orList(d.known)}.`],
  }),
  'bad-math': (d: { reason: string }) => ({ message: `This math expression cannot be read: ${d.reason}.` }),
  'query-and-source': (d: { member: string }) => ({
    message: `A \`query\` with pipes cannot feed a pipeline that has its own \`${d.member}\`.`,
    why: 'Move the pipes into the pipeline, or leave out the `query`.',
  }),
  'no-text': (d: { what: string }) => ({ message: `The text language has no form for ${d.what}.` }),
  'no-pipeline': (d: { what: string; instead: string }) => ({
    message: `A pipeline cannot hold ${d.what}.`,
    why: d.instead,
  }),
  'fixed-time': (_: Record<never, never>) => ({
    message: 'The query has times relative to now; the pipeline fixes them at the current time.',
    severity: 'warning',
    why: 'Use the time range of the request instead.',
  }),
  'bad-offset': (d: { text: string }) => ({
    message: `\`${d.text}\` is not a duration.`,
    why: 'Write a duration such as `1h` or `7d`.',
  }),
})

import { z } from 'zod'
import { DAY_NS, formatRfc3339, nowhere } from '../../../base/index.ts'
import { Instant } from '../../../data/index.ts'
import { column, countRows, type LogicalPlan } from '../../../plan/index.ts'
import { fault } from '../../errors/http-fault.ts'
import { budgetOf, eachRow } from '../../search/collect.ts'
import { stepOf } from '../../search/fields/questions.ts'
import { entryBytes, textIn, writtenAnswer } from './answer-rows.ts'
import { defineSelectRoutes } from './define-select-routes.ts'
import { countParameter, durationParameter, flagParameter, stepParameter } from './parameters.ts'
import { selectionOf } from './selection.ts'

/** Maximum number of fields to group by. */
const MAX_FIELDS = 100
const POINT_BYTES = 64

const hitsAnswer = z
  .object({
    hits: z.array(
      z.object({
        fields: z.record(z.string(), z.string()),
        timestamps: z.array(z.string()),
        values: z.array(z.number()),
        total: z.number(),
      }),
    ),
  })
  .meta({ id: 'SelectHits', description: 'Numbers of rows over time, in the form of VictoriaLogs.' })

/** Row counts of one combination of values, by start of the step. */
interface Group {
  /** Names and values of the fields as JSON. */
  readonly fields: string
  readonly hits: Map<bigint, number>
  total: number
}

function keyOf(index: number): string {
  return `key${index}`
}

/** Counts rows by step and combination of values. */
function hitsPlan(input: LogicalPlan, fields: readonly string[], stepNs: bigint, offsetNs: bigint): LogicalPlan {
  const by = fields.map((name, i) => ({ name: keyOf(i), expr: column(name), type: 'any' as const }))
  return {
    kind: 'aggregate',
    input,
    keys: [{ name: 'at', expr: stepOf('_time', stepNs, offsetNs), type: 'time' }, ...by],
    aggregates: [{ name: 'hits', call: countRows(nowhere), type: 'integer' }],
    origin: nowhere,
  }
}

/** Returns the largest groups. All other groups are merged into one group without fields. */
function largest(groups: readonly Group[], limit: number | undefined): readonly Group[] {
  const sorted = groups.toSorted((a, b) => b.total - a.total || (a.fields < b.fields ? -1 : 1))
  if (limit === undefined || sorted.length <= limit) return sorted
  const others: Group = { fields: '{}', hits: new Map(), total: 0 }
  for (const { hits, total } of sorted.slice(limit)) {
    others.total += total
    for (const [at, count] of hits) others.hits.set(at, (others.hits.get(at) ?? 0) + count)
  }
  return [...sorted.slice(0, limit), others]
}

export const selectHitsRoutes = defineSelectRoutes({
  name: 'selectHits',
  path: 'hits',
  summary: 'Count rows over time, as VictoriaLogs does',
  parameters: {
    step: 'Length of a step: a duration, or seconds. Default: `1d`.',
    offset: 'Shifts the start of steps, such as to a time zone.',
    field: 'Counts rows with each value of this field; may repeat.',
    fields_limit: 'At most this many groups; one without fields has the rows of the others.',
    ignore_pipes: '`1`: leaves the pipes of the query out.',
  },
  answer: { description: 'Groups with the steps that have rows, the largest group first.', schema: hitsAnswer },
  handle: async (call) => {
    const { parameters } = call
    const stepNs = stepParameter(parameters, 'step', DAY_NS)
    const offsetNs = durationParameter(parameters, 'offset', 0n)
    const fields = [...new Set(parameters.all('field'))].filter((name) => name !== '')
    if (fields.length > MAX_FIELDS)
      throw fault('bad-parameter', {
        name: 'field',
        expected: `given at most ${MAX_FIELDS} times`,
        found: String(fields.length),
      })
    const limit = countParameter(parameters, 'fields_limit')
    const answer = await call.service.search({
      ...selectionOf(call, flagParameter(parameters, 'ignore_pipes')),
      over: (plan) => hitsPlan(plan, fields, stepNs, offsetNs),
    })
    const budget = budgetOf(call)
    const groups = new Map<string, Group>()
    await eachRow(answer.batches(), (row) => {
      budget.checkpoint()
      const at = row.get('at')
      if (!(at instanceof Instant)) throw fault('no-times', {})
      const key = `{${fields.map((name, i) => `${JSON.stringify(name)}:${JSON.stringify(textIn(row, keyOf(i)))}`).join(',')}}`
      let group = groups.get(key)
      if (group === undefined) {
        budget.charge(entryBytes(key))
        group = { fields: key, hits: new Map(), total: 0 }
        groups.set(key, group)
      }
      const count = Number(textIn(row, 'hits'))
      const known = group.hits.get(at.ns)
      if (known === undefined) budget.charge(POINT_BYTES)
      group.hits.set(at.ns, (known ?? 0) + count)
      group.total += count
    })
    // oxlint-disable-next-line require-await
    return writtenAnswer(call, answer, async (write) => {
      let separator = '{"hits":['
      for (const { fields: names, hits, total } of largest([...groups.values()], limit)) {
        budget.checkpoint()
        const points = [...hits].sort(([a], [b]) => (a < b ? -1 : 1))
        write(`${separator}{"fields":${names},"timestamps":[`)
        points.forEach(([at], i) => write(`${i === 0 ? '' : ','}"${formatRfc3339(at, true)}"`))
        write(`],"values":[`)
        points.forEach(([, count], i) => write(`${i === 0 ? '' : ','}${count}`))
        write(`],"total":${total}}`)
        separator = ','
      }
      write(separator === ',' ? ']}' : '{"hits":[]}')
    })
  },
})

import { z } from 'zod'
import { DAY_NS, SECOND_NS, SluiceError } from '../../../base/index.ts'
import { statsLabels, type StatsLabels } from '../../../analyze/index.ts'
import { Instant, type Row } from '../../../data/index.ts'
import { column, fieldPattern, matchesField, type LogicalPlan } from '../../../plan/index.ts'
import { serverDiagnostic } from '../../errors/diagnostics.ts'
import { budgetOf, eachRow } from '../../search/collect.ts'
import { stepOf } from '../../search/fields/questions.ts'
import type { AnyRoute } from '../definition/route.ts'
import { entryBytes, listAnswer, textIn, writtenAnswer } from './answer-rows.ts'
import { defineSelectRoutes } from './define-select-routes.ts'
import { statsError, statsErrors } from './errors.ts'
import { durationParameter, stepParameter } from './parameters.ts'
import { selectionOf, shownAnswer, shownName } from './selection.ts'

const TIME = '_time'
const POINT_BYTES = 64

const metric = z.record(z.string(), z.string())
const point = z.tuple([z.number(), z.string()])
const status = z.literal('success')

const vectorAnswer = z
  .object({
    status,
    data: z.object({ resultType: z.literal('vector'), result: z.array(z.object({ metric, value: point })) }),
  })
  .meta({ id: 'SelectStats', description: 'Statistics at one time, in the form of VictoriaLogs.' })

const matrixAnswer = z
  .object({
    status,
    data: z.object({ resultType: z.literal('matrix'), result: z.array(z.object({ metric, values: z.array(point) })) }),
  })
  .meta({ id: 'SelectStatsRange', description: 'Statistics over time, in the form of VictoriaLogs.' })

function refuse(code: 'no-stats' | 'limit-over-time', { origin }: LogicalPlan): never {
  throw new SluiceError([serverDiagnostic(code, {}, origin)])
}

/** Returns the labels and values of a query that ends in a grouping. Throws `server/no-stats` for another query. */
function labelsOf(plan: LogicalPlan): StatsLabels {
  return statsLabels(plan) ?? refuse('no-stats', plan)
}

/**
 * Adds the time step as a key of the plan's last grouping. Later stages keep the key and apply to the groups of each
 * step separately.
 */
function byTime(plan: LogicalPlan, stepNs: bigint, offsetNs: bigint): LogicalPlan {
  const below = (input: LogicalPlan): LogicalPlan => byTime(input, stepNs, offsetNs)
  const { origin } = plan
  switch (plan.kind) {
    case 'aggregate': {
      const key = { name: TIME, expr: stepOf(TIME, stepNs, offsetNs), type: 'time' as const }
      return { ...plan, keys: [key, ...plan.keys.filter(({ name }) => name !== TIME)] }
    }
    case 'sort': {
      const isCut = plan.limit !== undefined || plan.offset > 0 || plan.rankName !== undefined
      const partitionBy = isCut ? [column(TIME, origin), ...plan.partitionBy] : plan.partitionBy
      return { ...plan, partitionBy, input: below(plan.input) }
    }
    case 'window': {
      const isTotal = plan.calls.every(({ frame }) => frame === 'partition')
      const partitionBy = isTotal ? [column(TIME, origin), ...plan.partitionBy] : plan.partitionBy
      return { ...plan, partitionBy, input: below(plan.input) }
    }
    case 'project': {
      const hasTime = plan.fields.some((pattern) => matchesField(pattern, TIME))
      return { ...plan, fields: hasTime ? plan.fields : [fieldPattern(TIME), ...plan.fields], input: below(plan.input) }
    }
    case 'limit':
      return refuse('limit-over-time', plan)
    default:
      return 'input' in plan ? { ...plan, input: below(plan.input) } : refuse('no-stats', plan)
  }
}

/** Labels of a row as JSON object members, and its values. */
interface Line {
  readonly labels: string
  readonly values: readonly (readonly [name: string, value: string])[]
}

function lineOf(row: Row, isValue: (name: string) => boolean): Line {
  let labels = ''
  const values: (readonly [string, string])[] = []
  for (const name of row.keys()) {
    if (isValue(name)) values.push([name, textIn(row, name)])
    else if (name !== TIME) labels += `,${JSON.stringify(name)}:${JSON.stringify(textIn(row, name))}`
  }
  return { labels, values }
}

/** Converts ns to Unix seconds, keeping the digits. */
function secondsOf(ns: bigint): number {
  const [size, sign] = ns < 0n ? [-ns, '-'] : [ns, '']
  return Number(`${sign}${size / SECOND_NS}.${String(size % SECOND_NS).padStart(9, '0')}`)
}

const metricOf = (name: string, labels: string): string => `{"metric":{"__name__":${JSON.stringify(name)}${labels}}`

const statsRoutes = defineSelectRoutes({
  name: 'selectStats',
  path: 'stats_query',
  summary: 'Compute statistics of logs at one time, as VictoriaLogs does',
  parameters: {},
  answer: { description: 'A value for each group and function.', schema: vectorAnswer },
  errors: statsErrors,
  refusals: [{ status: 422, description: 'Something in the request is wrong.', schema: statsError }],
  handle: async (call) => {
    const selection = selectionOf(call)
    let columns: StatsLabels = { labels: [], values: [] }
    const found = await call.service.search({
      ...selection,
      over: (plan) => {
        columns = labelsOf(plan)
        return plan
      },
    })
    const values = new Set(columns.values.map((name) => shownName(found.names, name)))
    const answer = shownAnswer(found)
    const time = secondsOf(selection.nowNs)
    const ends = ['{"status":"success","data":{"resultType":"vector","result":[', ']}}'] as const
    return listAnswer(call, ends, answer, (add) =>
      eachRow(answer.batches(), (row) => {
        const line = lineOf(row, (name) => values.has(name))
        for (const [name, value] of line.values)
          add(`${metricOf(name, line.labels)},"value":[${time},${JSON.stringify(value)}]}`)
      }),
    )
  },
})

const statsRangeRoutes = defineSelectRoutes({
  name: 'selectStatsRange',
  path: 'stats_query_range',
  summary: 'Compute statistics of logs over time, as VictoriaLogs does',
  parameters: {
    step: 'Length of a step: a duration, or seconds. Default: `1d`.',
    offset: 'Shifts the start of steps, such as to a time zone.',
  },
  answer: { description: 'A series for each group and function.', schema: matrixAnswer },
  errors: statsErrors,
  refusals: [{ status: 422, description: 'Something in the request is wrong.', schema: statsError }],
  handle: async (call) => {
    const stepNs = stepParameter(call.parameters, 'step', DAY_NS)
    const offsetNs = durationParameter(call.parameters, 'offset', 0n)
    let columns: StatsLabels = { labels: [], values: [] }
    const found = await call.service.search({
      ...selectionOf(call),
      over: (plan) => {
        labelsOf(plan)
        const stepped = byTime(plan, stepNs, offsetNs)
        columns = labelsOf(stepped)
        if (!columns.labels.includes(TIME)) refuse('no-stats', plan)
        return stepped
      },
    })
    const values = new Set(columns.values.map((name) => shownName(found.names, name)))
    const answer = shownAnswer(found)
    const budget = budgetOf(call)
    const series = new Map<string, (readonly [seconds: number, value: string])[]>()
    await eachRow(answer.batches(), (row) => {
      budget.checkpoint()
      const at = row.get(TIME)
      // A row without a time belongs to no step.
      if (!(at instanceof Instant)) return
      const line = lineOf(row, (name) => values.has(name))
      for (const [name, value] of line.values) {
        const key = metricOf(name, line.labels)
        let points = series.get(key)
        if (points === undefined) {
          budget.charge(entryBytes(key))
          points = []
          series.set(key, points)
        }
        budget.charge(POINT_BYTES + value.length * 2)
        points.push([secondsOf(at.ns), value])
      }
    })
    // oxlint-disable-next-line require-await
    return writtenAnswer(call, answer, async (write) => {
      write('{"status":"success","data":{"resultType":"matrix","result":[')
      let separator = ''
      for (const key of [...series.keys()].sort()) {
        budget.checkpoint()
        const points = (series.get(key) ?? []).sort(([a], [b]) => a - b)
        write(`${separator}${key},"values":[`)
        points.forEach(([at, value], i) => write(`${i === 0 ? '' : ','}[${at},${JSON.stringify(value)}]`))
        write(']}')
        separator = ','
      }
      write(']}}')
    })
  },
})

/** Routes for statistics at one time and over time. */
export const selectStatsRoutes: readonly AnyRoute[] = [...statsRoutes, ...statsRangeRoutes]

import { z } from 'zod'
import { moment, momentsInOrder } from '../moment.ts'
import { condition } from '../condition.ts'
import { metricPipeline } from '../metric-pipeline.ts'
import { mapOf, text, textOrNumber, word } from '../schema.ts'

/** Body of `POST /api/metrics/query`. */
export const metricQuery = z
  .object({
    Promql: text().optional(),
    QueryType: word(['instant', 'range']).optional(),
    Start: moment().optional(),
    End: moment().optional(),
    Step: textOrNumber().optional(),
    Filters: text().optional(),
    Conditions: z.array(condition).optional(),
    Pipeline: metricPipeline.optional(),
    SubPipelines: mapOf(metricPipeline).optional(),
  })
  .superRefine(momentsInOrder('Start', 'End'))
  .meta({ id: 'MetricQuery', description: 'A metric query: PromQL text or the parts of an expression.' })

const labels = z.record(z.string(), z.string())
const sample = z.tuple([z.number(), z.string()])
const histogram = z
  .object({
    count: z.string(),
    sum: z.string(),
    buckets: z.array(z.tuple([z.number().int(), z.string(), z.string(), z.string()])).optional(),
  })
  .meta({ id: 'MetricHistogram', description: 'A native histogram; buckets are boundary rule, lower, upper, count.' })
const histogramSample = z.tuple([z.number(), histogram])

/** Cost of a query. The envelope is that of Prometheus's API: sample values are strings, times are seconds. */
const queryCost = z.object({
  totalQueryableSamplesPerStep: z.array(z.tuple([z.number(), z.number()])).optional(),
  totalQueryableSamples: z.number(),
  peakSamples: z.number(),
})

export const metricAnswer = z
  .object({
    status: z.literal('success'),
    data: z.object({
      resultType: z.enum(['matrix', 'vector', 'scalar', 'string']),
      result: z.union([
        z.array(
          z.object({
            metric: labels,
            value: sample.optional(),
            values: z.array(sample).optional(),
            histogram: histogramSample.optional(),
            histograms: z.array(histogramSample).optional(),
          }),
        ),
        sample,
      ]),
      stats: z.object({ timings: z.record(z.string(), z.number()), samples: queryCost }).optional(),
    }),
    warnings: z.array(z.string()).optional(),
    infos: z.array(z.string()).optional(),
  })
  .meta({ id: 'MetricAnswer', description: 'The series or the value of a metric query.' })

export type MetricQuery = z.output<typeof metricQuery>
export type MetricAnswer = z.output<typeof metricAnswer>

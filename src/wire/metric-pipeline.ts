import { z } from 'zod'
import { nowhere } from '../base/index.ts'
import { condition } from './condition.ts'
import { wireDiagnostic } from './diagnostics.ts'
import { raise } from './issues.ts'
import { anyJson, text } from './schema.ts'

/** A function over nested pipelines: name, further arguments, and inputs. */
export const metricFunction = z
  .object({
    name: text().optional(),
    args: z.array(anyJson()).optional(),
    get pipelines() {
      return z.array(metricPipeline).optional()
    },
  })
  .meta({ id: 'MetricFunction', description: 'A function over nested metric pipelines.' })

const SOURCES = ['metric', 'function', 'template'] as const

/** A metric expression in parts: a metric by name, a function over others, or an entry of `SubPipelines`. */
export const metricPipeline = z
  .object({
    conditions: z.array(condition).optional(),
    function: metricFunction.optional(),
    metric: text().optional(),
    template: text().optional(),
  })
  .superRefine((value, context) => {
    const given = SOURCES.filter((member) => value[member] !== undefined)
    if (given.length < 2) return
    const what = 'A metric pipeline is a metric, a function over pipelines, or a template.'
    raise(context, wireDiagnostic('one-of', { names: given, what }, nowhere))
  })
  .meta({
    id: 'MetricPipeline',
    description: 'A metric, a function over pipelines, or a template; exactly one of them.',
  })

export type MetricFunction = z.output<typeof metricFunction>
export type MetricPipeline = z.output<typeof metricPipeline>

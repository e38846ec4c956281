import { z } from 'zod'
import { metricAnswer } from '../../wire/index.ts'

const status = z.literal('success')
const warnings = z.array(z.string()).optional()

export const seriesAnswer = z.object({ status, data: z.array(z.record(z.string(), z.string())), warnings })
export const textsAnswer = z.object({ status, data: z.array(z.string()), warnings })
export const textAnswer = z.object({ status, data: z.string() })
export const treeAnswer = z.object({ status, data: z.record(z.string(), z.unknown()) })
export const metadataAnswer = z.object({
  status,
  data: z.record(z.string(), z.array(z.object({ type: z.string(), help: z.string(), unit: z.string() }))),
})
export const buildInfoAnswer = z.object({ status, data: z.record(z.string(), z.string()) })
export { metricAnswer as queryAnswer }

/** Errors as metric tools read them; the members of the one envelope stand beside these. */
export const prometheusError = z
  .object({ status: z.literal('error'), errorType: z.string(), error: z.string(), message: z.string() })
  .meta({ id: 'PrometheusError', description: 'An error as metric tools read it, beside the members of every error.' })

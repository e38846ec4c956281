import { z } from 'zod'
import { moment, momentsInOrder } from '../moment.ts'
import { condition } from '../condition.ts'
import { errorDiagnostic } from '../error-response.ts'
import { pipeline } from '../pipeline.ts'
import { text, word } from '../schema.ts'
import { fieldDomains } from './fields.ts'
import { searchParameterValues } from './search.ts'

const domain = word(fieldDomains).default('logs')

export const explainBody = z
  .object({
    domain,
    start: moment().optional(),
    end: moment().optional(),
    query: text().optional(),
    filters: text().optional(),
    pipeline: pipeline.optional(),
    sources: z.array(condition).optional(),
    parameters: searchParameterValues.optional(),
    /** True to run the query, so that the plan nodes have measured times and row counts. */
    analyze: z.boolean().default(false),
  })
  .superRefine(momentsInOrder('start', 'end'))
  .meta({ id: 'Explain', description: 'Asks for the plan of a search, with `analyze` also for what each part did.' })

const explainNode = z
  .object({
    kind: z.string(),
    label: z.string(),
    owner: z.string(),
    notes: z.array(z.string()),
    estimateRows: z.number().optional(),
    measured: z
      .object({ rows: z.number(), milliseconds: z.number(), counters: z.record(z.string(), z.number()) })
      .optional(),
    get inputs() {
      return z.array(explainNode)
    },
  })
  .meta({
    id: 'ExplainNode',
    description:
      'One node of a plan: its kind, what it does, the backend that runs it, notes, estimated rows, and after a run its rows, time and counters of the backend such as `bytesTouched`.',
  })

const explainCost = z
  .object({
    rows: z.number(),
    scannedRows: z.number(),
    bytes: z.number(),
    segmentsTotal: z.number(),
    segmentsSkipped: z.number(),
    blocksFromDisk: z.number(),
    bytesFromDisk: z.number(),
    partsFromCache: z.number(),
    bytesFromCache: z.number(),
    milliseconds: z.number(),
    peakMemoryBytes: z.number(),
    summary: z.string(),
  })
  .meta({ id: 'ExplainCost', description: 'Cost of the whole run; under a data scope without counts of stored data.' })

export const explainAnswer = z
  .object({ tree: explainNode, warnings: z.array(errorDiagnostic), cost: explainCost.optional() })
  .meta({ id: 'ExplainAnswer', description: 'The plan as a tree, warnings about the query, and after a run its cost.' })

export const checkBody = z
  .object({ domain, query: text() })
  .meta({ id: 'Check', description: 'Asks what is wrong with a query text, and what could be better.' })

export const checkAnswer = z.object({ diagnostics: z.array(errorDiagnostic) }).meta({
  id: 'CheckAnswer',
  description: 'Errors, warnings and advice, with places and fixes; empty for a good query.',
})

import { z } from 'zod'
import { MAX_FAULTS } from '../base/index.ts'

/** Maximum size of an error answer, bytes. */
export const MAX_ERROR_BYTES = 16 * 1024

export const errorDiagnostic = z
  .object({
    code: z.string().describe('`module/what`, stable across releases'),
    severity: z.enum(['error', 'warning', 'info']),
    message: z.string(),
    path: z.string().optional().describe('Where in the body, as a JSON path'),
    span: z
      .object({ start: z.number().int(), end: z.number().int(), line: z.number().int(), column: z.number().int() })
      .optional()
      .describe('Where in the query text: half-open offsets in UTF-16 units, one-based line and column of the start'),
    notes: z.array(z.string()).optional(),
    fixes: z
      .array(
        z.object({
          title: z.string(),
          edits: z.array(z.object({ start: z.number().int(), end: z.number().int(), text: z.string() })),
          isSafe: z.boolean(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'ErrorDiagnostic', description: 'One thing that is wrong, where, and what to do about it.' })

/** Body of every answer that is not a success. */
export const errorResponse = z
  .object({
    message: z.string(),
    code: z.string(),
    type: z.string(),
    details: z.object({
      diagnostics: z.array(errorDiagnostic).max(MAX_FAULTS),
      more: z.number().int().optional(),
    }),
    trace_id: z.string(),
  })
  .meta({
    id: 'ErrorResponse',
    description: 'What went wrong. Every client reads `message`; `trace_id` names the request.',
  })

export type ErrorDiagnostic = z.output<typeof errorDiagnostic>
export type ErrorResponse = z.output<typeof errorResponse>
